"""A browser's history as visits, and how visits become sessions.

A session ends after some time without a visit. Links between its pages are those that were followed: typing an address,
reloading and going back add none. An address that only redirects is not a page; the link leads to the target of the
redirect.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

PAUSE: Final = 30 * 60.0
"""Seconds without a visit that end a session."""


class Visit(Struct, frozen=True, kw_only=True):
    """A visit to a page.

    `id` is the browser's number of the visit, and `source` that of the preceding visit, 0 for none. `followed` is set
    if a link led here from there, `redirected` if the browser was redirected, and `again` if the page was reloaded:
    links may be followed from such a visit, but it does not count as a visit itself.
    """

    id: int
    url: str
    at: float
    title: str = ""
    source: int = 0
    followed: bool = False
    redirected: bool = False
    again: bool = False


class BookmarkedPage(Struct, frozen=True):
    """A bookmark: its address and the names of its folders, outermost first."""

    url: str
    folders: tuple[str, ...] = ()


class History(Struct, frozen=True):
    """A browser's history: visits in chronological order, and bookmarks."""

    visits: list[Visit]
    bookmarks: list[BookmarkedPage] = []


class Walk(Struct, frozen=True):
    """A session of a history: the first visit to each page in order, and links as pairs of indices."""

    visits: list[Visit]
    links: list[tuple[int, int]]


def walks(visits: Iterable[Visit], pause: float = PAUSE, wanted: Callable[[str], bool] = lambda _: True) -> list[Walk]:
    """Return the sessions of a history, oldest first, with only pages whose addresses are `wanted`.

    A page from which a link was followed belongs to the session of that link, even if it was opened long before.

    >>> visits = [Visit(id=1, url="http://a.test/", at=0.0),
    ...           Visit(id=2, url="http://b.test/", at=60.0, source=1, followed=True),
    ...           Visit(id=3, url="http://c.test/", at=9000.0)]
    >>> [(len(walk.visits), walk.links) for walk in walks(visits)]
    [(2, [(0, 1)]), (1, [])]
    """
    # A redirect is followed whether or not its own address is wanted.
    shown = (visit for visit in _without_redirects(list(visits)) if wanted(visit.url))
    ordered = sorted(shown, key=lambda visit: (visit.at, visit.id))
    known = {visit.id: visit for visit in ordered}
    parts: list[list[Visit]] = []
    for visit in (visit for visit in ordered if not visit.again):
        if not parts or visit.at - parts[-1][-1].at > pause:
            parts.append([])
        parts[-1].append(visit)
    return [_walk(part, known) for part in parts]


def _walk(part: Sequence[Visit], known: dict[int, Visit]) -> Walk:
    pages: dict[str, Visit] = {}
    links: dict[tuple[str, str], None] = {}
    for visit in part:
        before = known.get(visit.source) if visit.followed else None
        if before is not None and before.url != visit.url:
            pages.setdefault(before.url, before)
            links[before.url, visit.url] = None
        pages.setdefault(visit.url, visit)
    place = {url: number for number, url in enumerate(pages)}
    return Walk(list(pages.values()), [(place[source], place[target]) for source, target in links])


def _without_redirects(visits: list[Visit]) -> list[Visit]:
    """Return the visits that showed a page; the target of a redirect counts as reached from the page with the link."""
    known = {visit.id: visit for visit in visits}
    passed = {visit.source for visit in visits if visit.redirected and visit.source in known}
    return [_origin(visit, known) for visit in visits if visit.id not in passed]


def _origin(visit: Visit, known: dict[int, Visit]) -> Visit:
    found, seen = visit, {visit.id}
    while found.redirected and found.source in known and found.source not in seen:
        found = known[found.source]
        seen.add(found.id)
    return visit if found is visit else replace(visit, source=found.source, followed=found.followed)
