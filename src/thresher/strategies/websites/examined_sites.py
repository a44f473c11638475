"""The sites of a crawl: known, being read, and decided.

A site is entered by its home page and judged again after each of its pages. It is left when it is decided and its links
are collected, when it has reached its page limit, or when it has no more pages. Changes are collected for the store,
from which an interrupted crawl continues.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import xxhash

from thresher.classify.sites import SiteClassifier
from thresher.protocols import View
from thresher.site_types import SiteChanges, SiteEnd, SitePageRow, SiteRow, SiteState
from thresher.strategies.websites.known_sites import KnownSites
from thresher.strategies.websites.link_kinds import LinkOrder
from thresher.strategies.websites.open_site import OpenSite
from thresher.strategies.websites.platforms import SiteNames
from thresher.web.site_names import is_home

REPEATS: Final = 20_000
"""Number of home pages remembered, to recognise a site under another name."""


class ExaminedSites:
    """Judges sites by their pages and remembers the verdicts.

    `names` names sites, and `kinds` learns from every decided site which links led to significant pages. A site is left
    when its links are worth `links`, or after `pages` pages at the latest. `open` has the sites being read, `found` the
    number of pages crawled when each relevant site was found, and `crawled` the number of pages so far.
    """

    def __init__(self, names: SiteNames, kinds: LinkOrder, links: float = 4.0, pages: int = 10) -> None:
        self.names = names
        self.kinds = kinds
        self.links = links
        self.pages = pages
        self.open: dict[str, OpenSite] = {}
        self.found: list[int] = []
        self.crawled = 0
        self.classifier = SiteClassifier(2, 0.45)
        self.topics: Sequence[str] = ()
        self._known = KnownSites()
        self._homes: dict[int, str] = {}
        self._relevant: list[int] = []
        self._other = 0
        self._closed: list[str] = []
        self._exhausted: list[OpenSite] = []
        self._rows: dict[str, SiteRow] = {}
        self._pages: list[SitePageRow] = []
        self._saved: dict[str, dict[str, Any]] = {}

    def judge_by(self, classifier: SiteClassifier, topics: Sequence[str]) -> None:
        """Set the site classifier; `topics` are its classes without "other"."""
        self.classifier = classifier
        self.topics = topics
        self._relevant = [0] * len(topics)

    def is_known(self, name: str) -> bool:
        """Return whether a site was entered before."""
        return site_number(name) in self._known

    def enter(self, url: str, depth: int, text: int | None) -> OpenSite | None:
        """Open the site of a home page; return None if it is known, or the same as another.

        `text` is the number of the page's text, or None if it has too little text to be recognised.
        """
        name = self.names.of(url)
        number = site_number(name)
        if number in self._known:
            return None
        self._known.add(number)
        if text is not None and is_home(url, name):
            first = self._homes.setdefault(text, name)
            if first != name:
                self._rows[name] = SiteRow(
                    site=name, home=url, state=SiteState.SAME, end=SiteEnd.SAME_HOME, pages=1, same_as=first
                )
                return None
            if len(self._homes) > REPEATS:
                del self._homes[next(iter(self._homes))]
        site = self.unread(name, url, depth)
        self.open[name] = site
        return site

    def unread(self, name: str, home: str, depth: int = 0) -> OpenSite:
        """Return a site of which nothing has been read; it is not open yet."""
        return OpenSite(name=name, home=home, evidence=[0.0] * self.classifier.classes, depth=depth)

    def judge(
        self, site: OpenSite, url: str, confidences: Sequence[float], tokens: tuple[int, ...], outer: Sequence[str]
    ) -> None:
        """Count a page of a site, judge the site, and leave it if it is decided.

        `confidences` is empty for a page with too little text. `tokens` are those of the link to the page, and `outer`
        are the names of the sites it links to.
        """
        evidence = self.classifier.evidence(confidences) if confidences else None
        new = len({name for name in outer if name not in site.targets})
        self.kinds.learn_hub(tokens, new)
        site.add(evidence, tokens, 0.0)
        site.posterior = self.posterior(site)
        # A page that says nothing itself links to as much as its site promises.
        site.links += (1.0 - confidences[-1] if confidences else site.relevance()) * new + 1.0
        self._pages.append(site.page_row(url, confidences))
        self._rows[site.name] = site.row(self.topics)
        if site.pages >= self.pages:
            self._leave(site, SiteEnd.PAGE_LIMIT)
        elif site.texts and self.classifier.is_sure(site.posterior) and site.link_rank() >= self.links:
            self._leave(site, SiteEnd.SURE)

    def is_collecting(self, site: OpenSite) -> bool:
        """Return whether an open site has turned out to be relevant, and is only read for its links to others."""
        return site.texts > 0 and site.relevance() > 0.5 and self.classifier.is_sure(site.posterior)

    def posterior(self, site: OpenSite) -> list[float]:
        """Return the probability of each class for a site, given the sites decided so far."""
        return self.classifier.posterior(site.evidence, self.classifier.prior(self._relevant, self._other))

    def leave_exhausted(self, view: View) -> None:
        """Leave the sites without waiting pages or pages in flight."""
        self.crawled = view.pages()
        if not self.open:
            return
        waiting, under_way = view.waiting(), view.under_way()
        for site in [site for name, site in self.open.items() if name not in waiting and name not in under_way]:
            self._leave(site, SiteEnd.NO_PAGES)
            if site.posterior and site.targets:
                self._exhausted.append(site)

    def exhausted(self) -> list[OpenSite]:
        """Return the sites left since the last call because they had no more pages, if they link to others."""
        exhausted, self._exhausted = self._exhausted, []
        return exhausted

    def closed(self) -> list[str]:
        """Return the sites left since the last call."""
        closed, self._closed = self._closed, []
        return closed

    def changes(self) -> SiteChanges:
        """Return the sites and pages that changed since the last call."""
        changes = SiteChanges(list(self._rows.values()), self._pages)
        self._rows, self._pages = {}, []
        return changes

    def counts(self) -> tuple[int, int, int]:
        """Return how many sites were decided, how many of them are relevant, and how many are open."""
        return len(self.found) + self._other, len(self.found), len(self.open)

    def recall(self, sites: Iterable[SiteRow], pages: Mapping[str, Sequence[SitePageRow]]) -> None:
        """Continue from what is stored: all sites of the crawl, and the pages of open ones."""
        unfinished: dict[str, SiteRow] = {}
        for row in sites:
            self._known.add(site_number(row.site))
            self.names.recall(row.home, row.site)
            if row.state is SiteState.OPEN:
                unfinished[row.site] = row
            else:
                self._count(row)
        self.found.sort()
        # In the order in which they were opened, which is the order in which their pages are read.
        for name in dict.fromkeys([*self._saved, *unfinished]):
            if name in unfinished:
                self._reopen(unfinished[name], pages.get(name, ()))
        self._saved = {}

    def state(self) -> dict[str, Any]:
        """Return what the store does not have about open sites, exhausted sites not yet reported, and home pages."""
        return {
            "open": {name: site.state() for name, site in self.open.items()},
            "exhausted": {site.name: {"home": site.home, **site.state()} for site in self._exhausted},
            "homes": [list(self._homes), list(self._homes.values())],
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Restore a saved state; it applies to the sites that are open when they are recalled."""
        self._saved = state.get("open", {})
        self._homes = dict(zip(*state.get("homes", ((), ())), strict=True))
        for name, saved in state.get("exhausted", {}).items():
            site = self.unread(name, saved["home"])
            site.pages = saved["pages"]
            site.restore(saved)
            self._exhausted.append(site)

    def _reopen(self, row: SiteRow, pages: Sequence[SitePageRow]) -> None:
        site = self.unread(row.site, row.home)
        for page in pages:
            site.add(self.classifier.evidence(page.confidences) if page.confidences else None, (), 1.0)
        site.posterior = self.posterior(site)
        if row.site in self._saved:
            site.restore(self._saved[row.site])
        self.open[row.site] = site

    def _leave(self, site: OpenSite, end: SiteEnd) -> None:
        """Decide a site, learn from it and release its queue."""
        row = site.row(self.topics, end, self.crawled)
        del self.open[site.name]
        self._closed.append(site.name)
        self._rows[site.name] = row
        self._count(row)
        if site.texts:
            self._learn(site)

    def _count(self, row: SiteRow) -> None:
        if row.state is SiteState.RELEVANT and row.topic in self.topics:
            self._relevant[self.topics.index(row.topic)] += 1
            self.found.append(row.found)
        elif row.state is SiteState.IRRELEVANT and row.texts:
            self._other += 1

    def _learn(self, site: OpenSite) -> None:
        """Reward the kinds of links by how clearly their target pages supported the decision."""
        verdict = max(range(len(site.posterior)), key=lambda number: site.posterior[number])
        most = self.classifier.most_evidence
        for tokens, evidence in site.followed:
            if evidence is None:
                self.kinds.learn(tokens, 0.0)
                continue
            other = max(value for number, value in enumerate(evidence) if number != verdict)
            self.kinds.learn(tokens, min(1.0, max(0.0, (evidence[verdict] - other) / most)))


def site_number(site: str) -> int:
    """Return the number by which a site is remembered; JSON keeps it exact."""
    return xxhash.xxh3_64_intdigest(site.encode()) >> 1
