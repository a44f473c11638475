"""The queues of a crawl for websites: home pages waiting to be opened, and the other pages of each open site.

Sites are scored by the links of the sites examined before (`site_links.py`), pages of a site by the chosen order.
"""

from collections.abc import Iterator, Mapping, Sequence
from statistics import pvariance
from typing import Final, Literal

from msgspec import Struct

from thresher.strategies.memos import Memos
from thresher.strategies.websites.examined_sites import ExaminedSites, site_number
from thresher.strategies.websites.open_site import MOST_TARGETS, Hub, LinkedSite, OpenSite
from thresher.strategies.websites.site_links import LONGEST_ENTRY, EdgeWeight, LinkMemo, joined, rank, source
from thresher.types import Candidate, Link
from thresher.web.site_names import home_of

Order = Literal["learned", "variance", "breadth"]

SITES: Final = ""
"""The queue of the sites waiting to be opened."""

START: Final = 10.0
"""The score of start sites, which come first."""

AT_ONCE: Final = 10.0
"""Bonus for pages that must be read before a site can be judged: frames, or pages behind a splash page."""

COLLECTING: Final = 20.0
"""Bonus for pages read for their links to other sites, after their site has turned out to be relevant."""

INNER: Final = 60
OUTER: Final = 200
"""Maximum number of links followed from a page, to its own site and to others."""

_FRAMES: Final = ("frame", "iframe")


class PageLinks(Struct):
    """The links of a page: those to its own site with their tokens, and those to other sites by site name."""

    inner: list[tuple[tuple[int, ...], Link]]
    outer: list[tuple[str, Link]]


class SiteQueues:
    """Creates and scores the candidates of a crawl for websites.

    `sites` are the sites examined so far, `edges` is the weight of links between sites, smoothed by `smoothing` more,
    and `order` the order in which the pages of a site are read. With `collect`, once a site has turned out to be
    relevant, pages that probably link to other sites come first.
    """

    def __init__(
        self,
        sites: ExaminedSites,
        edges: EdgeWeight = "combined",
        order: Order = "learned",
        smoothing: float = 2.0,
        collect: bool = True,
    ) -> None:
        self.sites = sites
        self.edges = edges
        self.order = order
        self.smoothing = smoothing
        self.collect = collect
        self._memos = Memos(LinkMemo)

    def starts(self, links: Sequence[Link]) -> Iterator[Candidate]:
        """Yield the home pages of the start sites."""
        for name, link in {self.sites.names.of(link.url): link for link in links}.items():
            home = home_of(link.url, name)
            entry = link.url if link.url != home and len(link.url) <= LONGEST_ENTRY else ""
            yield Candidate(
                url=home, priority=(START,), queue=SITES, depth=0, memo=self._memos.write(LinkMemo(entry=entry))
            )

    def offers(
        self, site: OpenSite, page: Candidate, confidences: Sequence[float], found: PageLinks
    ) -> Iterator[Candidate]:
        """Yield the pages of a site that is still open, and the sites it links to."""
        if site.name in self.sites.open:
            yield from self._inner(site, page, confidences, found.inner)
        relevance = round(1.0 - confidences[-1], 4)
        touched: dict[str, LinkedSite] = {}
        for name, link in found.outer:
            if self.sites.is_known(name) or (len(site.targets) >= MOST_TARGETS and name not in site.targets):
                continue
            if name not in site.targets:
                home = home_of(link.url, name)
                entry = link.url if link.url != home and len(link.url) <= LONGEST_ENTRY else ""
                site.targets[name] = LinkedSite(home, entry, link.anchor, page.url, [])
            if name not in touched:
                site.targets[name].pages.append(relevance)
                touched[name] = site.targets[name]
        # The final judgement of a site counts for all its links.
        yield from self._outer(site, touched if site.name in self.sites.open else site.targets)

    def late_offers(self) -> Iterator[Candidate]:
        """Yield the sites that exhausted sites link to, weighted by the verdicts on these."""
        for site in self.sites.exhausted():
            unknown = {name: target for name, target in site.targets.items() if not self.sites.is_known(name)}
            yield from self._outer(site, unknown)

    def merge(self, waiting: Candidate, new: Candidate) -> Candidate:
        """Return the waiting candidate with what is known from both links."""
        before, after = self._memos.of(waiting), self._memos.of(new)
        if before is None or after is None or waiting.queue != new.queue:
            return waiting
        known = joined(before, after, self.edges)
        price = (self._rank(known),) if waiting.queue == SITES else self._inner_price(known, waiting.depth)
        if max(waiting.priority, new.priority) >= (AT_ONCE,):
            price = max(waiting.priority, new.priority)
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

    def missed(self, candidate: Candidate) -> list[Candidate]:
        """Return the page to enter a site by if its home page failed."""
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

    def tokens_of(self, candidate: Candidate) -> tuple[int, ...]:
        """Return the tokens of the link that led to a candidate; empty if unknown."""
        memo = self._memos.of(candidate)
        return memo.tokens if memo is not None else ()

    def account(self, candidate: Candidate) -> list[tuple[str, float, float]]:
        """Return the parts of a candidate's score."""
        memo = self._memos.of(candidate) if self._memos.fits(candidate) else None
        if memo is None:
            return [("start site", START, START)] if candidate.priority == (START,) else []
        if candidate.queue == SITES:
            number = len(memo.sources) + memo.rest[1]
            sites = "1 site that links" if number == 1 else f"{number} sites that link"
            value = self._rank(memo)
            return [(f"{self.edges} weight of {sites} to it, in the mean", value, value)]
        worth = memo.worth / max(1, memo.links)
        if self.order == "learned":
            score = self.sites.kinds.score(memo.tokens)
            return [
                ("what links of its kind led to", score, score),
                ("clarity of the pages that link to it", worth, worth),
            ]
        return [("clarity of the pages that link to it", worth, worth)]

    def _inner(
        self,
        site: OpenSite,
        page: Candidate,
        confidences: Sequence[float],
        links: Sequence[tuple[tuple[int, ...], Link]],
    ) -> Iterator[Candidate]:
        """Yield the pages of a site that one of its pages links to."""
        worth = round(pvariance(confidences), 4)
        depth = page.depth + 1
        site.hubs = [hub for hub in site.hubs if hub.url != page.url]
        collects = self.collect and self.sites.is_collecting(site)
        if collects:
            yield from self._hubs(site, page)
        for tokens, link in links[:INNER]:
            memo = LinkMemo(worth=worth, links=1, tokens=tokens)
            price = self._inner_price(memo, depth)
            if collects:
                price = (COLLECTING + self.sites.kinds.hub_score(tokens),)
            elif not site.texts and (link.tag in _FRAMES or len(links) <= 4):
                price = (price[0] + AT_ONCE,)
            elif self.collect and link.url != page.url:
                site.remember_hub(Hub(self.sites.kinds.hub_score(tokens), link.url, depth, tokens))
            yield Candidate(
                url=link.url,
                priority=price,
                queue=site.name,
                depth=depth,
                parent=page.url,
                anchor=link.anchor,
                memo=self._memos.write(memo),
            )

    def _hubs(self, site: OpenSite, page: Candidate) -> Iterator[Candidate]:
        """Yield once more the waiting pages of a site that probably link to others, so that they are read next."""
        hubs, site.hubs = site.hubs, []
        for hub in hubs:
            yield Candidate(
                url=hub.url,
                priority=(COLLECTING + hub.score,),
                queue=site.name,
                depth=hub.depth,
                parent=page.url,
                memo=self._memos.write(LinkMemo(links=1, tokens=hub.tokens)),
            )

    def _outer(self, site: OpenSite, targets: Mapping[str, LinkedSite]) -> Iterator[Candidate]:
        """Yield the home pages of sites that a site links to, weighted by what is known about it."""
        own = site_number(site.name) >> 12
        for target in targets.values():
            memo = LinkMemo(sources=(source(own, target.pages, site.relevance()),), entry=target.entry)
            yield Candidate(
                url=target.home,
                priority=(self._rank(memo),),
                queue=SITES,
                depth=site.depth + 1,
                parent=target.parent,
                anchor=target.anchor,
                memo=self._memos.write(memo),
            )

    def _rank(self, memo: LinkMemo) -> float:
        return rank(memo, self.edges, self.smoothing)

    def _inner_price(self, memo: LinkMemo, depth: int) -> tuple[float, ...]:
        worth = memo.worth / max(1, memo.links)
        if self.order == "breadth":
            return (-float(depth),)
        return (worth,) if self.order == "variance" else (self.sites.kinds.score(memo.tokens) + worth,)
