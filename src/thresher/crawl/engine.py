"""The engine: the one loop that crawls.

It takes errands from the shard, sends them to the fetcher and the analyser, and hands what comes back to the strategy,
the shard and the store. It decides nothing about topics, order or manners.
"""

import asyncio
import contextlib
from collections.abc import Callable, Sequence

from thresher.crawl.arrivals import Handler
from thresher.crawl.budget import Budget, Pace, Stop
from thresher.crawl.focus import Focus
from thresher.crawl.in_flight import Carrier, InFlight
from thresher.crawl.inbox import Inbox
from thresher.crawl.journal import Journal
from thresher.crawl.launching import Launcher
from thresher.crawl.on_hand import PagesOnHand
from thresher.crawl.outage import HeldBack
from thresher.crawl.phases.adoption import adopt
from thresher.crawl.phases.query_start import TakenOver
from thresher.crawl.phases.retraining import BROKEN_OFF, Retraining
from thresher.crawl.pricing import Reordering
from thresher.crawl.progress import Counters, ProgressReporter
from thresher.crawl.requests import RequestReader
from thresher.crawl.slow_lane import SlowLane
from thresher.crawl.start import Start
from thresher.crawl.view import CrawlPages, CrawlView
from thresher.crawl.writer import Writer
from thresher.errors import PortalFull
from thresher.protocols import Clock, Ends, Fetcher, KeepsSites, Strategy
from thresher.reading.analysis import Analyser
from thresher.shard.protocol import Shard
from thresher.shard.values import Errand
from thresher.store.event_kinds import EventKind
from thresher.store.protocol import Store
from thresher.store.records import CrawlRow, CrawlState, Progress
from thresher.store.request_records import Reply
from thresher.types import Candidate, Link


class Engine:
    """Crawls until a budget is spent, nothing is left, or it is asked to stop."""

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
        focus: Focus | None = None,
        handler: Handler | None = None,
        on_hand: PagesOnHand | None = None,
        retraining: Retraining | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> None:
        self._store = store
        self._crawl = crawl
        self._shard = shard
        self._fetcher = fetcher
        self._analyser = analyser
        self._strategy = strategy
        # Protocol checks are slow, and their results do not change.
        self._ends = strategy if isinstance(strategy, Ends) else None
        self._keeps_sites = strategy if isinstance(strategy, KeepsSites) else None
        self._journal = journal
        self._writer = writer
        self._clock = clock
        self._budget = budget or Budget()
        self._pace = pace = pace or Pace()
        self._focus = focus
        self._retraining = retraining
        self._on_progress = on_progress
        self._handler = handler or Handler()
        self._lane = SlowLane(clock)
        self._carrier = Carrier(fetcher, analyser, clock, self._lane, on_hand)
        self._held = HeldBack(fetcher)
        self._wake = asyncio.Event()
        self._flight = InFlight(clock, self._wake.set, parallel=pace.parallel, patience=pace.patience)
        self._full_house = False
        self._stop: Stop | None = None
        self._over = False
        self._paused = False
        self._stalled = False

    def stop(self, because: Stop = Stop.INTERRUPTED) -> bool:
        """Ask for a clean stop within the grace period; return False if the crawl has already ended by itself."""
        self._stop = self._stop or because
        if self._stalled:
            self._writer.give_up()
        self._wake.set()
        return not self._over

    def pause(self, paused: bool) -> None:
        """Pause or resume sending out errands."""
        self._paused = paused

    def add(self, url: str) -> Reply:
        """Queue a URL as a start page; the reply says whether it will be fetched, and if not, why."""
        return self._start.add(url)

    async def run(
        self, seeds: Sequence[Link] = (), known: Sequence[Candidate] = (), before: TakenOver | None = None
    ) -> Progress:
        """Crawl from seeds, or from the queue of a stopped crawl, and return the final progress.

        `known` are pages of the portal to check again; they carry their own priorities. `before` is what the crawl
        takes over from earlier crawls.
        """
        self._set_up()
        self._start.begin(seeds if before is None else (), known)
        try:
            await self._commit()
            if before is not None:
                self._counters.reused = 0
                await self._start.take_over(before, seeds, self._inbox.take_over, self._commit)
                # The log of this crawl does not have what the strategy has seen of those pages.
                self._reordering.save_soon()
                await self._commit()
            while (stop := self._finished()) is None:
                self._stalled = self._stalled and not self._journal.free()
                self._launch()
                self._handler.name_lists(self._shard, self._strategy, self._view)
                await self._wait()
                await self._inbox.handle(self._commit)
                if self._inbox.whole and self._journal.ripe(self._clock.now()):
                    await self._commit()
                self._requests.answer(self)
                await self._retrain()
                self._reordering.reorder(self._counters.pages)
                self._reporter.show(held=self._paused or self._stalled)
        except BaseException:
            await self._abandon()
            raise
        self._over = True
        return await self._end(stop)

    def _set_up(self) -> None:
        """Create the parts that depend on the start of the crawl."""
        store, shard, strategy, journal, clock = self._store, self._shard, self._strategy, self._journal, self._clock
        pace, focus = self._pace, self._focus
        self._counters = counters = Counters(self._crawl.progress, clock.now(), pace.window)
        self._view = view = CrawlView(shard, CrawlPages(store, journal.unwritten), counters)
        self._launcher = Launcher(shard, self._fetcher, strategy, view, clock, pace, focus)
        self._inbox = Inbox(
            self._handler,
            self._held,
            self._lane,
            self._budget,
            shard=shard,
            strategy=strategy,
            view=view,
            counters=counters,
            journal=journal,
            clock=clock,
        )
        outage, shown = self._held.outage, self._on_progress
        self._reporter = ProgressReporter(
            clock, counters, shard, self._flight, journal, outage, focus, shown, pace.show
        )
        self._requests = RequestReader(store, journal, clock, pace.poll)
        self._reordering = Reordering(
            strategy, pace.reorder_every, counters.pages, shard=shard, view=view, journal=journal
        )
        self._start = Start(store, self._crawl.id, shard, self._analyser, strategy, view, journal)

    async def _retrain(self) -> None:
        """Retrain the classifier if it is due, and use the result."""
        if self._retraining is None:
            return
        pages = self._counters.pages
        found = self._retraining.result(pages, self._counters.rate, self._wake.set)
        if found is not None:
            news = await adopt(found, pages, self._reordering, self._start, self._journal, self._clock)
            self._reporter.show(held=self._paused or self._stalled, news=news)

    def _finished(self) -> Stop | None:
        if self._flight.crash is not None:
            raise self._flight.crash
        if self._stop is not None:
            return self._stop
        seconds = self._counters.run_seconds(self._clock.now())
        spent = self._budget.spent(self._counters.pages, seconds, self._counters.rate)
        if spent is None and self._ends is not None:
            over = self._ends.ended()
            spent = Stop(over) if over else None
        if spent is not None:
            return spent
        idle = not (self._flight or self._inbox or self._held or self._paused)
        if not idle:
            return None
        seen = self._shard.look()
        return None if seen.waiting or seen.outgoing else Stop.EMPTY

    def _launch(self) -> None:
        """Send out as many errands as the budget, the parallel limit and the hosts allow."""
        room = self._room()
        self._full_house = room <= 0
        witness = self._held.witness() if room > 0 and self._held.outage.offline else None
        if witness is not None:
            self._flight.begin([self._ask(witness)])
            return
        if room <= 0:
            return
        taken = self._launcher.take(room, self._budget.room(self._counters.pages), self._flight.recent())
        self._handler.name(taken.sitemaps)
        self._full_house = len(taken.errands) >= room
        self._flight.begin(map(self._do, taken.errands))

    def _room(self) -> int:
        """Return how many errands may be sent out now; 0 or less for none."""
        if self._paused or self._stalled:
            return 0
        if self._held.outage.offline:
            return int(self._held.may_try(len(self._flight), self._clock.now()))
        return 0 if self._carrier.laden else self._flight.room(self._budget.room(self._counters.pages))

    async def _do(self, errand: Errand) -> None:
        self._inbox.put(await self._carrier.carry(errand))

    async def _ask(self, witness: str) -> None:
        self._inbox.give_back(await self._held.ask(witness))

    async def _wait(self) -> None:
        """Sleep until something arrives, a host has rested, a batch is due or another process may want something."""
        if self._inbox or self._stop is not None or self._flight.crash is not None:
            # Yield to the network even if pages arrive faster than they are handled.
            await asyncio.sleep(0)
            return
        now = self._clock.now()
        # While nothing more can be sent out, hosts that become free do not matter.
        seen = self._shard.look()
        ready = None if self._full_house else seen.opens
        tried = self._held.next_try(len(self._flight)) if self._held.outage.offline else None
        ends = self._budget.ends(now, self._counters.run_seconds(now))
        known = (ready, self._journal.due(), ends, self._requests.due(), tried)
        times = [when for when in known if when is not None]
        # A fetch that takes long no longer counts, which makes room for others.
        held_back = self._full_house or (self._focus is not None and self._focus.withheld > 0)
        if held_back and self._flight and not self._paused:
            times.append(self._flight.next_slow())
        stuck = ready is None and not self._full_house and not self._flight
        if stuck and seen.waiting and not seen.outgoing:
            raise RuntimeError("URLs are waiting, but no host will ever be free for them.")
        if stuck and not times:
            # The last waiting URL was refused when it was taken, so the crawl is over.
            return
        self._wake.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, min(times) - now) if times else None):
                await self._wake.wait()

    async def _commit(self, state: CrawlState = CrawlState.RUNNING, because: str = "") -> None:
        """Write the open batch, with the strategy's state if that is due."""
        self._inbox.finish()
        if self._keeps_sites is not None:
            self._journal.batch.sites = self._keeps_sites.site_changes(self._view)
            self._counters.sites = self._keeps_sites.site_counts()
        # Collecting the changes decides sites, so the state must be saved after that.
        saved = self._reordering.state(self._counters.pages, at_once=bool(because))
        await self._journal.hand_over(self._reporter.progress(state, because), saved, self._full)
        self._stalled = False

    def _full(self, full: PortalFull) -> None:
        """Pause fetching until the writer finds disk space."""
        self._stalled = True
        if self._stop is not None:
            self._writer.give_up()
        self._reporter.show(f"{full.sentence} {full.remedy}")

    async def _end(self, stop: Stop) -> Progress:
        """Wait briefly for what is in flight, drop the rest, and write everything."""
        if self._retraining is not None and await self._retraining.break_off():
            self._reporter.show(news=self._journal.event(BROKEN_OFF, {"pages": self._counters.pages}))
        if stop is not Stop.PAGES:
            await self._flight.wait(self._pace.grace)
        await self._flight.cancel()
        await self._inbox.handle(self._commit)
        self._inbox.give_back(self._held.given_up(at_once=True))
        self._journal.event(EventKind.STOPPED, {"because": stop.value})
        self._writer.give_up()
        # URLs of hosts that failed wait for the next run.
        done = stop is Stop.EMPTY and not self._shard.look().aside
        state = CrawlState.FINISHED if done else CrawlState.STOPPED
        await self._commit(state, stop.value)
        await self._journal.settle()
        self._writer.close()
        return self._reporter.progress(state, stop.value)

    async def _abandon(self) -> None:
        """Stop without writing; what was in flight is fetched again on resume."""
        if self._retraining is not None:
            await self._retraining.break_off()
        await self._flight.cancel()
        self._writer.give_up()
        with contextlib.suppress(PortalFull):
            await self._journal.settle()
        self._writer.close()
