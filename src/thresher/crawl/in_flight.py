"""Errands in flight, from request to analysis, and how many more may start."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from thresher.crawl.on_hand import PagesOnHand
from thresher.crawl.open_files import SLOW
from thresher.crawl.slow_lane import SlowLane
from thresher.protocols import Clock, Fetcher
from thresher.reading.analysis import Analyser, Analysis, ArchiveAnalysis, MemberAnalysis, ReadingLane
from thresher.reasons import Reason
from thresher.shard.values import Errand
from thresher.types import Answer, Candidate, Copy, Failed, Fetched, ParsedPage, Redirected, Unchanged
from thresher.web.sitemaps import LIST
from thresher.web.urls import canonical


class InFlight:
    """Tasks with their start times; `wake` is called whenever one ends.

    A fetch that takes longer than `patience` seconds no longer counts against the remaining pages or the `parallel`
    fetches, up to a multiple of these: hanging hosts must not hold up the last pages of a budget or all other fetches.
    `crash` is the first error of a task, or None.
    """

    def __init__(self, clock: Clock, wake: Callable[[], None], *, parallel: int = 64, patience: float = 2.0) -> None:
        self._clock = clock
        self._wake = wake
        self._parallel = parallel
        self._patience = patience
        self._tasks: dict[asyncio.Task[None], float] = {}
        self.crash: BaseException | None = None

    def __len__(self) -> int:
        return len(self._tasks)

    def begin(self, works: Iterable[Coroutine[Any, Any, None]]) -> None:
        """Start tasks."""
        loop, now = asyncio.get_running_loop(), self._clock.now()
        for work in works:
            task = loop.create_task(work)
            self._tasks[task] = now
            task.add_done_callback(self._done)

    def room(self, left: int | None) -> int:
        """Return how many more tasks may start, 0 or less for none.

        `left` is the number of pages that remain in the budget, None for no limit.

        >>> from thresher.crawl.clock import RealClock
        >>> InFlight(RealClock(), print, parallel=8).room(3)
        3
        """
        parallel, under_way = self._parallel, len(self._tasks)
        if under_way < parallel and (left is None or left >= parallel):
            return parallel - under_way
        recent = self.recent()
        return min(parallel - recent, SLOW * parallel - under_way, parallel if left is None else left - recent)

    def recent(self) -> int:
        """Return how many tasks count, because they have not taken long."""
        oldest = self._clock.now() - self._patience
        return sum(began > oldest for began in self._tasks.values())

    def next_slow(self) -> float:
        """Return when, on the clock's `now` scale, the next task stops counting because it takes too long."""
        now, patience = self._clock.now(), self._patience
        return min((at + patience for at in self._tasks.values() if at + patience > now), default=now + patience)

    async def wait(self, seconds: float) -> None:
        """Wait until all tasks have ended, at most this many seconds."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)

    async def cancel(self) -> None:
        """Cancel all running tasks."""
        for task in list(self._tasks):
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    def _done(self, task: asyncio.Task[None]) -> None:
        del self._tasks[task]
        if not task.cancelled() and task.exception() is not None:
            self.crash = self.crash or task.exception()
        self._wake()


ROBOTS_HOPS: Final = 5
"""Maximum number of redirects for robots.txt (RFC 9309)."""

HEAVY: Final = 64 << 20
"""Bytes of pages waiting to be read at which fetching should stop.

A fetcher that limits what it receives (`web/body_room.py`) never gets that far.
"""


class Arrival(Struct, frozen=True, eq=False):
    """A completed errand: its time, the answer, and the analysis if it was a page.

    If no server was `asked`, the answer comes from the portal: a page that counts as unchanged, or a redirect.
    """

    when: float
    errand: Errand
    answer: Answer
    analysis: Analysis | None = None
    asked: bool = True


class Carrier:
    """Fetches pages and robots.txt files and has pages analysed; remembers how much is waiting to be read.

    Pages `on_hand` are not fetched; costly pages take the slow `lane`.
    """

    def __init__(
        self, fetcher: Fetcher, analyser: Analyser, clock: Clock, lane: SlowLane, on_hand: PagesOnHand | None = None
    ) -> None:
        self._fetcher = fetcher
        self._analyser = analyser
        self._clock = clock
        self._lane = lane
        self._on_hand = on_hand
        self._in_hand = 0

    @property
    def laden(self) -> bool:
        """Whether too much is waiting to be read to fetch more."""
        return self._in_hand > HEAVY

    async def carry(self, errand: Errand) -> Arrival:
        """Do an errand; the arrival includes an analysis if the answer is a readable page."""
        if errand.robots:
            answer = await self._robots(errand.candidate)
            return self._arrival(replace(errand, ended=self._clock.now()), answer)
        candidate = errand.candidate
        if self._on_hand is not None and not (errand.missing or candidate.lists or candidate.copy):
            known = self._on_hand.find(candidate.url)
            if isinstance(known, Redirected):
                return self._arrival(errand, known, asked=False)
            if isinstance(known, ParsedPage | list) and (analysis := await self._read(known)) is not None:
                answer = Unchanged(url=candidate.url, at=self._clock.wall(), copy=Copy(digest=analysis.digest))
                return self._arrival(errand, answer, analysis, asked=False)
            if isinstance(known, Copy):
                candidate = replace(candidate, copy=known)
                errand = replace(errand, candidate=candidate)
        answer = await self._fetcher.fetch(candidate)
        errand = replace(errand, ended=self._clock.now())
        return self._arrival(errand, *await self._followed_up(candidate, answer))

    def _arrival(
        self, errand: Errand, answer: Answer, analysis: Analysis | None = None, *, asked: bool = True
    ) -> Arrival:
        return Arrival(self._clock.now(), errand, answer, analysis, asked)

    async def _followed_up(self, candidate: Candidate, answer: Answer) -> tuple[Answer, Analysis | None]:
        """Have the page of an answer analysed, if it has one; return both, or why it cannot be read."""
        if isinstance(answer, Unchanged):
            page = self._on_hand.page(candidate.url) if self._on_hand is not None else None
            return answer, await self._read(page) if page is not None else None
        if not isinstance(answer, Fetched):
            return answer, None
        self._in_hand += len(answer.body)
        try:
            # A list is read as a list, whatever its declared type; the archive keeps that type.
            result = await self._analysed(replace(answer, mime=LIST) if candidate.lists else answer)
        finally:
            self._in_hand -= len(answer.body)
        # Only the body as received is archived; the decoded one is no longer needed.
        return (result, None) if isinstance(result, Failed) else (replace(answer, body=b""), result)

    async def _analysed(self, answer: Fetched) -> Analysis | Failed:
        """Have an answer analysed among others, or in the slow lane if it is or turns out to be costly."""
        lane = self._lane
        if not lane.is_costly(answer):
            found = await self._analyser.analyse(answer, ReadingLane.BRIEF)
            if isinstance(found, Failed) and found.reason is Reason.READING_TIMEOUT:
                lane.broke_off(answer.url)
            elif lane.admits(answer.url, found):
                return found
            del found
        await lane.enter(answer.url)
        try:
            return await self._analyser.analyse(answer, ReadingLane.SLOW)
        except BaseException:
            lane.leave(answer.url)
            raise

    async def _read(self, stored: ParsedPage | list[ParsedPage]) -> Analysis | None:
        """Return the analysis of a stored page, or of the documents in an archive; None if there is none."""
        if isinstance(stored, ParsedPage):
            analysis = await self._analyser.analyse(stored)
            return analysis if isinstance(analysis, Analysis) else None
        members = [MemberAnalysis(url=page.url, result=await self._analyser.analyse(page)) for page in stored]
        return Analysis(title="", text="", terms={}, links=[], archive=ArchiveAnalysis(members=members))

    async def _robots(self, candidate: Candidate) -> Answer:
        answer = await self._fetcher.fetch(candidate)
        for _ in range(ROBOTS_HOPS):
            target = canonical(answer.to) if isinstance(answer, Redirected) else None
            if target is None:
                break
            answer = await self._fetcher.fetch(Candidate(url=target, priority=()))
        return answer
