"""Samples sites: fetches the first pages of each, breadth-first from its home page, as training data.

Every start page represents a site. Only links within the site are followed, up to the page limit. The start page itself
comes last, unless it is the home page or linked: on a shared host, nothing may lead from the home page to it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import get_args

from thresher.protocols import View
from thresher.site_types import SiteChanges, SitePageRow, SiteRow
from thresher.types import Candidate, Judgement, ParsedPage, PriceMeaning, Reading
from thresher.web.site_names import PLATFORMS, SiteUnit, home_of, site_of


class SiteSample:
    """Fetches the first `pages` of each start site; `unit` is what counts as a site."""

    prices: PriceMeaning = "nothing"

    def __init__(self, pages: int = 25, unit: str = "auto") -> None:
        if pages < 1 or unit not in get_args(SiteUnit):
            raise ValueError(f"pages must be at least 1, and unit one of {', '.join(get_args(SiteUnit))}")
        self.pages = pages
        self.unit: SiteUnit = unit  # type: ignore[assignment]
        self._read: dict[str, int] = {}
        self._full: list[str] = []
        self._changes = SiteChanges([], [])

    def read(self, page: ParsedPage, judgement: Judgement | None) -> bool:
        """Return whether the page has text."""
        return bool(page.terms)

    def rank(self, reading: Reading[bool], view: View) -> Iterable[Candidate]:
        """Queue the pages of the same site, those nearest to its home page first."""
        page = reading.candidate
        if page.depth < 0:
            return self._starts(reading)
        site, read = page.queue, self._read.get(page.queue, 0)
        if read >= self.pages or reading.features is None:
            return []
        self._read[site] = read + 1
        self._changes.pages.append(SitePageRow(site=site, number=read + 1, url=page.url))
        self._changes.sites.append(SiteRow(site=site, home=page.url, pages=read + 1))
        if read + 1 >= self.pages:
            self._full.append(site)
            return []
        return self._inner(reading)

    def missed(self, candidate: Candidate, reason: object) -> Iterable[Candidate]:
        """Return the page that the user named, if the home page failed."""
        entry = candidate.memo
        if candidate.depth or not entry or entry == candidate.url:
            return []
        return [Candidate(url=entry, priority=(1.0,), queue=candidate.queue, depth=0)]

    def clear_queues(self, view: View) -> Iterable[str]:
        """Return the queues of sites that have reached their page limit."""
        full, self._full = self._full, []
        return full

    def site_changes(self, view: View) -> SiteChanges:
        """Return the pages that were read since the last call."""
        changes, self._changes = self._changes, SiteChanges([], [])
        return changes

    def site_counts(self) -> tuple[int, ...]:
        """Return an empty tuple: no site is decided."""
        return ()

    def recall(self, sites: Iterable[SiteRow], pages: Mapping[str, Sequence[SitePageRow]]) -> None:
        """Continue with the partly sampled sites."""
        self._read = {row.site: row.pages for row in sites}
        self._full = [site for site, read in self._read.items() if read >= self.pages]

    def _starts(self, reading: Reading[bool]) -> Iterator[Candidate]:
        for link in reading.links:
            site = site_of(link.url, self.unit, PLATFORMS)
            home = home_of(link.url, site)
            yield Candidate(url=home, priority=(2.0,), queue=site, depth=0, memo=link.url[:1000])
            if link.url != home:
                yield Candidate(url=link.url, priority=(0.0,), queue=site, depth=0)

    def _inner(self, reading: Reading[bool]) -> Iterator[Candidate]:
        page = reading.candidate
        for link in reading.links:
            if site_of(link.url, self.unit, PLATFORMS) == page.queue:
                yield Candidate(
                    url=link.url,
                    priority=(1.0 / (page.depth + 2),),
                    queue=page.queue,
                    depth=page.depth + 1,
                    parent=page.url,
                    anchor=link.anchor,
                )
