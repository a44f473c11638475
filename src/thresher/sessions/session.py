"""A browsing session: the pages visited, the real links between them, and the pages marked as useful.

Links are those of the pages, not clicks: going back adds none. Several sessions can be joined into one, in which each
page occurs once.
"""

from collections import deque
from collections.abc import Iterable, Sequence

from msgspec import Struct

UNREACHED = -1
"""The distance of a page from which no useful page can be reached."""


class VisitedPage(Struct, frozen=True):
    """A page of a session with its stems and their counts."""

    url: str
    terms: dict[str, int] = {}
    title: str = ""


class Session(Struct, frozen=True):
    """Pages, links between them as pairs of indices into `pages`, and the indices of the `useful` pages.

    >>> pages = [VisitedPage("http://a.test/"), VisitedPage("http://b.test/"), VisitedPage("http://c.test/")]
    >>> Session(pages, [(0, 1)], [1]).distances()
    [1, 0, -1]
    """

    pages: list[VisitedPage]
    links: list[tuple[int, int]] = []
    useful: list[int] = []

    def distances(self) -> list[int]:
        """Return the number of clicks from each page to the nearest useful one, `UNREACHED` if there is no path."""
        before: list[list[int]] = [[] for _ in self.pages]
        for source, target in self.links:
            before[target].append(source)
        found = [UNREACHED] * len(self.pages)
        waiting = deque(dict.fromkeys(self.useful))
        for place in waiting:
            found[place] = 0
        while waiting:
            place = waiting.popleft()
            for source in before[place]:
                if found[source] == UNREACHED:
                    found[source] = found[place] + 1
                    waiting.append(source)
        return found


def session_of(pages: Iterable[VisitedPage], links: Iterable[tuple[str, str]], useful: Iterable[str]) -> Session:
    """Return a session from URLs; links to and from pages that are not in it, and self-links, are left out.

    >>> pages = [VisitedPage("http://a.test/"), VisitedPage("http://b.test/")]
    >>> session_of(pages, [("http://a.test/", "http://b.test/"), ("http://a.test/", "http://x.test/")], []).links
    [(0, 1)]
    """
    each = {page.url: page for page in pages}
    place = {url: number for number, url in enumerate(each)}
    known = {
        (place[source], place[target]): None
        for source, target in links
        if source in place and target in place and source != target
    }
    return Session(list(each.values()), list(known), [place[url] for url in dict.fromkeys(useful) if url in place])


def joined(sessions: Sequence[Session]) -> Session:
    """Return several sessions as one; a page that is useful in one of them is useful.

    >>> one = Session([VisitedPage("http://a.test/"), VisitedPage("http://b.test/")], [(0, 1)], [1])
    >>> len(joined([one, one]).pages), joined([one, one]).links
    (2, [(0, 1)])
    """
    return session_of(
        (page for session in sessions for page in session.pages),
        (
            (session.pages[source].url, session.pages[target].url)
            for session in sessions
            for source, target in session.links
        ),
        (session.pages[place].url for session in sessions for place in session.useful),
    )
