"""Chooses the errands to send out next, and looks up host names ahead of time."""

from typing import Final

from msgspec.structs import replace

from thresher.crawl.budget import Pace
from thresher.crawl.focus import Focus
from thresher.protocols import Chooses, Clock, Fetcher, Prepares, Strategy, View
from thresher.shard.protocol import Shard
from thresher.shard.values import Errand, Taken

CHOICE: Final = 32
"""Number of ready queues a strategy may choose from."""

LONGEST: Final = 5.0
"""Seconds that a choosy crawl waits for a better page before it takes another."""


class Launcher:
    """Takes errands from the shard and, now and then, looks up the names of the hosts that come next.

    `focus` decides which scores are worth fetching, unless the strategy chooses queues itself. If the pace is `choosy`,
    pages that are not among the best are not taken while the hosts of the best ones rest; after a few seconds without
    any, one is taken anyway.
    """

    def __init__(
        self,
        shard: Shard,
        fetcher: Fetcher,
        strategy: Strategy,
        view: View,
        clock: Clock,
        pace: Pace,
        focus: Focus | None = None,
    ) -> None:
        self._shard = shard
        # Protocol checks are slow, and their results do not change.
        self._chooser = strategy if isinstance(strategy, Chooses) else None
        self._prepares = fetcher if isinstance(fetcher, Prepares) else None
        self._view = view
        self._clock = clock
        self._pace = pace
        self._focus = focus
        self._began = self._next_names = self._last = clock.now()

    def take(self, room: int, left: int | None, in_flight: int) -> Taken:
        """Return at most `room` errands, given `left` remaining pages in the budget (None for no limit).

        `in_flight` is how many are under way, without those that take long.
        """
        now = self._clock.now()
        if self._chooser is not None:
            taken = self._chosen(self._chooser, room, left)
        elif self._pace.choosy:
            taken = self._best(room, left, in_flight, now)
        elif self._focus is not None:
            terms = self._focus.terms(self._view.pages(), now - self._began, in_flight)
            taken = self._shard.take(room, least=terms.least, busy=terms.busy, budget=left)
            self._focus.took(taken, now)
        else:
            taken = self._shard.take(room, budget=left)
        if self._prepares is not None and now >= self._next_names:
            self._next_names = now + self._pace.names
            self._prepares.prepare(self._shard.look(ahead=self._pace.ahead).ahead)
        return taken

    def _best(self, room: int, left: int | None, in_flight: int, now: float) -> Taken:
        """Take errands that are among the best of all waiting, up to the number of parallel fetches."""
        sitemaps: list[str] = []
        while True:
            seen = self._shard.look(best=self._pace.parallel)
            least = min((candidate.priority for candidate in seen.best), default=None)
            taken = self._shard.take(room, least=least, budget=left)
            sitemaps += taken.sitemaps
            # The best may be refused when taken; then others are the best.
            if taken.errands or self._shard.look().waiting == seen.waiting:
                break
        nothing_comes = taken.opens is None and not in_flight
        if not taken.errands and (nothing_comes or now - self._last >= LONGEST):
            taken = self._shard.take(1, budget=left)
            sitemaps += taken.sitemaps
        if taken.errands:
            self._last = now
        return replace(taken, sitemaps=tuple(sitemaps))

    def _chosen(self, chooser: Chooses, room: int, left: int | None) -> Taken:
        """Take errands from the queues that a strategy chooses, one by one."""
        room = room if left is None else min(room, left)
        errands: list[Errand] = []
        sitemaps: list[str] = []
        while len(errands) < room and (ready := self._shard.look(ready=CHOICE).ready):
            names = [queue for queue, _ in ready]
            chosen = chooser.choose(names, self._view)
            if chosen is None:
                break
            taken = self._shard.take(1, queues=[chosen if chosen in names else names[0]])
            errands += taken.errands
            sitemaps += taken.sitemaps
        return Taken(errands=errands, opens=self._shard.look().opens, sitemaps=tuple(sitemaps))
