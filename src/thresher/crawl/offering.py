"""Offers the links of pages to the shard; very many links are offered in slices, between which the crawl continues."""

from collections import deque
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from thresher.crawl.slow_lane import MANY_LINKS
from thresher.shard.protocol import Shard
from thresher.shard.values import Offer

SLICE: Final = 500
"""Links to offer at once if there are very many: they take about ten milliseconds."""


class Offering:
    """Passes offers on to a shard; `MANY_LINKS` candidates or more are offered in slices, the first one immediately.

    Its length is the number of remaining slices. A page is not committed before all of its links are offered.
    """

    def __init__(self, shard: Shard) -> None:
        self._shard = shard
        self._left: deque[Offer] = deque()

    def __len__(self) -> int:
        return len(self._left)

    def offer(self, offers: Sequence[Offer]) -> None:
        """Offer the candidates of a page."""
        if sum(len(offer.candidates) for offer in offers) < MANY_LINKS:
            self._shard.offer(offers)
            return
        self.finish()
        for offer in offers:
            for start in range(0, len(offer.candidates), SLICE):
                self._left.append(replace(offer, candidates=offer.candidates[start : start + SLICE]))
        self.offer_next()

    def offer_next(self) -> None:
        """Offer the next slice, if one is left."""
        if self._left:
            self._shard.offer([self._left.popleft()])

    def finish(self) -> None:
        """Offer all remaining slices."""
        while self._left:
            self.offer_next()
