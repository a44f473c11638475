"""Decides which scores are worth a page of the budget now, even if other hosts are idle.

With few hosts and many slots, every open host would contribute its best page at once, on topic or not. So under a page
budget, a page is fetched at once only if its score is nearly certain: nine of ten pages with such scores have been
accepted so far. Of the others, only the best are fetched, enough to keep a certain share of the hosts' capacity in use;
the remaining hosts stay idle. That share limits how much longer the crawl takes: with a third of the capacity in use,
three times as long as the fastest possible crawl. The limit applies to the whole run, so slow earlier crawls use up
part of it, but a harvest always keeps half of the time it would have by itself.

Under a time budget, idle slots cost nothing, and only scores at which next to nothing was accepted so far are skipped.
A crawl without a budget fetches everything it may.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import inf
from typing import Final

from msgspec import Struct

from thresher.crawl.budget import Budget
from thresher.shard.protocol import Shard
from thresher.shard.values import PriceClass, Taken
from thresher.types import Priority

SURE: Final = 0.9
"""Share of accepted pages above which a score is nearly certain."""

ENOUGH: Final = 10
"""Minimum number of pages to show this."""

ANSWER: Final = 0.5
"""Assumed duration of a fetch, in seconds."""

ALONE: Final = 1e-9
"""A share of the hosts so small that one host is enough."""

OWN: Final = 0.5
"""Share of its own time limit that a crawl always keeps, however long earlier crawls took."""

EVERY: Final = 16
"""Number of takes between two updates of the statistics."""


class Before(Struct, frozen=True):
    """The pages and seconds of earlier crawls of the same run."""

    pages: int = 0
    seconds: float = 0.0


class Terms(Struct, frozen=True):
    """The terms for taking errands: arguments of `Shard.take`."""

    least: Priority | None = None
    busy: float = 0.0


class Focus:
    """Sets the terms on which errands are taken, and knows what they cost.

    `patience` is how many times as long as the fastest possible crawl this one may take, together with those `before`
    it; with 1 or less, nothing is withheld. `worth` is the share of accepted pages below which a score is nearly
    worthless. `parallel` is the number of parallel fetches. `withheld` counts the hosts that the last take left idle.
    """

    def __init__(
        self,
        shard: Shard,
        budget: Budget,
        *,
        parallel: int = 64,
        patience: float = 3.0,
        worth: float = 0.02,
        before: Before | None = None,
    ) -> None:
        self._shard = shard
        self._budget = budget
        self._parallel = parallel
        self._patience = patience
        self._worth = worth
        self._before = before or Before()
        self._terms = Terms()
        self._takes = 0
        self._earlier: int | None = None
        self._last = 0.0
        self._rates = (0.0, 0.0)
        self._used = 0.0
        self._usable = 0.0
        self.withheld = 0

    def terms(self, pages: int, seconds: float, in_flight: int) -> Terms:
        """Return the terms, given the pages of the crawl, the seconds of the run and the fetches in flight.

        Fetches that take long do not count: hosts that hang must not keep all others idle.
        """
        self._earlier = pages if self._earlier is None else self._earlier
        if self._patience <= 1:
            return self._terms
        due = self._takes % EVERY == 0
        self._takes += 1
        if self._is_short_of_time(pages - self._earlier, seconds):
            if due:
                self._terms = Terms(nearly_worthless(self._shard.look(prices=True).prices, self._worth), ALONE)
        elif self._budget.pages:
            least = as_good_as_sure(self._shard.look(prices=True).prices) if due else self._terms.least
            share = self._share(self._budget.pages - pages, seconds)
            # The number of slots also limits the fastest possible crawl.
            slots = min(self._parallel, self._budget.pages - pages)
            self._terms = Terms(least, share if in_flight < share * slots else 0.0)
        return self._terms

    def _share(self, left: int, seconds: float) -> float:
        """Return the share of the hosts' capacity needed to fetch the remaining pages in time."""
        capacity = min(sum(self._rates), self._parallel / ANSWER)
        if capacity <= 0:
            return 1 / self._patience
        alone = seconds / self.slower + left / capacity
        whole = alone + self._before.pages / capacity
        allowed = max(self._patience * whole - self._before.seconds, OWN * self._patience * alone)
        time = allowed - seconds
        return min(1.0, max(ALONE, left / (time * capacity))) if time > 0 else 1.0

    def took(self, taken: Taken, now: float) -> None:
        """Record the result of the terms, at a time on the clock's `now` scale."""
        used, idle = self._rates
        self._used += used * (now - self._last)
        self._usable += (used + idle) * (now - self._last)
        self._last = now
        self._rates = (taken.used, taken.idle if taken.withheld else 0.0)
        self.withheld = taken.withheld

    @property
    def slower(self) -> float:
        """How many times as long the run takes as the fastest possible one, as far as is known.

        The ratio of the capacity of all hosts to that of the hosts in use.
        """
        return self._usable / self._used if self._used else 1.0

    def _is_short_of_time(self, pages: int, seconds: float) -> bool:
        """Return whether the time limit will be reached before the page budget."""
        budget = self._budget
        if not budget.seconds or not budget.pages:
            return bool(budget.seconds)
        left = budget.pages - (self._earlier or 0) - pages
        return pages * (budget.seconds - seconds) < left * seconds


def as_good_as_sure(prices: Sequence[PriceClass]) -> Priority:
    """Return the score above which pages are nearly certain to be accepted; inf if there is none.

    `prices` has the score classes from best to worst. A higher score is never worse than a lower one, so pages with a
    lower acceptance rate than those at lower scores are pooled with them (isotonic regression).

    >>> as_good_as_sure([PriceClass(6.0, 30, 29), PriceClass(5.0, 8, 8), PriceClass(4.0, 8, 3), PriceClass(3.0, 9, 9)])
    (6.0,)
    >>> as_good_as_sure([PriceClass(6.0, 10, 8), PriceClass(5.0, 40, 39)])
    (5.0,)
    >>> as_good_as_sure([])
    (inf,)
    """
    blocks: list[PriceClass] = []
    for group in _groups(prices):
        block = group
        while blocks and blocks[-1].accepted * block.fetched < block.accepted * blocks[-1].fetched:
            block = _added(blocks.pop(), block)
        blocks.append(block)
    return (min((block.lowest for block in blocks if block.accepted >= SURE * block.fetched), default=inf),)


def _groups(prices: Sequence[PriceClass]) -> Iterator[PriceClass]:
    """Yield groups of adjacent scores with enough pages; the last incomplete group is left out."""
    group = PriceClass(inf)
    for price in prices:
        group = _added(group, price)
        if group.fetched >= ENOUGH:
            yield group
            group = PriceClass(inf)


def _added(higher: PriceClass, lower: PriceClass) -> PriceClass:
    return PriceClass(lower.lowest, higher.fetched + lower.fetched, higher.accepted + lower.accepted)


def nearly_worthless(prices: Sequence[PriceClass], worth: float) -> Priority | None:
    """Return the score below which less than the share `worth` of the pages was accepted; None if there is none.

    Pages are counted from the lowest score upward, plus one accepted and one rejected page.

    >>> nearly_worthless([PriceClass(2.0, 10, 9), PriceClass(1.0), PriceClass(-3.0, 99, 0)], 0.02)
    (1.0,)
    """
    fetched = accepted = 0
    floor: Priority | None = None
    upward = [*reversed(prices), PriceClass(inf)]
    for price, next_price in pairwise(upward):
        fetched += price.fetched
        accepted += price.accepted
        if price.fetched and accepted + 1 < worth * (fetched + 2):
            floor = (next_price.lowest,)
    return floor
