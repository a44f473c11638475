"""Crawling for websites: a queue of sites, and a queue for every site that is being read (Ester and others, 2004).

Sites wait by the links of the sites examined before (`site_links.py`). A site is opened at its home page; its other
pages wait in a queue of its own, and after each of them the site is judged again (`classify/sites.py`). It is left when
enough is known of it and its links are collected, when it has had its pages, or when it has no more. What is read and
decided is handed to the store with the page it came from, so that a killed crawl continues where it was.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import pvariance
from typing import Any, Final, Literal, Self, get_args

import xxhash
from msgspec import Struct

from thresher.classify.centroids import CentroidClassifier
from thresher.classify.site_margins import LinearPages
from thresher.classify.site_pages import SitePages
from thresher.classify.sites import SiteClassifier
from thresher.protocols import View
from thresher.reasons import Reason
from thresher.site_types import SiteChanges, SiteEnd, SitePageRow, SiteRow, SiteState
from thresher.strategies.asking import no_examples
from thresher.strategies.memos import Memos
from thresher.strategies.websites.ending import costs_rise
from thresher.strategies.websites.link_kinds import LinkOrder, tokens_of
from thresher.strategies.websites.open_site import MOST_TARGETS, OpenSite, Target
from thresher.strategies.websites.platforms import PlatformWatch
from thresher.strategies.websites.site_links import LONGEST_ENTRY, EdgeWeight, LinkMemo, joined, rank, source
from thresher.types import Candidate, Judgement, Link, Page, PriceMeaning, Reading
from thresher.web.site_names import PLATFORMS, SiteUnit, home_of, is_home, site_of
from thresher.web.urls import host_of

Order = Literal["learned", "variance", "breadth"]

SITES: Final = ""
"""The queue of the sites that wait to be opened."""

START: Final = 10.0
"""The score of start sites, which come first."""

AT_ONCE: Final = 10.0
"""What is added to the score of a page that must be read before anything can be said: a frame, or behind a splash."""

TEXT: Final = 12
"""Different stems that a page needs to say something."""

INNER: Final = 60
OUTER: Final = 200
"""Links of a page, to its own site and to others, that are followed."""

REPEATS: Final = 20_000
"""Home pages whose texts are remembered, to recognise a site under another name."""

_FRAMES: Final = ("frame", "iframe")


class SiteReading(Struct, frozen=True):
    """What a worker reads of a page: the confidence of each class, its stems, its text, and the kinds of its links.

    `kinds` has the tokens of links to the same host by their places.
    """

    confidences: list[float]
    stems: int
    text: int
    kinds: dict[int, tuple[int, ...]]


class Websites:
    """Finds whole sites of the topics, and spends few pages on each.

    `edges` is the weight of links between sites, `order` the one in which the pages of a site are read. A site is
    decided at the probability `threshold` and left when its links are worth `links`, at the latest after `pages` pages.
    `at_once` sites are read at a time. The crawl ends when `want` relevant sites are found, or when in the newest
    `window` of pages they have become clearly dearer; 0 is for never. `unit` is what counts as a site, `platforms` are
    hosts whose folders are sites, separated by commas. Pages are judged by a `model`: `naive-bayes`, `svm`, or at most
    `centroids` of each class, `calibrated` or by the bare formula (`centroids`).
    """

    prices: PriceMeaning = "nothing"

    def __init__(
        self,
        edges: str = "combined",
        order: str = "learned",
        threshold: float = 0.9,
        links: float = 4.0,
        pages: int = 15,
        at_once: int = 50,
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
        if not 0.5 < threshold < 1 or links < 0 or pages < 1 or at_once < 1 or want < 0 or window < 0:
            raise ValueError("threshold must lie between 0.5 and 1, pages and at_once be at least 1")
        self.edges: EdgeWeight = edges  # type: ignore[assignment]
        self.order = order
        self.threshold = threshold
        self.links = links
        self.pages = pages
        self.at_once = at_once
        self.want = want
        self.window = window
        self.unit: SiteUnit = unit  # type: ignore[assignment]
        self.platforms = frozenset([*PLATFORMS, *(name for name in platforms.split(",") if name)])
        self.model = model
        self._classifier = page_classifier(model, centroids)
        self._sites = SiteClassifier(2, 0.45, threshold)
        self._memos = Memos(LinkMemo)
        self._watch = PlatformWatch()
        self._kinds = LinkOrder()
        self._open: dict[str, OpenSite] = {}
        self._known: set[int] = set()
        self._homes: dict[int, str] = {}
        self._relevant: list[int] = []
        self._other = 0
        self._found: list[int] = []
        self._closed: list[str] = []
        self._rows: dict[str, SiteRow] = {}
        self._pages: list[SitePageRow] = []
        self._crawled = 0

    def fit(self, examples: Sequence[tuple[Page, str | None]]) -> Self:
        """Learn the topics from pages of their sites; None marks pages of other sites."""
        sites = [
            site_of(page.url, self.unit, self.platforms) if "://" in page.url else page.url for page, _ in examples
        ]
        self._classifier.fit(examples, sites)
        self._sites = SiteClassifier(len(self._classifier.classes_), self._classifier.error_, self.threshold)
        self._relevant = [0] * (len(self._classifier.classes_) - 1)
        return self

    @property
    def site_classifier(self) -> SiteClassifier:
        """What judges sites by their pages."""
        return self._sites

    @property
    def topics(self) -> Sequence[str]:
        """The topics that sites are looked for, in the order of confidences."""
        return self._classifier.classes_[:-1]

    def read(self, page: Page, judgement: Judgement | None) -> SiteReading:
        """Return what the page says of its site, and the kinds of its links."""
        if not self._classifier.classes_:
            raise no_examples("websites")
        host = host_of(page.url)
        own = [place for place, link in enumerate(page.links) if host_of(link.url) == host][:INNER]
        kinds = tokens_of(page, [page.links[place] for place in own]) if self.order == "learned" else []
        return SiteReading(
            [round(share, 4) for share in self._classifier.confidences(page.terms).tolist()],
            len(page.terms),
            int.from_bytes(page.digest[:6], "big"),
            dict(zip(own, kinds, strict=False)),
        )

    def rank(self, reading: Reading[SiteReading], view: View) -> Iterable[Candidate]:
        """Judge the site of a page, and let its other pages and the sites it links to wait."""
        candidate, said = reading.candidate, reading.features
        self._crawled = view.pages()
        if candidate.depth < 0:
            return self._starts(reading)
        if said is None:
            return []
        site = self._entered(candidate, said) if candidate.queue == SITES else self._open.get(candidate.queue)
        if site is None:
            return []
        found = self._links(reading, site)
        self._judge(site, candidate, said, [target for target, _ in found.outer])
        return self._offers(site, reading, said, found)

    def merge(self, waiting: Candidate, new: Candidate) -> Candidate:
        """Return the waiting candidate with what both links say of it."""
        before, after = self._memos.of(waiting), self._memos.of(new)
        if before is None or after is None or waiting.queue != new.queue:
            return waiting
        known = joined(before, after, self.edges)
        price = (rank(known, self.edges),) if waiting.queue == SITES else self._inner_price(known, waiting.depth)
        if waiting.priority >= (AT_ONCE,):
            price = waiting.priority
        return Candidate(
            url=waiting.url,
            priority=price,
            queue=waiting.queue,
            depth=waiting.depth,
            parent=waiting.parent,
            anchor=waiting.anchor,
            memo=self._memos.write(known),
            hops=waiting.hops,
        )

    def choose(self, ready: Sequence[str], view: View) -> str | None:
        """Go on with an open site; open another where there is room; else wait."""
        under_way = view.under_way()
        # What a page says decides whether another of its site is wanted.
        inner = next((queue for queue in ready if queue != SITES and queue not in under_way), None)
        if inner is not None:
            return inner
        if SITES not in ready:
            return None
        opening = under_way.get(SITES, 0)
        if len(self._open) + opening >= self.at_once:
            self._leave_exhausted(view)
        return SITES if len(self._open) + opening < self.at_once else None

    def clear_queues(self, view: View) -> Iterable[str]:
        """Return the queues of sites that were left."""
        closed, self._closed = self._closed, []
        return closed

    def missed(self, candidate: Candidate, reason: Reason) -> Iterable[Candidate]:
        """Return the page that a site is entered by in place of its home page, where that failed."""
        memo = self._memos.of(candidate)
        if candidate.queue != SITES or memo is None or not memo.entry:
            return []
        entered = LinkMemo(sources=memo.sources, rest=memo.rest)
        return [
            Candidate(
                url=memo.entry,
                priority=candidate.priority,
                queue=SITES,
                depth=candidate.depth,
                parent=candidate.parent,
                anchor=candidate.anchor,
                memo=self._memos.write(entered),
            )
        ]

    def ended(self) -> str:
        """Return why the crawl is over, `wanted` or `dearer`; empty if it continues."""
        if self.want and len(self._found) >= self.want:
            return "wanted"
        return "dearer" if self.window and costs_rise(self._found, self._crawled, self.window) else ""

    def site_changes(self, view: View) -> SiteChanges:
        """Return the sites and pages that changed since the last call; sites without further pages are left first."""
        self._leave_exhausted(view)
        changes = SiteChanges(list(self._rows.values()), self._pages)
        self._rows, self._pages = {}, []
        return changes

    def site_counts(self) -> tuple[int, int, int]:
        """Return how many sites were decided, how many of them are relevant, and how many are open."""
        return len(self._found) + self._other, len(self._found), len(self._open)

    def recall(self, sites: Iterable[SiteRow], pages: Mapping[str, Sequence[SitePageRow]]) -> None:
        """Go on from what is stored: all sites of the crawl, and the pages of those that are open."""
        for row in sites:
            self._known.add(_number(row.site))
            if row.state is SiteState.OPEN:
                self._reopen(row, pages.get(row.site, ()))
            else:
                self._count(row)
        self._found.sort()

    def judged_again(
        self, row: SiteRow, pages: Sequence[tuple[SitePageRow, Mapping[str, int]]]
    ) -> tuple[SiteRow, list[SitePageRow]]:
        """Return a decided site and its pages as this strategy judges them, from the stems of the pages."""
        site = OpenSite(name=row.site, home=row.home, evidence=self._nothing())
        told: list[SitePageRow] = []
        for page, terms in pages:
            speaks = len(terms) >= TEXT
            shares = self._classifier.confidences(terms).tolist() if speaks else []
            site.add(self._sites.evidence(shares) if speaks else None, (), 0.0)
            site.posterior = self._posterior(site)
            told.append(site.page_row(page.url, shares))
        if not site.posterior:
            return row, []
        return site.row(self.topics, row.end or SiteEnd.NO_PAGES, row.found), told

    def state(self) -> dict[str, Any]:
        """Return what was learned on the way, beside the sites, which the store has."""
        return {"kinds": self._kinds.state(), "platforms": self._watch.state()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self._kinds.restore(state["kinds"])
        self._watch.restore(state["platforms"])

    def account(self, candidate: Candidate) -> list[tuple[str, float, float]]:
        """Return what a candidate's score is made of."""
        memo = self._memos.of(candidate) if self._memos.fits(candidate) else None
        if memo is None:
            return [("start site", START, START)] if candidate.priority == (START,) else []
        if candidate.queue == SITES:
            number = len(memo.sources) + memo.rest[1]
            sites = "1 site that links" if number == 1 else f"{number} sites that link"
            value = rank(memo, self.edges)
            return [(f"{self.edges} weight of {sites} to it, in the mean", value, value)]
        worth = memo.worth / max(1, memo.links)
        if self.order == "learned":
            score = self._kinds.score(memo.tokens)
            return [
                ("what links of its kind led to", score, score),
                ("clarity of the pages that link to it", worth, worth),
            ]
        return [("clarity of the pages that link to it", worth, worth)]

    def _site(self, url: str) -> str:
        host = host_of(url)
        if self.unit == "auto" and host in self._watch.shared:
            return site_of(url, "auto", (host,))
        return site_of(url, self.unit, self.platforms)

    def _starts(self, reading: Reading[SiteReading]) -> Iterator[Candidate]:
        """Yield the home pages of the start sites."""
        for name, link in {self._site(link.url): link for link in reading.links}.items():
            home = home_of(link.url, name)
            entry = link.url if link.url != home and len(link.url) <= LONGEST_ENTRY else ""
            yield Candidate(
                url=home, priority=(START,), queue=SITES, depth=0, memo=self._memos.write(LinkMemo(entry=entry))
            )

    def _entered(self, candidate: Candidate, said: SiteReading) -> OpenSite | None:
        """Open the site of a home page; None if it is known, or the same as another."""
        name = self._site(candidate.url)
        number = _number(name)
        if number in self._known:
            return None
        self._known.add(number)
        if said.stems >= TEXT and is_home(candidate.url, name):
            first = self._homes.setdefault(said.text, name)
            if first != name:
                self._rows[name] = SiteRow(
                    site=name, home=candidate.url, state=SiteState.SAME, end=SiteEnd.SAME_HOME, pages=1, same_as=first
                )
                return None
            if len(self._homes) > REPEATS:
                del self._homes[next(iter(self._homes))]
        site = OpenSite(name=name, home=candidate.url, evidence=self._nothing(), depth=candidate.depth)
        self._open[name] = site
        return site

    def _links(self, reading: Reading[SiteReading], site: OpenSite) -> "_Links":
        """Part the links of a page into those to its site and those to other sites."""
        if self.unit == "auto":
            host = host_of(reading.candidate.url)
            for link in reading.links:
                self._watch.linked(link.url, host)
        found = _Links([], [])
        for place, link in enumerate(reading.links):
            target = self._site(link.url)
            if target == site.name:
                found.inner.append((place, link))
            elif len(found.outer) < OUTER:
                found.outer.append((target, link))
        return found

    def _judge(self, site: OpenSite, candidate: Candidate, said: SiteReading, outer: Sequence[str]) -> None:
        """Count a page of a site, judge the site, and leave it where enough is known."""
        speaks = said.stems >= TEXT and self._site(candidate.url) == site.name
        memo = self._memos.of(candidate)
        tokens = memo.tokens if memo is not None else ()
        relevance = 1.0 - said.confidences[-1]
        evidence = self._sites.evidence(said.confidences) if speaks else None
        site.add(evidence, tokens, (relevance * len(set(outer)) if speaks else 0.0) + 1.0)
        site.posterior = self._posterior(site)
        self._pages.append(site.page_row(candidate.url, said.confidences if speaks else ()))
        self._rows[site.name] = site.row(self.topics)
        if site.pages >= self.pages:
            self._leave(site, SiteEnd.PAGE_LIMIT)
        elif site.texts and self._sites.is_sure(site.posterior) and site.link_rank() >= self.links:
            self._leave(site, SiteEnd.SURE)

    def _posterior(self, site: OpenSite) -> list[float]:
        return self._sites.posterior(site.evidence, self._sites.prior(self._relevant, self._other))

    def _leave(self, site: OpenSite, end: SiteEnd) -> None:
        """Decide about a site, learn from it and let its queue go."""
        row = site.row(self.topics, end, self._crawled)
        del self._open[site.name]
        self._closed.append(site.name)
        self._rows[site.name] = row
        self._count(row)
        if site.texts:
            self._learn(site)

    def _count(self, row: SiteRow) -> None:
        if row.state is SiteState.RELEVANT and row.topic in self.topics:
            self._relevant[self.topics.index(row.topic)] += 1
            self._found.append(row.found)
        elif row.state is SiteState.IRRELEVANT and row.texts:
            self._other += 1

    def _learn(self, site: OpenSite) -> None:
        """Reward the kinds of links by how clearly the pages behind them spoke for the decision."""
        verdict = max(range(len(site.posterior)), key=lambda number: site.posterior[number])
        most = self._sites.most_evidence
        for tokens, evidence in site.followed:
            if evidence is None:
                self._kinds.learn(tokens, 0.0)
                continue
            other = max(value for number, value in enumerate(evidence) if number != verdict)
            self._kinds.learn(tokens, min(1.0, max(0.0, (evidence[verdict] - other) / most)))

    def _leave_exhausted(self, view: View) -> None:
        """Leave the sites of which nothing waits and nothing is under way."""
        if not self._open:
            return
        waiting, under_way = view.waiting(), view.under_way()
        for site in [site for name, site in self._open.items() if name not in waiting and name not in under_way]:
            self._leave(site, SiteEnd.NO_PAGES)

    def _offers(
        self, site: OpenSite, reading: Reading[SiteReading], said: SiteReading, found: "_Links"
    ) -> Iterator[Candidate]:
        """Yield the pages of a site that is still open, and the sites that it links to."""
        page = reading.candidate
        if site.name in self._open:
            yield from self._inner(site, reading, said, found.inner)
        relevance = 1.0 - said.confidences[-1]
        touched: dict[str, Target] = {}
        for name, link in found.outer:
            if _number(name) in self._known or (len(site.targets) >= MOST_TARGETS and name not in site.targets):
                continue
            if name not in site.targets:
                home = home_of(link.url, name)
                entry = link.url if link.url != home and len(link.url) <= LONGEST_ENTRY else ""
                site.targets[name] = Target(home, entry, link.anchor, page.url, [])
            if name not in touched:
                site.targets[name].pages.append(relevance)
                touched[name] = site.targets[name]
        # What a site is in the end counts for all its links.
        known = touched if site.name in self._open else site.targets
        own = _number(site.name) >> 12
        for target in known.values():
            memo = LinkMemo(sources=(source(own, target.pages, site.relevance()),), entry=target.entry)
            yield Candidate(
                url=target.home,
                priority=(rank(memo, self.edges),),
                queue=SITES,
                depth=site.depth + 1,
                parent=target.parent,
                anchor=target.anchor,
                memo=self._memos.write(memo),
            )

    def _inner(
        self, site: OpenSite, reading: Reading[SiteReading], said: SiteReading, links: Sequence[tuple[int, Link]]
    ) -> Iterator[Candidate]:
        """Yield the pages of a site that a page of it links to."""
        page = reading.candidate
        worth = round(pvariance(said.confidences), 4)
        depth = page.depth + 1
        for place, link in links[:INNER]:
            memo = LinkMemo(worth=worth, links=1, tokens=tuple(said.kinds.get(place, ())))
            price = self._inner_price(memo, depth)
            if not site.texts and (link.tag in _FRAMES or len(links) <= 4):
                price = (price[0] + AT_ONCE,)
            yield Candidate(
                url=link.url,
                priority=price,
                queue=site.name,
                depth=depth,
                parent=page.url,
                anchor=link.anchor,
                memo=self._memos.write(memo),
            )

    def _inner_price(self, memo: LinkMemo, depth: int) -> tuple[float, ...]:
        worth = memo.worth / max(1, memo.links)
        if self.order == "breadth":
            return (-float(depth),)
        return (worth,) if self.order == "variance" else (self._kinds.score(memo.tokens) + worth,)

    def _nothing(self) -> list[float]:
        return [0.0] * len(self._classifier.classes_)

    def _reopen(self, row: SiteRow, pages: Sequence[SitePageRow]) -> None:
        site = OpenSite(name=row.site, home=row.home, evidence=self._nothing())
        for page in pages:
            site.add(self._sites.evidence(page.confidences) if page.confidences else None, (), 1.0)
        site.posterior = self._posterior(site)
        self._open[row.site] = site


def page_classifier(model: str, centroids: int = 8) -> SitePages:
    """Return a classifier of pages by its name; raises ValueError for an unknown one."""
    match model:
        case "naive-bayes" | "svm":
            return LinearPages(model)
        case "centroids" | "calibrated":
            return CentroidClassifier(centroids, calibrated=model == "calibrated")
        case _:
            raise ValueError("model must be naive-bayes, svm, centroids or calibrated")


class _Links(Struct):
    """The links of a page: those to its own site by their places, and those to others by the names of these."""

    inner: list[tuple[int, Link]]
    outer: list[tuple[str, Link]]


def _number(site: str) -> int:
    """Return the number by which a site is remembered; JSON keeps it exact."""
    return xxhash.xxh3_64_intdigest(site.encode()) >> 1
