"""The engine: the one loop that crawls.

It takes errands from the shard, sends them to the fetcher and the analyser, and hands what comes back to the strategy,
the shard and the store. It decides nothing about topics, order or manners.
"""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from thresher.crawl.analysis import Analyser, Analysis
from thresher.crawl.arrivals import Arrival, Handler
from thresher.crawl.budget import Budget, Stop
from thresher.crawl.counters import Counters
from thresher.crawl.errands import Errand
from thresher.crawl.journal import Journal
from thresher.crawl.outage import Outage, is_lost
from thresher.crawl.ranking import ranked
from thresher.crawl.shard import Shard
from thresher.crawl.view import CrawlView
from thresher.crawl.writer import Writer
from thresher.errors import PortalFull
from thresher.protocols import Chooses, Clock, Fetcher, Learns, Prepares, Remembers, Reviews, Strategy
from thresher.store.protocol import Store
from thresher.store.records import CrawlRow, CrawlState, Progress
from thresher.types import Answer, Candidate, Failed, Fetched, Link, Reading, Redirected
from thresher.web.sitemaps import LIST
from thresher.web.urls import canonical

ROBOTS_HOPS = 5
"""Redirects followed on the way to a robots file (RFC 9309)."""


SLOW = 4
"""Fetches under way, slow ones included, as a multiple of those at once."""

HEAVY = 16 << 20
"""Bytes of pages waiting to be read beyond which nothing more is fetched."""


class Pace(Struct, frozen=True, kw_only=True):
    """How much at once: fetches in flight, pages between reviews and saved states of the strategy.

    `grace` is how long fetches in flight may go on after a stop, `patience` how long a fetch counts towards the last
    pages of a budget and towards the number at once, and `poll` how often wishes of other processes are read, all in
    seconds; a `poll` of 0 reads none. Progress is shown every `show` seconds; every `names` seconds the names of the
    next `ahead` hosts are looked up.
    """

    parallel: int = 64
    review_every: int = 500
    grace: float = 2.0
    patience: float = 2.0
    poll: float = 0.5
    show: float = 0.1
    names: float = 0.1
    ahead: int = 64


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
        self._rememberer = strategy if isinstance(strategy, Remembers) else None
        self._journal = journal
        self._writer = writer
        self._clock = clock
        self._budget = budget or Budget()
        self._pace = pace or Pace()
        self._on_progress = on_progress
        self._handler = handler or Handler()
        self._tasks: dict[asyncio.Task[None], float] = {}
        self._full_house = False
        self._in_hand = 0
        self._outage = Outage()
        self._arrived: list[Arrival] = []
        self._doubtful: list[Arrival] = []
        self._cleared: list[Arrival] = []
        self._asking = False
        self._wake = asyncio.Event()
        self._stop: Stop | None = None
        self._crash: BaseException | None = None
        self._paused = False
        self._stalled = False
        self._obeyed: set[int] = set()

    def stop(self, because: Stop = Stop.INTERRUPTED) -> None:
        """Ask for a clean stop; it is reached within the grace period."""
        self._stop = self._stop or because
        if self._stalled:
            self._writer.give_up()
        self._wake.set()

    async def run(self, seeds: Sequence[Link] = (), known: Sequence[Candidate] = ()) -> Progress:
        """Crawl from seeds, or from what waited when the crawl was stopped, and return how far it came.

        `known` are pages of the portal that are to be checked again; they carry their own priorities.
        """
        self._counters = Counters(self._crawl.progress, self._clock.now())
        self._view = CrawlView(self._shard, self._store, self._counters)
        self._next_poll = self._next_show = self._next_names = self._clock.now()
        self._next_review = self._counters.pages + self._pace.review_every
        self._begin(seeds, known)
        try:
            await self._commit()
            while (stop := self._finished()) is None:
                self._stalled = self._stalled and not self._journal.free()
                self._launch()
                self._handler.name_lists(self._shard, self._strategy, self._view)
                await self._wait()
                await self._handle_arrivals()
                if self._journal.ripe():
                    await self._commit()
                self._read_requests()
                self._review()
                self._show()
        except BaseException:
            await self._abandon()
            raise
        return await self._end(stop)

    def _begin(self, seeds: Sequence[Link], known: Sequence[Candidate]) -> None:
        """Start afresh from seeds, which count as the links of a page nobody fetched, or restore."""
        restored = self._shard.restore()
        saved = self._store.crawls.strategy_state(self._crawl.id)
        if saved is not None and self._rememberer is not None:
            self._rememberer.restore(saved[0])
        if isinstance(self._strategy, Learns):
            self._replay(self._strategy, saved[1] if saved else 0)
        if seeds:
            self._plant(seeds)
        self._shard.offer(known)
        started = {"waiting": len(self._shard), "restored": restored, "seeds": len(seeds), "known": len(known)}
        self._journal.event("started", started)

    def _plant(self, seeds: Sequence[Link]) -> None:
        root = Candidate(url="", priority=(), depth=-1)
        self._shard.offer(ranked(self._strategy, Reading(candidate=root, links=list(seeds)), self._view))

    def _replay(self, strategy: Learns, since: int) -> None:
        """Let a strategy observe again what it saw after its state was saved."""
        for entry in self._store.log.entries(since, self._crawl.id):
            row = self._shard.row(entry.url) if entry.url and entry.kind == "fetched" else None
            if row is not None:
                strategy.observe(row.candidate, self._view.judgement(row.candidate.url))

    def _finished(self) -> Stop | None:
        if self._crash is not None:
            raise self._crash
        if self._stop is not None:
            return self._stop
        spent = self._budget.spent(self._counters.pages, self._counters.run_seconds(self._clock.now()))
        if spent is not None:
            return spent
        idle = not (self._tasks or self._arrived or self._doubtful or self._cleared or self._paused)
        return Stop.EMPTY if idle and not len(self._shard) else None

    def _launch(self) -> None:
        """Send out as many errands as the budget, the parallel limit and the hosts allow."""
        room = self._room()
        self._full_house = room <= 0
        witness = self._outage.witness() if room > 0 and self._outage.offline else None
        if witness is not None:
            self._asking = True
            self._begin_task(self._ask_witness(witness))
            return
        if room <= 0:
            return
        errands = self._shard.take(room, self._choose if self._chooser is not None else None)
        self._full_house = len(errands) >= room
        for errand in errands:
            self._begin_task(self._do(errand))
        self._prepare()

    def _begin_task(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks[task] = self._clock.now()
        task.add_done_callback(self._done)

    def _prepare(self) -> None:
        """Have the names of the hosts that come next looked up, now and then."""
        now = self._clock.now()
        if now < self._next_names:
            return
        self._next_names = now + self._pace.names
        if isinstance(self._fetcher, Prepares):
            self._fetcher.prepare(self._shard.ahead(self._pace.ahead))

    def _choose(self, ready: Sequence[str]) -> str:
        assert self._chooser is not None
        return self._chooser.choose(ready, self._view)

    def _room(self) -> int:
        """Return how many errands may be sent out now.

        A fetch that takes long counts neither against the pages that are left nor against the number at once, up to a
        multiple of it: hosts that hang must keep neither the last pages of a budget waiting nor all others.
        """
        if self._paused or self._stalled:
            return 0
        if self._outage.offline:
            # What is under way when the line may be down is still waited for, unless there is a witness to ask.
            alone = not self._tasks or (bool(self._outage.witnesses) and not self._asking)
            return 1 if alone and self._outage.may_try(self._clock.now()) else 0
        if self._in_hand > HEAVY:
            return 0
        room, under_way = self._pace.parallel, len(self._tasks)
        left = self._budget.room(self._counters.pages)
        if under_way < room and (left is None or left >= room):
            return room - under_way
        now, patience = self._clock.now(), self._pace.patience
        recent = sum(started + patience > now for started in self._tasks.values())
        return min(room - recent, SLOW * room - under_way, room if left is None else left - recent)

    def _done(self, task: asyncio.Task[None]) -> None:
        del self._tasks[task]
        if not task.cancelled() and task.exception() is not None:
            self._crash = self._crash or task.exception()
        self._wake.set()

    async def _do(self, errand: Errand) -> None:
        if errand.robots:
            answer = await self._fetch_robots(errand.candidate)
            analysis = None
        else:
            answer, analysis = await self._fetch_page(errand.candidate)
        self._arrived.append(Arrival(self._clock.now(), errand, answer, analysis))

    async def _fetch_page(self, candidate: Candidate) -> tuple[Answer, Analysis | None]:
        answer = await self._fetcher.fetch(candidate)
        if not isinstance(answer, Fetched):
            return answer, None
        self._in_hand += len(answer.body)
        try:
            # A list is read as one, whatever its label says; the archive keeps the label.
            result = await self._analyser.analyse(replace(answer, mime=LIST) if candidate.lists else answer)
        finally:
            self._in_hand -= len(answer.body)
        return (result, None) if isinstance(result, Failed) else (answer, result)

    async def _fetch_robots(self, candidate: Candidate) -> Answer:
        answer = await self._fetcher.fetch(candidate)
        for _ in range(ROBOTS_HOPS):
            target = canonical(answer.to) if isinstance(answer, Redirected) else None
            if target is None:
                break
            answer = await self._fetcher.fetch(Candidate(url=target, priority=()))
        return answer

    async def _wait(self) -> None:
        """Sleep until something arrives, a host has rested, a batch is due or another process may want something."""
        if self._arrived or self._stop is not None or self._crash is not None:
            # The network gets its turn even when pages arrive faster than they are handled.
            await asyncio.sleep(0)
            return
        now = self._clock.now()
        # While nothing more can be sent out, hosts that become free do not matter.
        ready = None if self._full_house else self._shard.next_event()
        times = [when for when in (ready, self._journal.due(), self._deadline()) if when is not None]
        if self._full_house and self._tasks and not self._paused:
            times.append(self._next_slow(now))
        if self._outage.offline:
            times.append(self._outage.next_try())
        if self._pace.poll:
            times.append(self._next_poll)
        if ready is None and not self._full_house and not self._tasks and len(self._shard):
            raise RuntimeError("URLs wait, but no host will ever be free for them.")
        self._wake.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, min(times) - now) if times else None):
                await self._wake.wait()

    def _next_slow(self, now: float) -> float:
        """Return when the next fetch under way will have taken so long that it no longer counts."""
        patience = self._pace.patience
        return min((at + patience for at in self._tasks.values() if at + patience > now), default=now + patience)

    def _deadline(self) -> float | None:
        if not self._budget.seconds:
            return None
        now = self._clock.now()
        return now + self._budget.seconds - self._counters.run_seconds(now)

    async def _handle_arrivals(self) -> None:
        """Handle what has arrived in the order of arrival; at the same moment, in the order of the URLs."""
        cleared, self._cleared = self._cleared, []
        for arrival in cleared:
            self._handle(arrival)
        arrivals, self._arrived = sorted(self._arrived, key=Arrival.order), []
        for arrival in arrivals:
            if self._budget.room(self._counters.pages) == 0:
                # What arrives after the budget is spent counts as never fetched.
                break
            if self._outage.note(arrival.errand.host, arrival.answer):
                self._doubtful.append(arrival)
                continue
            self._handle(arrival)
            if self._journal.ripe():
                await self._commit()
        if self._doubtful and not self._outage.witnesses:
            self._give_back()

    def _handle(self, arrival: Arrival) -> None:
        self._handler.handle(arrival, self._shard, self._strategy, self._view, self._counters, self._journal.batch)

    def _give_back(self) -> None:
        """Let what failed while we were offline wait again."""
        doubtful, self._doubtful = self._doubtful, []
        for arrival in doubtful:
            self._shard.give_back(arrival.errand)

    async def _ask_witness(self, origin: str) -> None:
        """Ask a host that answered lately, for its robots file, whether it was our line or the others."""
        answer = await self._fetcher.fetch(Candidate(url=f"{origin}/robots.txt", priority=()))
        self._asking = False
        if is_lost(answer) and not answer.ip:
            self._give_back()
        else:
            self._outage.online()
            self._cleared, self._doubtful = self._cleared + self._doubtful, []

    async def _commit(self, state: CrawlState = CrawlState.RUNNING, because: str = "") -> None:
        """Have the open batch written, with the strategy's state where it is time for it."""
        saved = None
        if self._rememberer is not None and (because or self._counters.pages >= self._next_review):
            saved = self._rememberer.state()
        await self._journal.hand_over(self._progress(state, because), saved, self._full)
        self._stalled = False

    def _full(self, full: PortalFull) -> None:
        """Pause: nothing more is fetched until the writer has found room."""
        self._stalled = True
        if self._stop is not None:
            self._writer.give_up()
        self._show(f"{full.sentence} {full.remedy}")

    def _read_requests(self) -> None:
        now = self._clock.now()
        if not self._pace.poll or now < self._next_poll:
            return
        self._next_poll = now + self._pace.poll
        for request in self._store.requests.open():
            if request.id not in self._obeyed:
                self._obeyed.add(request.id)
                self._journal.batch.requests_done.append(request.id)
                self._obey(request.kind, request.detail)

    def _obey(self, kind: str, detail: dict[str, Any]) -> None:
        """Do what another process asked for."""
        self._journal.event(kind, detail)
        if kind == "stop":
            self.stop(Stop.REQUESTED)
        elif kind in ("pause", "continue"):
            self._paused = kind == "pause"
        elif kind == "add-url":
            url = canonical(str(detail.get("url", "")))
            if url is not None:
                self._plant([Link(url, "", 0, 0)])

    def _review(self) -> None:
        if self._counters.pages < self._next_review:
            return
        self._next_review = self._counters.pages + self._pace.review_every
        if isinstance(self._strategy, Reviews):
            moved = self._shard.reprice(self._strategy.review(self._view))
            self._journal.event("reviewed", {"repriced": moved})

    def _progress(self, state: CrawlState = CrawlState.RUNNING, because: str = "") -> Progress:
        tally = self._shard.tally
        return self._counters.progress(
            self._clock.now(),
            queued=len(self._shard) + len(self._tasks),
            in_flight=len(self._tasks) + self._journal.uncommitted() if state is CrawlState.RUNNING else 0,
            refused=tally.refused,
            cut=tally.cut,
            state=state,
            because=because,
        )

    def _show(self, message: str = "") -> None:
        if self._on_progress is not None and (message or self._clock.now() >= self._next_show):
            self._next_show = self._clock.now() + self._pace.show
            if self._outage.offline:
                message = message or "No host can be reached: is the network down? The crawl goes on when it is back."
            held = message or self._paused or self._stalled
            self._on_progress(self._progress(CrawlState.PAUSED if held else CrawlState.RUNNING, message))

    async def _end(self, stop: Stop) -> Progress:
        """Let what is in flight arrive for a moment, drop the rest, and write everything down."""
        if self._tasks and stop is not Stop.PAGES:
            await asyncio.wait(self._tasks, timeout=self._pace.grace)
        await self._cancel()
        await self._handle_arrivals()
        self._give_back()
        self._journal.event("stopped", {"because": stop.value})
        self._writer.give_up()
        # URLs of hosts that failed wait for the next run.
        done = stop is Stop.EMPTY and not self._shard.aside
        state = CrawlState.FINISHED if done else CrawlState.STOPPED
        await self._commit(state, stop.value)
        await self._journal.settle()
        self._writer.close()
        return self._progress(state, stop.value)

    async def _cancel(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def _abandon(self) -> None:
        """Give up without writing: what was in flight is fetched again on resume."""
        await self._cancel()
        self._writer.give_up()
        with contextlib.suppress(PortalFull):
            await self._journal.settle()
        self._writer.close()
