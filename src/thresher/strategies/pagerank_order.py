"""PageRank order: the URL with the highest PageRank in the graph crawled so far comes first.

The graph consists of the portal's pages and their links. It is not saved: after a stop it is read from the portal
again.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import xxhash

from thresher.graph.incremental_pagerank import IncrementalPageRank
from thresher.protocols import View
from thresher.strategies.children import children
from thresher.types import Candidate, Judgement, ParsedPage, PriceMeaning, Reading

START: Final = 1e9
"""The score of start pages, which come first."""

_BATCH: Final = 500
_MOVED: Final = 1e-3


class PageRankOrder:
    """Scores a URL by its PageRank among the pages fetched so far; a page without in-links has 1.

    `damping` is the probability of following a link. Every `reorder_every` pages the best `reprice` URLs are scored
    again. The links of the newest `remember` pages count.
    """

    prices: PriceMeaning = "nothing"

    def __init__(
        self, damping: float = 0.8, reorder_every: int = 25, reprice: int = 1000, remember: int = 50_000
    ) -> None:
        if reorder_every < 1 or reprice < 0:
            raise ValueError("reorder_every must be at least 1 and reprice not negative")
        self.damping = damping
        self.reorder_every = reorder_every
        self.reprice = reprice
        self.remember = remember
        self._ranks = IncrementalPageRank(damping, most=remember)
        self._begun = False

    def read(self, page: ParsedPage, judgement: Judgement | None) -> None:
        """Read nothing: only links matter."""

    def rank(self, reading: Reading[None], view: View) -> Iterable[Candidate]:
        """Add the page to the graph and score its link targets."""
        if reading.candidate.depth < 0:
            return children(reading, ((link, START) for link in reading.links))
        self._begin(view)
        targets = [_number(link.url) for link in reading.links]
        if reading.candidate.url:
            self._ranks.add(_number(reading.candidate.url), targets)
        priced = zip(reading.links, map(self._ranks.rank, targets), strict=True)
        return children(reading, priced)

    def reorder(self, view: View) -> Iterator[tuple[str, tuple[float, ...]]]:
        """Rescore the best waiting URLs whose ranks have risen."""
        self._begin(view)
        for candidate in view.best(self.reprice):
            rank = self._ranks.rank(_number(candidate.url))
            if candidate.priority[0] < START and rank > candidate.priority[0] * (1.0 + _MOVED):
                yield candidate.url, (rank,)

    def account(self, candidate: Candidate) -> list[tuple[str, float, float]]:
        """Return the PageRank at the last scoring, which is the score."""
        price = candidate.priority[0]
        return [("start page" if price >= START else "PageRank among the pages fetched", price, price)]

    def _begin(self, view: View) -> None:
        """Add the portal's existing pages when the crawl starts or resumes."""
        if self._begun:
            return
        self._begun = True
        known = list(view.known.urls())[-self.remember :]
        for start in range(0, len(known), _BATCH):
            for url, targets in view.known.outlinks(known[start : start + _BATCH]).items():
                self._ranks.add(_number(url), [_number(target) for target in targets])


def _number(url: str) -> int:
    return xxhash.xxh3_64_intdigest(url.encode())
