"""The engine: the one loop that crawls.

It takes errands from the shard, sends them to the fetcher and the analyser, and hands what comes back to the strategy,
the shard and the store. It decides nothing about topics, order or manners.
"""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import Final

from thresher.crawl.arrivals import Arrival, Handler
from thresher.crawl.budget import Budget, Stop
from thresher.crawl.carrier import Carrier
from thresher.crawl.counters import Counters
from thresher.crawl.doubt import Doubt
from thresher.crawl.in_flight import InFlight
from thresher.crawl.journal import Journal
from thresher.crawl.keeping import Desk
from thresher.crawl.opening import Opening
from thresher.crawl.pace import Pace
from thresher.crawl.phases.predecessor import Predecessor
from thresher.crawl.phases.schooling import BROKEN_OFF, RETRAINED, Schooling
from thresher.crawl.reordering import Reordering
from thresher.crawl.requests import Requests
from thresher.crawl.showing import Showing
from thresher.crawl.view import CrawlView
from thresher.crawl.writer import Writer
from thresher.errors import PortalFull
from thresher.protocols import Chooses, Clock, Consults, Fetcher, Prepares, Strategy, TermScorer
from thresher.reading.analysis import Analyser, Analysis
from thresher.reasons import Reason
from thresher.shard.protocol import Shard
from thresher.shard.values import Errand, Outcome
from thresher.store.protocol import Store
from thresher.store.records import CrawlRow, CrawlState, Progress
from thresher.store.request_records import (
    AddUrl,
    Command,
    ContinueCrawl,
    PauseCrawl,
    Reply,
    Result,
    StopCrawl,
    UnknownCommand,
)
from thresher.store.url_records import UrlRow, UrlState
from thresher.types import Candidate, Link
from thresher.web.urls import canonical

CHOICE: Final = 32
"""Ready queues a strategy may choose from."""


class Engine:
    """Crawls until a budget is spent, nothing is left, or it is told to stop."""

    def __init__(
        self,
        *,
        store: Store,
        crawl: CrawlRow,
        shard: Shard,
        fetcher: Fetcher,
        analyser: Analyser,
        strategy: Strategy,
        journal: Journal,
        writer: Writer,
        clock: Clock,
        budget: Budget | None = None,
        pace: Pace | None = None,
        handler: Handler | None = None,
        schooling: Schooling | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> None:
        self._store = store
        self._crawl = crawl
        self._shard = shard
        self._fetcher = fetcher
        self._analyser = analyser
        self._strategy = strategy
        # Asking an object for its abilities takes long, and they do not change.
        self._chooser = strategy if isinstance(strategy, Chooses) else None
        self._journal = journal
        self._writer = writer
        self._clock = clock
        self._budget = budget or Budget()
        self._pace = pace or Pace()
        self._schooling = schooling
        self._on_progress = on_progress
        self._handler = handler or Handler()
        self._carrier = Carrier(fetcher, analyser)
        self._doubt = Doubt(fetcher)
        self._arrived: list[Arrival] = []
        self._wake = asyncio.Event()
        paced = self._pace
        self._flight = InFlight(clock, self._wake.set, parallel=paced.parallel, patience=paced.patience)
        self._full_house = False
        self._stop: Stop | None = None
        self._over = False
        self._paused = False
        self._stalled = False

    def stop(self, because: Stop = Stop.INTERRUPTED) -> bool:
        """Ask for a clean stop, reached within the grace period; tell whether the crawl has not ended by itself."""
        self._stop = self._stop or because
        if self._stalled:
            self._writer.give_up()
        self._wake.set()
        return not self._over

    async def run(
        self, seeds: Sequence[Link] = (), known: Sequence[Candidate] = (), before: Predecessor | None = None
    ) -> Progress:
        """Crawl from seeds, or from what waited when the crawl was stopped, and return how far it came.

        `known` are pages of the portal that are to be checked again; they carry their own priorities. `before` is the
        crawl that this one goes on from.
        """
        self._counters = Counters(self._crawl.progress, self._clock.now(), self._pace.window)
        self._view = CrawlView(self._shard, self._store, self._counters)
        self._next_names = self._clock.now()
        self._showing = Showing(
            self._clock,
            self._counters,
            self._shard,
            self._flight,
            self._journal,
            self._doubt.outage,
            self._on_progress,
            self._pace.show,
        )
        self._requests = Requests(self._store, self._journal, self._clock, self._pace.poll)
        self._reordering = Reordering(self._strategy, self._pace.reorder_every, self._counters.pages)
        self._opening = Opening(
            self._store, self._crawl.id, self._shard, self._analyser, self._strategy, self._view, self._journal
        )
        self._opening.begin(seeds if before is None else (), known)
        try:
            await self._commit()
            if before is not None:
                await self._opening.take_over(before, seeds, self._keep_on, self._commit)
                # What the strategy has seen of those pages is in no log of this crawl.
                self._reordering.hasten(save=True)
                await self._commit()
            while (stop := self._finished()) is None:
                self._stalled = self._stalled and not self._journal.free()
                self._launch()
                self._handler.name_lists(self._shard, self._strategy, self._view)
                await self._wait()
                await self._handle_arrivals()
                if self._journal.ripe():
                    await self._commit()
                for request in self._requests.new():
                    self._requests.reply(request, self._obey(request.command))
                await self._study()
                self._reordering.reorder(self._counters.pages, self._shard, self._view, self._journal)
                self._showing.show(held=self._paused or self._stalled)
        except BaseException:
            await self._abandon()
            raise
        self._over = True
        return await self._end(stop)

    async def _study(self) -> None:
        """Have the classifier trained anew where it is time, and use what came of it."""
        if self._schooling is None:
            return
        lesson = self._schooling.lesson(self._counters.pages, self._counters.rate, self._wake.set)
        if lesson is None:
            return
        raised = 0
        if lesson.classifier is not None:
            if isinstance(self._strategy, Consults) and isinstance(lesson.classifier, TermScorer):
                self._strategy.consult(lesson.classifier)
            # What waits was priced by the classifier before; hubs are raised above its new prices.
            self._reordering.hasten(reorder=True)
            self._reordering.reorder(self._counters.pages, self._shard, self._view, self._journal)
            raised = await self._opening.raise_hubs(lesson.hubs, lesson.links)
        detail = {**lesson.detail, "pages": self._counters.pages, "raised": raised}
        held = self._paused or self._stalled
        self._showing.show(held=held, news=self._journal.event(RETRAINED, detail))

    def _finished(self) -> Stop | None:
        if self._flight.crash is not None:
            raise self._flight.crash
        if self._stop is not None:
            return self._stop
        seconds = self._counters.run_seconds(self._clock.now())
        spent = self._budget.spent(self._counters.pages, seconds, self._counters.rate)
        if spent is not None:
            return spent
        idle = not (self._flight or self._arrived or self._doubt or self._paused)
        if not idle:
            return None
        seen = self._shard.look()
        return None if seen.waiting or seen.outgoing else Stop.EMPTY

    def _launch(self) -> None:
        """Send out as many errands as the budget, the parallel limit and the hosts allow."""
        room = self._room()
        self._full_house = room <= 0
        witness = self._doubt.witness() if room > 0 and self._doubt.outage.offline else None
        if witness is not None:
            self._flight.begin(self._ask(witness))
            return
        if room <= 0:
            return
        errands = self._take(room)
        self._full_house = len(errands) >= room
        for errand in errands:
            self._flight.begin(self._do(errand))
        self._prepare()

    def _prepare(self) -> None:
        """Have the names of the hosts that come next looked up, now and then."""
        now = self._clock.now()
        if now < self._next_names:
            return
        self._next_names = now + self._pace.names
        if isinstance(self._fetcher, Prepares):
            self._fetcher.prepare(self._shard.look(ahead=self._pace.ahead).ahead)

    def _take(self, room: int) -> list[Errand]:
        """Take errands: from the queues in turn, or from those that the strategy chooses."""
        left = self._budget.room(self._counters.pages)
        if self._chooser is None:
            taken = self._shard.take(room, budget=left)
            self._handler.name(taken.sitemaps)
            return taken.errands
        errands: list[Errand] = []
        room = room if left is None else min(room, left)
        while len(errands) < room and (ready := self._shard.look(ready=CHOICE).ready):
            names = [queue for queue, _ in ready]
            chosen = self._chooser.choose(names, self._view)
            taken = self._shard.take(1, budget=left, queues=[chosen if chosen in names else names[0]])
            self._handler.name(taken.sitemaps)
            errands += taken.errands
        return errands

    def _room(self) -> int:
        """Return how many errands may be sent out now; 0 or less for none."""
        if self._paused or self._stalled:
            return 0
        if self._doubt.outage.offline:
            return int(self._doubt.may_try(len(self._flight), self._clock.now()))
        return 0 if self._carrier.laden else self._flight.room(self._budget.room(self._counters.pages))

    async def _do(self, errand: Errand) -> None:
        answer, analysis = await self._carrier.carry(errand)
        self._arrived.append(Arrival(self._clock.now(), errand, answer, analysis))

    async def _ask(self, witness: str) -> None:
        self._give_back(await self._doubt.ask(witness))

    async def _wait(self) -> None:
        """Sleep until something arrives, a host has rested, a batch is due or another process may want something."""
        if self._arrived or self._stop is not None or self._flight.crash is not None:
            # The network gets its turn even when pages arrive faster than they are handled.
            await asyncio.sleep(0)
            return
        now = self._clock.now()
        # While nothing more can be sent out, hosts that become free do not matter.
        seen = self._shard.look()
        ready = None if self._full_house else seen.opens
        known = (ready, self._journal.due(), self._deadline(), self._requests.due())
        times = [when for when in known if when is not None]
        if self._full_house and self._flight and not self._paused:
            times.append(self._flight.next_slow())
        if self._doubt.outage.offline:
            times.append(self._doubt.outage.next_try())
        stuck = ready is None and not self._full_house and not self._flight
        if stuck and seen.waiting and not seen.outgoing:
            raise RuntimeError("URLs wait, but no host will ever be free for them.")
        if stuck and not times:
            # The last that waited was refused when it was to be taken: the crawl is at its end.
            return
        self._wake.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, min(times) - now) if times else None):
                await self._wake.wait()

    def _deadline(self) -> float | None:
        if not self._budget.seconds:
            return None
        now = self._clock.now()
        return now + self._budget.seconds - self._counters.run_seconds(now)

    async def _handle_arrivals(self) -> None:
        """Handle what has arrived in the order of arrival; at the same moment, in the order of the URLs."""
        for arrival in self._doubt.cleared():
            self._handle(arrival)
        arrivals, self._arrived = sorted(self._arrived, key=Arrival.order), []
        for arrival in arrivals:
            if self._budget.room(self._counters.pages) == 0:
                # What arrives after the budget is spent counts as never fetched.
                break
            if self._doubt.holds(arrival):
                continue
            self._handle(arrival)
            if self._journal.ripe():
                await self._commit()
        self._give_back(self._doubt.given_up())

    def _handle(self, arrival: Arrival) -> None:
        self._handler.handle(arrival, self._desk())

    def _keep_on(self, row: UrlRow, analysis: Analysis) -> None:
        self._handler.take_over(row, analysis, self._desk())

    def _desk(self) -> Desk:
        return Desk(self._shard, self._strategy, self._view, self._counters, self._journal.batch)

    def _give_back(self, arrivals: Sequence[Arrival]) -> None:
        """Let what failed while we were offline wait again."""
        for arrival in arrivals:
            self._shard.settle([Outcome(errand=arrival.errand, state=UrlState.WAITING)])

    async def _commit(self, state: CrawlState = CrawlState.RUNNING, because: str = "") -> None:
        """Have the open batch written, with the strategy's state where it is time for it."""
        saved = self._reordering.state(self._counters.pages, at_once=bool(because))
        await self._journal.hand_over(self._showing.progress(state, because), saved, self._full)
        self._stalled = False

    def _full(self, full: PortalFull) -> None:
        """Pause: nothing more is fetched until the writer has found room."""
        self._stalled = True
        if self._stop is not None:
            self._writer.give_up()
        self._showing.show(f"{full.sentence} {full.remedy}")

    def _obey(self, command: Command) -> Reply:
        """Do what another process asked for, and say what came of it."""
        match command:
            case StopCrawl():
                self.stop(Stop.REQUESTED)
            case PauseCrawl() | ContinueCrawl():
                self._paused = isinstance(command, PauseCrawl)
            case AddUrl():
                return self._add(canonical(command.url))
            case UnknownCommand():
                return Reply(Result.UNKNOWN)
        return Reply(Result.DONE)

    def _add(self, url: str | None) -> Reply:
        if url is None:
            return Reply(Result.REFUSED, Reason.BAD_URL)
        self._opening.plant([Link(url, "", 0, 0)])
        row = self._shard.look(urls=[url]).urls.get(url)
        if row is not None and row.state in (UrlState.REFUSED, UrlState.CUT):
            return Reply(Result.REFUSED, row.reason)
        return Reply(Result.DONE)

    async def _end(self, stop: Stop) -> Progress:
        """Let what is in flight arrive for a moment, drop the rest, and write everything down."""
        if self._schooling is not None and await self._schooling.dismiss():
            self._showing.show(news=self._journal.event(BROKEN_OFF, {"pages": self._counters.pages}))
        if stop is not Stop.PAGES:
            await self._flight.wait(self._pace.grace)
        await self._flight.cancel()
        await self._handle_arrivals()
        self._give_back(self._doubt.given_up(at_once=True))
        self._journal.event("stopped", {"because": stop.value})
        self._writer.give_up()
        # URLs of hosts that failed wait for the next run.
        done = stop is Stop.EMPTY and not self._shard.look().aside
        state = CrawlState.FINISHED if done else CrawlState.STOPPED
        await self._commit(state, stop.value)
        await self._journal.settle()
        self._writer.close()
        return self._showing.progress(state, stop.value)

    async def _abandon(self) -> None:
        """Give up without writing: what was in flight is fetched again on resume."""
        if self._schooling is not None:
            await self._schooling.dismiss()
        await self._flight.cancel()
        self._writer.give_up()
        with contextlib.suppress(PortalFull):
            await self._journal.settle()
        self._writer.close()
