"""Strategies that ignore topics: the baselines for every focused strategy.

With L hops from the seeds, breadth-first scores a link 1/L and depth-first L, counting the seeds' links as one hop;
random draws a number for each URL, which depends on the seed.
"""

from collections.abc import Iterable

import xxhash

from thresher.protocols import View
from thresher.strategies.children import children
from thresher.types import Candidate, Judgement, ParsedPage, PriceMeaning, Reading


class BreadthFirst:
    """Fetches pages in the order of their distance from the seeds."""

    prices: PriceMeaning = "nothing"

    def read(self, page: ParsedPage, judgement: Judgement | None) -> None:
        """Read nothing: only the depth matters."""

    def rank(self, reading: Reading[None], view: View) -> Iterable[Candidate]:
        """Score every link by the inverse of its distance."""
        priority = (1.0 / (reading.candidate.depth + 2),)
        return children(reading, ((link, priority) for link in reading.links))


class DepthFirst:
    """Follows each path to its end before trying the next."""

    prices: PriceMeaning = "nothing"

    def read(self, page: ParsedPage, judgement: Judgement | None) -> None:
        """Read nothing: only the depth matters."""

    def rank(self, reading: Reading[None], view: View) -> Iterable[Candidate]:
        """Score every link by its distance."""
        priority = (reading.candidate.depth + 2.0,)
        return children(reading, ((link, priority) for link in reading.links))


class Random:
    """Fetches waiting pages in random order; `seed` changes the draw."""

    prices: PriceMeaning = "nothing"

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def read(self, page: ParsedPage, judgement: Judgement | None) -> None:
        """Read nothing: only the URL matters."""

    def rank(self, reading: Reading[None], view: View) -> Iterable[Candidate]:
        """Score every link by a number that depends only on its URL and the seed."""
        return children(reading, ((link, (self._lot(link.url),)) for link in reading.links))

    def _lot(self, url: str) -> float:
        return xxhash.xxh3_64_intdigest(url.encode(), seed=self.seed & 0xFFFFFFFF) / 2**64
