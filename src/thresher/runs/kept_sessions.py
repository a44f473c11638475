"""The browsing sessions a portal keeps: add, forget, and learn from them."""

import math
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from thresher.crawl.view import CrawlPages
from thresher.errors import InputError
from thresher.runs.path_learning import paths_file
from thresher.sessions.session import Session, VisitedPage, session_of
from thresher.sessions.session_file import read_sessions, stems_in, write_sessions
from thresher.store.browsing import BrowsedPage, BrowsingRow
from thresher.store.protocol import Store
from thresher.web.urls import host_of


class Forgetting(Struct, frozen=True, kw_only=True):
    """Which pages to forget: those on hosts of `domains` (all if empty) that were visited from `since` to `until`.

    A page without a known time is forgotten only if no time is given.
    """

    domains: tuple[str, ...] = ()
    since: float = -math.inf
    until: float = math.inf

    def covers(self, page: BrowsedPage) -> bool:
        """Return whether a page is to be forgotten."""
        if self.domains and not any(in_domain(host_of(page.url), domain) for domain in self.domains):
            return False
        if page.at is None:
            return self.since == -math.inf and self.until == math.inf
        return self.since <= page.at < self.until


def in_domain(host: str, domain: str) -> bool:
    """Return whether a host is a domain or belongs to it.

    >>> in_domain("www.a.test", "a.test"), in_domain("ba.test", "a.test"), in_domain("a.test", "www.a.test")
    (True, False, False)
    """
    return host == domain or host.endswith(f".{domain}")


def keep(store: Store, rows: Sequence[BrowsingRow]) -> list[BrowsingRow]:
    """Keep sessions and return those that are new.

    A session is already known if all its visits are in a kept one from the same source. A kept session whose visits are
    all in a new one is replaced by it.
    """
    holding: dict[tuple[str, str, str, float | None], list[BrowsingRow]] = defaultdict(list)
    for known in store.browsing.all():
        for visit in _visits(known):
            holding[known.source, known.label, *visit].append(known)
    new: list[BrowsingRow] = []
    drop: set[int] = set()
    for row in rows:
        visits, useful = _visits(row), _useful(row)
        alike = {known.id: known for visit in visits for known in holding[row.source, row.label, *visit]}
        if any(visits <= _visits(known) and useful <= _useful(known) for known in alike.values()):
            continue
        drop |= {known.id for known in alike.values() if _visits(known) <= visits}
        new.append(row)
    store.browsing.keep(new, sorted(drop))
    return new


def _visits(row: BrowsingRow) -> set[tuple[str, float | None]]:
    return {(page.url, page.at) for page in row.pages}


def _useful(row: BrowsingRow) -> set[str]:
    return {page.url for page in row.pages if page.useful}


def forget(portal: Path, store: Store, what: Forgetting) -> list[BrowsedPage]:
    """Forget pages of the kept sessions, also in the file of learned paths; return them.

    A session that has no page left is dropped.
    """
    changed: list[BrowsingRow] = []
    empty: list[int] = []
    gone: list[BrowsedPage] = []
    for row in store.browsing.all():
        covered = [page for page in row.pages if what.covers(page)]
        left = without(row, covered)
        gone += covered
        if not left.pages:
            empty.append(row.id)
        elif covered:
            changed.append(left)
    # The file is changed first: if that fails, the rows still show what has to be forgotten.
    _forget_paths(paths_file(portal), {page.url for page in gone})
    store.browsing.keep(changed, empty)
    return gone


def _forget_paths(path: Path, urls: set[str]) -> None:
    """Remove pages from the file of learned paths, and delete the file if nothing can be learned from the rest."""
    if not urls or not path.exists():
        return
    try:
        known = read_sessions(path)
    except InputError:
        known = []
    left = [
        session_of(
            [page for page in session.pages if page.url not in urls],
            [(session.pages[source].url, session.pages[target].url) for source, target in session.links],
            [session.pages[place].url for place in session.useful],
        )
        for session in known
    ]
    if any(session.useful for session in left):
        write_sessions(path, left)
    else:
        path.unlink()


def kept_session(store: Store) -> Session:
    """Return all kept sessions as one to learn from.

    The words of a page are those of the stored page, else those sent with the session, else those of its title. Links
    are those that were followed, and those between stored pages of the sessions.
    """
    rows = store.browsing.all()
    pages = {page.url: page for row in rows for page in row.pages}
    known = CrawlPages(store)
    stored = known.terms(list(pages))
    followed = [(row.pages[source].url, row.pages[target].url) for row in rows for source, target in row.links]
    found = [(url, target) for url, targets in known.outlinks(list(stored)).items() for target in targets]
    return session_of(
        [
            VisitedPage(url, stored.get(url) or page.terms or stems_in(page.title), page.title)
            for url, page in pages.items()
        ],
        [*followed, *found],
        [page.url for row in rows for page in row.pages if page.useful],
    )


def unread_pages(store: Store) -> list[str]:
    """Return the pages of the kept sessions whose words are unknown: not stored, and sent without them."""
    pages = {page.url: page for row in store.browsing.all() for page in row.pages}
    stored = CrawlPages(store).terms(list(pages))
    return [url for url, page in pages.items() if url not in stored and not page.terms]


def without(row: BrowsingRow, pages: Sequence[BrowsedPage]) -> BrowsingRow:
    """Return a session without some of its pages and the links from and to them."""
    gone = {id(page) for page in pages}
    kept = [place for place, page in enumerate(row.pages) if id(page) not in gone]
    place_of = {place: number for number, place in enumerate(kept)}
    return BrowsingRow(
        id=row.id,
        source=row.source,
        label=row.label,
        taken=row.taken,
        pages=[row.pages[place] for place in kept],
        links=[
            (place_of[source], place_of[target])
            for source, target in row.links
            if source in place_of and target in place_of
        ],
    )
