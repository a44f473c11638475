"""The paper's baseline: a page crawler, with sites classified afterwards by the pages it happened to fetch.

The score of a link is the mean confidence of the pages that link to it. A guard stops after many pages of a site.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Self

from thresher.classify.sites import SiteClassifier
from thresher.protocols import View
from thresher.site_types import SiteChanges, SiteEnd, SiteRow
from thresher.strategies.children import children
from thresher.strategies.memos import Memos
from thresher.strategies.websites.open_site import OpenSite
from thresher.strategies.websites.site_links import LinkMemo, joined
from thresher.strategies.websites.strategy import TEXT, SiteReading, Websites
from thresher.types import Candidate, Judgement, ParsedPage, PriceMeaning, Reading
from thresher.web.site_names import SiteUnit, site_of

GUARD: Final = 25
"""Maximum number of pages per site."""


class PageCrawler:
    """Crawls pages by the mean confidence of the pages that link to them; `sites` holds what it saw of each site."""

    prices: PriceMeaning = "nothing"

    def __init__(self, unit: SiteUnit = "auto", guard: int = GUARD) -> None:
        self.unit = unit
        self.guard = guard
        self.sites: dict[str, OpenSite] = {}
        self._pages = Websites(order="breadth", unit=unit)
        self._classifier = SiteClassifier(2, 0.45)
        self._memos = Memos(LinkMemo)

    def fit(self, examples: Sequence[tuple[ParsedPage, str | None]]) -> Self:
        """Learn the topic from pages of its sites."""
        self._pages.fit(examples)
        self._classifier = self._pages.site_classifier
        return self

    def read(self, page: ParsedPage, judgement: Judgement | None) -> SiteReading:
        """Return what the page says about its site."""
        return self._pages.read(page, judgement)

    def rank(self, reading: Reading[SiteReading], view: View) -> Iterable[Candidate]:
        """Score the links by the confidence of their page."""
        said = reading.features
        if said is None:
            return children(reading, ((link, 1.0) for link in reading.links))
        name = site_of(reading.candidate.url, self.unit)
        classes = self._classifier.classes
        site = self.sites.setdefault(name, OpenSite(name=name, home=reading.candidate.url, evidence=[0.0] * classes))
        site.add(self._classifier.evidence(said.confidences) if said.stems >= TEXT else None, (), 0.0)
        site.posterior = self._classifier.posterior(site.evidence, [0.0] * classes)
        worth = 1.0 - said.confidences[-1]
        open_links = [link for link in reading.links if not self._is_guarded(link.url)]
        memo = self._memos.write(LinkMemo(worth=worth, links=1))
        return children(reading, ((link, worth) for link in open_links), memo=memo)

    def merge(self, waiting: Candidate, new: Candidate) -> Candidate:
        """Return the waiting candidate with the mean score of both."""
        before, after = self._memos.of(waiting), self._memos.of(new)
        if before is None or after is None:
            return waiting
        known = joined(before, after, "local")
        return Candidate(
            url=waiting.url,
            priority=(known.worth / known.links,),
            depth=waiting.depth,
            parent=waiting.parent,
            memo=self._memos.write(known),
        )

    def decided(self) -> SiteChanges:
        """Return every site as judged by its pages."""
        rows: list[SiteRow] = [site.row(self._pages.topics, SiteEnd.NO_PAGES) for site in self.sites.values()]
        return SiteChanges(rows)

    def _is_guarded(self, url: str) -> bool:
        site = self.sites.get(site_of(url, self.unit))
        return site is not None and site.pages >= self.guard
