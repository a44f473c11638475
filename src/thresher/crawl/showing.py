"""Showing: how far a crawl is, for the store and for whoever watches."""

from collections.abc import Callable

from msgspec.structs import replace

from thresher.crawl.counters import Counters
from thresher.crawl.in_flight import InFlight
from thresher.crawl.journal import Journal
from thresher.crawl.outage import Outage
from thresher.protocols import Clock
from thresher.shard.protocol import Shard
from thresher.store.records import CrawlState, EventRow, Progress

OFFLINE = "No host can be reached: is the network down? The crawl goes on when it is back."


class Showing:
    """Tells how far a crawl is; calls `on_progress`, where there is one, at most `every` so many seconds."""

    def __init__(
        self,
        clock: Clock,
        counters: Counters,
        shard: Shard,
        flight: InFlight,
        journal: Journal,
        outage: Outage,
        on_progress: Callable[[Progress], None] | None,
        every: float,
    ) -> None:
        self._clock = clock
        self._counters = counters
        self._shard = shard
        self._flight = flight
        self._journal = journal
        self._outage = outage
        self._on_progress = on_progress
        self._every = every
        self._due = clock.now()

    def progress(self, state: CrawlState = CrawlState.RUNNING, because: str = "") -> Progress:
        """Return how far the crawl is."""
        seen = self._shard.look()
        return self._counters.progress(
            self._clock.now(),
            queued=seen.waiting + len(self._flight),
            in_flight=len(self._flight) + self._journal.uncommitted() if state is CrawlState.RUNNING else 0,
            refused=seen.refused,
            cut=seen.cut,
            state=state,
            because=because,
        )

    def show(self, message: str = "", *, held: bool = False, news: EventRow | None = None) -> None:
        """Show how far it is, where it is time or there is something to say; a crawl that is `held` is paused."""
        if self._on_progress is None or not (message or news or self._clock.now() >= self._due):
            return
        self._due = self._clock.now() + self._every
        message = message or (OFFLINE if self._outage.offline else "")
        progress = self.progress(CrawlState.PAUSED if held or message else CrawlState.RUNNING, message)
        self._on_progress(replace(progress, news=news))
