"""The inbox: answers waiting to be handled, in order of arrival."""

from collections.abc import Awaitable, Callable, Sequence

from thresher.crawl.arrivals import Handler
from thresher.crawl.budget import Budget
from thresher.crawl.in_flight import Arrival
from thresher.crawl.journal import Journal
from thresher.crawl.keeping import Context, Offering
from thresher.crawl.outage import HeldBack
from thresher.crawl.progress import Counters
from thresher.crawl.slow_lane import MANY_LINKS, SlowLane
from thresher.protocols import Clock, Strategy, View
from thresher.reading.analysis import Analysis
from thresher.shard.protocol import Shard
from thresher.shard.values import Outcome
from thresher.store.url_records import UrlState
from thresher.types import Candidate


class Inbox:
    """Passes arrivals to the handler one by one; `held` holds back failures while we may be offline.

    `lane` records how long each page took to handle. If a page has very many links, they are offered in slices, one
    before each handful of arrivals; until that is done, the page is not `whole` and must not be committed.
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
        self._offering = Offering(shard)
        self._unfinished: tuple[Arrival, float] | None = None

    def __len__(self) -> int:
        """Return how many arrivals and slices of links are waiting."""
        return len(self._arrived) + len(self._offering.left)

    @property
    def whole(self) -> bool:
        """Whether all links of the pages in the open batch have been offered."""
        return not self._offering.left

    def put(self, arrival: Arrival) -> None:
        """Add an arrival, to be handled by the next `handle`."""
        self._arrived.append(arrival)

    async def handle(self, commit: Callable[[], Awaitable[None]]) -> None:
        """Handle arrivals in order of time, then of URL; `commit` full batches."""
        self._go_on()
        for arrival in self._held.cleared():
            self._handle(arrival, self._clock.now())
        arrivals, self._arrived = sorted(self._arrived, key=_order), []
        now = self._clock.now()
        for arrival in arrivals:
            if self._budget.room(self._counters.pages) == 0:
                # Answers that arrive after the budget is spent count as never fetched.
                break
            if arrival.asked and self._held.holds(arrival):
                continue
            now = self._handle(arrival, now)
            if self.whole and self._journal.ripe(now):
                await commit()
                now = self._clock.now()
        self.give_back(self._held.given_up())

    def take_over(self, candidate: Candidate, analysis: Analysis) -> None:
        """Follow up on a stored page of an earlier crawl as if it had just arrived."""
        self._handler.take_over(candidate, analysis, self._context())
        self._offering.finish()

    def give_back(self, arrivals: Sequence[Arrival]) -> None:
        """Queue again what failed while we were offline."""
        for arrival in arrivals:
            self._shard.settle([Outcome(errand=arrival.errand, state=UrlState.WAITING)])

    def finish(self) -> None:
        """Offer all remaining links."""
        while self._unfinished is not None:
            self._go_on()

    def _handle(self, arrival: Arrival, began: float) -> float:
        """Handle an arrival and return the time at which that was done."""
        analysis = arrival.analysis
        if analysis is not None and len(analysis.links) >= MANY_LINKS:
            self.finish()
            began = self._clock.now()
        waits = len(self._offering.left)
        self._handler.handle(arrival, self._context())
        ended = self._clock.now()
        self._handled(arrival, ended - began, whole=len(self._offering.left) <= waits)
        return ended

    def _go_on(self) -> None:
        """Offer the next slice of links, if one is left."""
        if self._unfinished is None:
            return
        began = self._clock.now()
        self._offering.offer_next()
        arrival, seconds = self._unfinished
        self._handled(arrival, seconds + self._clock.now() - began, whole=self.whole)

    def _handled(self, arrival: Arrival, seconds: float, *, whole: bool) -> None:
        """Charge a page with the seconds it took, once it is whole."""
        if not whole:
            self._unfinished = (arrival, seconds)
            return
        if self._unfinished is not None and self._unfinished[0] is arrival:
            self._unfinished = None
        reading = arrival.analysis.seconds if arrival.analysis is not None else None
        self._lane.handled(arrival.errand.candidate.url, reading, seconds)

    def _context(self) -> Context:
        return Context(self._shard, self._offering, self._strategy, self._view, self._counters, self._journal.batch)


def _order(arrival: Arrival) -> tuple[float, str]:
    return arrival.when, arrival.errand.candidate.url
