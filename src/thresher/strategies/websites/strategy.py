"""Crawls for websites: a queue of sites, and a queue for every site being read (Ester and others, 2004).

Sites are scored by the links of the sites examined before (`site_queues.py`). A site is opened at its home page; its
other pages wait in a separate queue, and the site is judged again after each of them (`examined_sites.py`). What is
read and decided is stored together with its page, so a killed crawl continues where it was.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Final, Self, get_args

from msgspec import Struct

from thresher.classify.centroids import CentroidClassifier
from thresher.classify.site_margins import LinearPages
from thresher.classify.site_pages import SitePages
from thresher.classify.sites import SiteClassifier
from thresher.protocols import View
from thresher.reasons import Reason
from thresher.site_types import SiteChanges, SiteEnd, SitePageRow, SiteRow
from thresher.strategies.asking import no_examples
from thresher.strategies.websites.ending import costs_rise
from thresher.strategies.websites.examined_sites import ExaminedSites
from thresher.strategies.websites.link_kinds import LinkOrder, tokens_of
from thresher.strategies.websites.open_site import OpenSite
from thresher.strategies.websites.platforms import SiteNames
from thresher.strategies.websites.site_links import EdgeWeight
from thresher.strategies.websites.site_queues import INNER, OUTER, SITES, Order, PageLinks, SiteQueues
from thresher.types import Candidate, Judgement, ParsedPage, PriceMeaning, Reading
from thresher.web.site_names import PLATFORMS, SiteUnit, site_of
from thresher.web.urls import host_of

TEXT: Final = 12
"""Minimum number of different stems for a page to be judged."""


class SiteReading(Struct, frozen=True):
    """What a worker reads on a page: the confidence of each class, its stems, its text, and the kinds of its links.

    `kinds` has the tokens of links to the same host by their places.
    """

    confidences: list[float]
    stems: int
    text: int
    kinds: dict[int, tuple[int, ...]]


class Websites:
    """Finds whole sites on the topics, spending few pages on each.

    `edges` is the weight of links between sites; the mean weight of a site's links includes `smoothing` more of usual
    weight. `order` is the order in which the pages of a site are read: `learned` across sites, by `variance`, or
    `breadth`. With `collect`, once a site has turned out to be relevant, pages that probably link to other sites come
    first. A site is decided at the probability `threshold` and left when its links are worth `links`, or after `pages`
    pages at the latest. `at_once` sites are read at a time. The crawl ends when `want` relevant sites are found, or
    when they have become much harder to find in the latest `window` of pages; 0 turns either off. `unit` is what counts
    as a site, and `platforms` are hosts whose folders are sites, separated by commas. Pages are judged by a `model`:
    `naive-bayes`, `svm`, or at most `centroids` of each class, `calibrated` or with the plain formula (`centroids`).
    """

    prices: PriceMeaning = "nothing"
    save_every = 1

    def __init__(
        self,
        edges: str = "combined",
        order: str = "learned",
        smoothing: float = 2.0,
        threshold: float = 0.9,
        collect: bool = True,
        links: float = 4.0,
        pages: int = 10,
        at_once: int = 20,
        want: int = 0,
        window: int = 0,
        unit: str = "auto",
        platforms: str = "",
        model: str = "naive-bayes",
        centroids: int = 8,
    ) -> None:
        if edges not in get_args(EdgeWeight) or order not in get_args(Order) or unit not in get_args(SiteUnit):
            raise ValueError(
                f"edges must be one of {', '.join(get_args(EdgeWeight))}, order one of {', '.join(get_args(Order))}, "
                f"unit one of {', '.join(get_args(SiteUnit))}"
            )
        if not 0.5 < threshold < 1 or smoothing < 0 or links < 0 or pages < 1 or at_once < 1 or want < 0 or window < 0:
            raise ValueError(
                "threshold must be between 0.5 and 1, pages and at_once at least 1, and no number negative"
            )
        self.edges: EdgeWeight = edges  # type: ignore[assignment]
        self.order: Order = order  # type: ignore[assignment]
        self.smoothing = smoothing
        self.threshold = threshold
        self.collect = collect
        self.links = links
        self.pages = pages
        self.at_once = at_once
        self.want = want
        self.window = window
        self.unit: SiteUnit = unit  # type: ignore[assignment]
        self.platforms = frozenset([*PLATFORMS, *(name for name in platforms.split(",") if name)])
        self.model = model
        self._classifier = page_classifier(model, centroids)
        self._learns = collect or order == "learned"
        self._names = SiteNames(self.unit, self.platforms)
        self._kinds = LinkOrder()
        self._examined = ExaminedSites(self._names, self._kinds, links, pages)
        self._examined.judge_by(SiteClassifier(2, 0.45, threshold), ())
        self._queues = SiteQueues(self._examined, self.edges, self.order, smoothing, collect)

    def fit(self, examples: Sequence[tuple[ParsedPage, str | None]]) -> Self:
        """Learn the topics from pages of their sites; None marks pages of other sites."""
        sites = [
            site_of(page.url, self.unit, self.platforms) if "://" in page.url else page.url for page, _ in examples
        ]
        self._classifier.fit(examples, sites)
        classifier = SiteClassifier(len(self._classifier.classes_), self._classifier.error_, self.threshold)
        self._examined.judge_by(classifier, self.topics)
        return self

    @property
    def site_classifier(self) -> SiteClassifier:
        """The site classifier."""
        return self._examined.classifier

    @property
    def examined(self) -> ExaminedSites:
        """The sites of the crawl."""
        return self._examined

    @property
    def topics(self) -> Sequence[str]:
        """The topics, in the order of confidences."""
        return self._classifier.classes_[:-1]

    def read(self, page: ParsedPage, judgement: Judgement | None) -> SiteReading:
        """Return what the page says about its site, and the kinds of its links."""
        if not self._classifier.classes_:
            raise no_examples("websites")
        host = host_of(page.url)
        own = [place for place, link in enumerate(page.links) if host_of(link.url) == host][:INNER]
        kinds = tokens_of(page, [page.links[place] for place in own]) if self._learns else []
        return SiteReading(
            [round(share, 4) for share in self._classifier.confidences(page.terms).tolist()],
            len(page.terms),
            int.from_bytes(page.digest[:6], "big"),
            dict(zip(own, kinds, strict=False)),
        )

    def rank(self, reading: Reading[SiteReading], view: View) -> Iterable[Candidate]:
        """Judge the site of a page, and queue its other pages and the sites it links to.

        The sites that exhausted sites link to are offered again, with the verdicts on those.
        """
        candidate, said = reading.candidate, reading.features
        self._examined.crawled = view.pages()
        if candidate.depth < 0:
            return self._queues.starts(reading.links)
        if said is None:
            return []
        text = said.text if said.stems >= TEXT else None
        if candidate.queue == SITES:
            site = self._examined.enter(candidate.url, candidate.depth, text)
        else:
            site = self._examined.open.get(candidate.queue)
        late = self._queues.late_offers()
        if site is None:
            return late
        found = self._links(reading, said, site)
        speaks = text is not None and self._names.of(candidate.url) == site.name
        self._examined.judge(
            site,
            candidate.url,
            said.confidences if speaks else (),
            self._queues.tokens_of(candidate),
            [target for target, _ in found.outer],
        )
        return chain(late, self._queues.offers(site, candidate, said.confidences, found))

    def merge(self, waiting: Candidate, new: Candidate) -> Candidate:
        """Return the waiting candidate with what is known from both links."""
        return self._queues.merge(waiting, new)

    def choose(self, ready: Sequence[str], view: View) -> str | None:
        """Continue with an open site, or open another if there is room, or wait."""
        under_way = view.under_way()
        # What a page says decides whether another page of its site is wanted.
        free = {queue for queue in ready if queue != SITES and queue not in under_way}
        if free:
            # Sites are finished in the order they were opened, so the order is the same after a stop.
            return next((name for name in self._examined.open if name in free), min(free))
        if SITES not in ready:
            return None
        opening = under_way.get(SITES, 0)
        if len(self._examined.open) + opening >= self.at_once:
            self._examined.leave_exhausted(view)
        return SITES if len(self._examined.open) + opening < self.at_once else None

    def clear_queues(self, view: View) -> Iterable[str]:
        """Return the queues of sites that were left."""
        return self._examined.closed()

    def missed(self, candidate: Candidate, reason: Reason) -> Iterable[Candidate]:
        """Return the page to enter a site by if its home page failed."""
        return self._queues.missed(candidate)

    def ended(self) -> str:
        """Return why the crawl is over, `wanted` or `dearer`; empty if it continues."""
        if self.want and len(self._examined.found) >= self.want:
            return "wanted"
        rising = self.window and costs_rise(self._examined.found, self._examined.crawled, self.window)
        return "dearer" if rising else ""

    def site_changes(self, view: View) -> SiteChanges:
        """Return the sites and pages that changed since the last call; sites without further pages are left first."""
        self._examined.leave_exhausted(view)
        return self._examined.changes()

    def site_counts(self) -> tuple[int, int, int]:
        """Return how many sites were decided, how many of them are relevant, and how many are open."""
        return self._examined.counts()

    def recall(self, sites: Iterable[SiteRow], pages: Mapping[str, Sequence[SitePageRow]]) -> None:
        """Continue from what is stored: all sites of the crawl, and the pages of open ones."""
        self._examined.recall(sites, pages)

    def judged_again(
        self, row: SiteRow, pages: Sequence[tuple[SitePageRow, Mapping[str, int]]]
    ) -> tuple[SiteRow, list[SitePageRow]]:
        """Return a decided site and its pages as judged by this strategy, from the stems of the pages.

        Pages that were read but not stored have no stems and keep their confidences.
        """
        site = self._examined.unread(row.site, row.home)
        told: list[SitePageRow] = []
        for page, terms in pages:
            shares = self._confidences_again(row.site, page, terms)
            site.add(self.site_classifier.evidence(shares) if shares else None, (), 0.0)
            site.posterior = self._examined.posterior(site)
            told.append(site.page_row(page.url, shares))
        if not site.posterior:
            return row, []
        return site.row(self.topics, row.end or SiteEnd.NO_PAGES, row.found), told

    def state(self) -> dict[str, Any]:
        """Return what was learned during the crawl, except the rows of sites, which are in the store."""
        return {
            **({"kinds": self._kinds.state()} if self._learns else {}),
            "platforms": self._names.state(),
            **self._examined.state(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Restore a saved state."""
        if self._learns and "kinds" in state:
            self._kinds.restore(state["kinds"])
        self._names.restore(state["platforms"])
        self._examined.restore(state)

    def account(self, candidate: Candidate) -> list[tuple[str, float, float]]:
        """Return the parts of a candidate's score."""
        return self._queues.account(candidate)

    def _confidences_again(self, site: str, page: SitePageRow, terms: Mapping[str, int]) -> list[float]:
        """Return the confidences of a page read before; empty if it belongs to another site or says too little."""
        # A site keeps its pages even if its host is recognised as shared only later.
        if site not in (self._names.of(page.url), site_of(page.url, self.unit, self.platforms)):
            return []
        if not terms and len(page.confidences) == len(self._classifier.classes_):
            return list(page.confidences)
        return self._classifier.confidences(terms).tolist() if len(terms) >= TEXT else []

    def _links(self, reading: Reading[SiteReading], said: SiteReading, site: OpenSite) -> PageLinks:
        """Divide the links of a page into those to its own site and those to others."""
        host = host_of(reading.candidate.url)
        for link in reading.links:
            self._names.linked(link.url, host)
        found = PageLinks([], [])
        for place, link in enumerate(reading.links):
            target = self._names.of(link.url)
            if target == site.name:
                found.inner.append((tuple(said.kinds.get(place, ())), link))
            elif len(found.outer) < OUTER:
                found.outer.append((target, link))
        return found


def page_classifier(model: str, centroids: int = 8) -> SitePages:
    """Return a classifier of pages by its name; raise ValueError for an unknown one."""
    match model:
        case "naive-bayes" | "svm":
            return LinearPages(model)
        case "centroids" | "calibrated":
            return CentroidClassifier(centroids, calibrated=model == "calibrated")
        case _:
            raise ValueError("model must be naive-bayes, svm, centroids or calibrated")
