"""A strategy with every ability there is, so that the battery tries them all: few pages of each site, site by site."""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from thresher.protocols import View
from thresher.strategies.children import children
from thresher.strategies.memos import Memos
from thresher.types import Candidate, Judgement, ParsedPage, Priority, Reading
from thresher.web.urls import host_of


class LinkNotes(Struct, frozen=True, array_like=True):
    """What is read of a link: the words of its anchor, and whether it stays on the site."""

    words: tuple[str, ...]
    inside: bool


class PageNotes(Struct, frozen=True):
    """What is read of a page."""

    title: str
    stems: dict[str, int]
    links: list[LinkNotes]


class Trail(Struct, frozen=True):
    """What is handed down: how many links led here, and the sites on the way."""

    links: int
    sites: tuple[str, ...]


class FewOfEachSite:
    """Fetches `pages` of each site, those with the most in-links first, and closes the site."""

    reorder_every = 10

    def __init__(self, pages: int = 5) -> None:
        self.pages = pages
        self._memos = Memos(Trail)
        self._fetched: dict[str, int] = {}
        self._full: list[str] = []

    def read(self, page: ParsedPage, judgement: Judgement | None) -> PageNotes | None:
        home = host_of(page.url)
        links = [LinkNotes(tuple(link.anchor.split()[:5]), host_of(link.url) == home) for link in page.links]
        return PageNotes(page.title, dict(list(page.terms.items())[:10]), links)

    def rank(self, reading: Reading[PageNotes], view: View) -> Iterable[Candidate]:
        before = self._memos.of(reading.candidate) or Trail(0, ())
        notes = reading.features.links if reading.features else [LinkNotes((), False)] * len(reading.links)
        home = (host_of(reading.candidate.url),) if reading.candidate.url else ()
        for link, note in zip(reading.links, notes, strict=True):
            sites = before.sites if note.inside else (before.sites + home)[-3:]
            memo = self._memos.write(Trail(1, sites))
            yield from children(reading, [(link, 1.0)], queue=host_of(link.url), memo=memo)

    def observe(self, candidate: Candidate, judgement: Judgement | None) -> None:
        site = host_of(candidate.url)
        self._fetched[site] = self._fetched.get(site, 0) + 1
        if self._fetched[site] == self.pages:
            self._full.append(site)

    def close_queues(self, view: View) -> Iterable[str]:
        return self._full

    def choose(self, ready: Sequence[str], view: View) -> str:
        return min(ready)

    def merge(self, waiting: Candidate, new: Candidate) -> Candidate:
        before, after = self._memos.of(waiting), self._memos.of(new)
        if before is None or after is None:
            return max(waiting, new, key=lambda candidate: candidate.priority)
        links = before.links + after.links
        return replace(waiting, priority=(float(links),), memo=self._memos.write(replace(before, links=links)))

    def reorder(self, view: View) -> Iterable[tuple[str, Priority]]:
        urls = [candidate.url for candidate in view.best(20)]
        parents = view.known.inlinks(urls)
        terms = view.known.terms(sorted({url for found in parents.values() for url in found}))
        for url in urls:
            yield url, (float(sum(bool(terms[parent]) for parent in parents[url])),)

    def account(self, candidate: Candidate) -> list[tuple[str, float, float]]:
        return [("links that lead to it", candidate.priority[0], candidate.priority[0])]

    def state(self) -> dict[str, Any]:
        return {"fetched": self._fetched, "full": self._full}

    def restore(self, state: dict[str, Any]) -> None:
        self._fetched, self._full = dict(state["fetched"]), list(state["full"])
