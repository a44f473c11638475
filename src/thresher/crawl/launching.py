"""Launching: which errands are sent out next, and whose names are looked up before."""

from typing import Final

from thresher.crawl.budget import Pace
from thresher.protocols import Chooses, Clock, Fetcher, Prepares, Strategy, View
from thresher.shard.protocol import Shard
from thresher.shard.values import Errand, Taken

CHOICE: Final = 32
"""Ready queues a strategy may choose from."""


class Launcher:
    """Takes errands from the shard, and has the names of the hosts that come next looked up, now and then."""

    def __init__(
        self, shard: Shard, fetcher: Fetcher, strategy: Strategy, view: View, clock: Clock, pace: Pace
    ) -> None:
        self._shard = shard
        # Asking an object for its abilities takes long, and they do not change.
        self._chooser = strategy if isinstance(strategy, Chooses) else None
        self._prepares = fetcher if isinstance(fetcher, Prepares) else None
        self._view = view
        self._clock = clock
        self._pace = pace
        self._next_names = clock.now()

    def take(self, room: int, left: int | None) -> Taken:
        """Return at most `room` errands where so many pages are `left` of the budget, None for no end."""
        chooser = self._chooser
        taken = self._shard.take(room, budget=left) if chooser is None else self._chosen(chooser, room, left)
        now = self._clock.now()
        if self._prepares is not None and now >= self._next_names:
            self._next_names = now + self._pace.names
            self._prepares.prepare(self._shard.look(ahead=self._pace.ahead).ahead)
        return taken

    def _chosen(self, chooser: Chooses, room: int, left: int | None) -> Taken:
        """Take errands from the queues that a strategy chooses, one by one."""
        room = room if left is None else min(room, left)
        errands: list[Errand] = []
        sitemaps: list[str] = []
        while len(errands) < room and (ready := self._shard.look(ready=CHOICE).ready):
            names = [queue for queue, _ in ready]
            chosen = chooser.choose(names, self._view)
            taken = self._shard.take(1, queues=[chosen if chosen in names else names[0]])
            errands += taken.errands
            sitemaps += taken.sitemaps
        return Taken(errands=errands, opens=self._shard.look().opens, sitemaps=tuple(sitemaps))
