"""The inbox: what has come back and waits to be handled, in order of arrival."""

from collections.abc import Awaitable, Callable, Sequence

from thresher.crawl.arrivals import Handler
from thresher.crawl.budget import Budget
from thresher.crawl.in_flight import Arrival
from thresher.crawl.journal import Journal
from thresher.crawl.keeping import Context
from thresher.crawl.outage import HeldBack
from thresher.crawl.progress import Counters
from thresher.crawl.slow_lane import SlowLane
from thresher.protocols import Clock, Strategy, View
from thresher.reading.analysis import Analysis
from thresher.shard.protocol import Shard
from thresher.shard.values import Outcome
from thresher.store.url_records import UrlState
from thresher.types import Candidate


class Inbox:
    """Hands arrivals to the handler one by one; `held` keeps back those that failed while we may be offline.

    `lane` is told how long each page took to handle.
    """

    def __init__(
        self,
        handler: Handler,
        held: HeldBack,
        lane: SlowLane,
        budget: Budget,
        *,
        shard: Shard,
        strategy: Strategy,
        view: View,
        counters: Counters,
        journal: Journal,
        clock: Clock,
    ) -> None:
        self._handler = handler
        self._held = held
        self._lane = lane
        self._budget = budget
        self._shard = shard
        self._strategy = strategy
        self._view = view
        self._counters = counters
        self._journal = journal
        self._clock = clock
        self._arrived: list[Arrival] = []

    def __len__(self) -> int:
        return len(self._arrived)

    def put(self, arrival: Arrival) -> None:
        """Add an arrival, to be handled with the next."""
        self._arrived.append(arrival)

    async def handle(self, commit: Callable[[], Awaitable[None]]) -> None:
        """Handle what has arrived in order of arrival, at the same moment in order of URL; `commit` full batches."""
        for arrival in self._held.cleared():
            self._handle(arrival)
        arrivals, self._arrived = sorted(self._arrived, key=Arrival.order), []
        for arrival in arrivals:
            if self._budget.room(self._counters.pages) == 0:
                # What arrives after the budget is spent counts as never fetched.
                break
            if arrival.asked and self._held.holds(arrival):
                continue
            self._handle(arrival)
            if self._journal.ripe():
                await commit()
        self.give_back(self._held.given_up())

    def take_over(self, candidate: Candidate, analysis: Analysis) -> None:
        """Follow up on a stored page of an earlier crawl as if it had just arrived."""
        self._handler.take_over(candidate, analysis, self._context())

    def give_back(self, arrivals: Sequence[Arrival]) -> None:
        """Queue again what failed while we were offline."""
        for arrival in arrivals:
            self._shard.settle([Outcome(errand=arrival.errand, state=UrlState.WAITING)])

    def _handle(self, arrival: Arrival) -> None:
        began = self._clock.now()
        self._handler.handle(arrival, self._context())
        reading = arrival.analysis.seconds if arrival.analysis is not None else None
        self._lane.handled(arrival.errand.candidate.url, reading, self._clock.now() - began)

    def _context(self) -> Context:
        return Context(self._shard, self._strategy, self._view, self._counters, self._journal.batch)
