"""Worker processes: analysis next to the coordinator, on as many cores as the machine can spare.

Pages travel as MessagePack over pipes. A worker that takes too long or dies costs its page, not the crawl: it is
replaced, and the page fails with a reason. Domains whose pages are waiting are served in fair turns. One more worker,
started when first needed, reads expensive pages beside the others at low priority.
"""

import asyncio
import contextlib
import os
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from thresher.documents.sandbox_frames import FRAME
from thresher.errors import PluginError
from thresher.faults import StrategyFailed
from thresher.protocols import Clock
from thresher.reading.analysis import Analyser, Analysis, ReadingLane
from thresher.reading.fair_turns import FairTurns
from thresher.reading.worker import TRAILER, Broken
from thresher.reasons import Reason
from thresher.types import Failed, Fetched, ParsedPage
from thresher.web.urls import host_of, registered_domain

NICENESS: Final = 5
"""Niceness of the worker for expensive pages."""

_SMALL: Final = 1 << 16


class WorkerPool:
    """An analyser in `size` processes; `deadline` is the time limit for one page, `brief` for a brief one, in seconds.

    `factory` is the dotted path of the function that makes the analyser in each worker, `recipe` the JSON it gets.
    """

    def __init__(
        self, factory: str, recipe: bytes, *, clock: Clock, size: int = 1, deadline: float = 20.0, brief: float = 5.0
    ) -> None:
        self._factory = factory
        self._recipe = recipe
        self._clock = clock
        self._size = size
        self._deadline = deadline
        self._brief = min(brief, deadline)
        self._turns = FairTurns(size, clock)
        self._slow_turns = FairTurns(1, clock)
        self._idle: list[_Worker] = []
        self._slow: _Worker | None = None
        self._workers: set[_Worker] = set()
        kinds = Analysis | Failed | Broken
        self._decoder: msgspec.msgpack.Decoder[Analysis | Failed | Broken] = msgspec.msgpack.Decoder(kinds)
        self._encoder = msgspec.msgpack.Encoder()

    async def start(self) -> None:
        """Start all workers and wait until each is ready."""
        self._idle += await asyncio.gather(*[self._spawn() for _ in range(self._size)])

    async def analyse(self, source: Fetched | ParsedPage, lane: ReadingLane = ReadingLane.COMMON) -> Analysis | Failed:
        """Analyse a page when it is its domain's turn; raise PluginError if the strategy fails."""
        turns = self._slow_turns if lane is ReadingLane.SLOW else self._turns
        domain = registered_domain(host_of(source.url))
        await turns.enter(domain)
        began = self._clock.now()
        if lane is not ReadingLane.SLOW:
            worker = self._idle.pop()
        elif self._slow is not None:
            worker = self._slow
        else:
            worker = await self._spawn(slow=True)
        # If this is cancelled, the worker is killed and its place is lost: its answer would be taken for the next
        # page's.
        worker, result = await self._answer(
            worker, source, self._brief if lane is ReadingLane.BRIEF else self._deadline
        )
        if lane is ReadingLane.SLOW:
            self._slow = worker
        else:
            self._idle.append(worker)
        turns.charge(domain, self._clock.now() - began)
        turns.leave()
        if isinstance(result, Broken):
            raise PluginError(result.sentence, result.remedy, StrategyFailed())
        return result

    async def _answer(
        self, worker: "_Worker", source: Fetched | ParsedPage, deadline: float
    ) -> "tuple[_Worker, Analysis | Failed | Broken]":
        """Return a worker's result for a page, and the worker for the next page: the same one or its replacement."""
        # Packed only now, and without the raw bytes, so that waiting pages are in memory only once.
        job = self._encoder.encode(replace(source, raw=b"") if isinstance(source, Fetched) else source)
        result: Analysis | Failed | Broken
        try:
            async with asyncio.timeout(deadline):
                frame = memoryview(await worker.ask(job))
            seconds, worn_out = TRAILER.unpack(frame[-TRAILER.size :])
            result = self._decoder.decode(frame[: -TRAILER.size])
            if isinstance(result, Analysis):
                result = replace(result, seconds=seconds)
        except TimeoutError:
            worn_out, result = True, self._failed(source, Reason.READING_TIMEOUT)
        except (EOFError, OSError, msgspec.MsgspecError):
            worn_out, result = True, self._failed(source, Reason.READER_CRASHED)
        except asyncio.CancelledError:
            self._workers.discard(worker)
            worker.kill()
            raise
        return (await self._replace(worker) if worn_out else worker), result

    async def close(self) -> None:
        """End all workers."""
        for worker in self._workers:
            worker.kill()
        for worker in self._workers:
            await worker.process.wait()
        self._workers = set()

    async def _spawn(self, *, slow: bool = False) -> "_Worker":
        # In its own session, Ctrl-C at the terminal does not reach it while it is loading.
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "thresher.reading.worker",
            self._factory,
            stdin=PIPE,
            stdout=PIPE,
            limit=1 << 20,
            start_new_session=True,
        )
        worker = _Worker(process, slow=slow)
        self._workers.add(worker)
        if slow:
            _stand_back(process.pid)
        await worker.ask(self._recipe)
        return worker

    async def _replace(self, worker: "_Worker") -> "_Worker":
        self._workers.discard(worker)
        worker.kill()
        await worker.process.wait()
        return await self._spawn(slow=worker.slow)

    def _failed(self, source: Fetched | ParsedPage, reason: Reason) -> Failed:
        status = source.status if isinstance(source, Fetched) else None
        return Failed(url=source.url, reason=reason, at=self._clock.wall(), status=status)


def _stand_back(pid: int) -> None:
    """Lower the priority of a process if the system allows it."""
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, pid, NICENESS)
    # Linux may first share the processor among sessions, and each worker is one.
    with contextlib.suppress(OSError):
        Path(f"/proc/{pid}/autogroup").write_text(str(NICENESS))


class _Worker:
    """One process and its pipes; it answers one request at a time, at low priority if `slow`."""

    def __init__(self, process: Process, *, slow: bool = False) -> None:
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("A worker was started without pipes.")
        self.process = process
        self.slow = slow
        self._stdin = process.stdin
        self._stdout = process.stdout

    async def ask(self, frame: bytes) -> bytes:
        """Send a frame and return the answer; raise EOFError if the worker has died."""
        # Write both together so that the worker wakes up once, but do not copy a large frame for that.
        head = FRAME.pack(len(frame))
        for part in (head + frame,) if len(frame) < _SMALL else (head, frame):
            self._stdin.write(part)
        await self._stdin.drain()
        (length,) = FRAME.unpack(await self._stdout.readexactly(FRAME.size))
        return await self._stdout.readexactly(length)

    def kill(self) -> None:
        """End the process at once."""
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()


class RenewableAnalyser:
    """An analyser that can be replaced while a crawl runs, for example after retraining.

    Every page goes to the newest analyser; a replaced one is closed when its last page is done.
    """

    def __init__(self, first: Analyser) -> None:
        self._current = first
        self._busy: dict[Analyser, int] = {first: 0}

    async def analyse(self, source: Fetched | ParsedPage, lane: ReadingLane = ReadingLane.COMMON) -> Analysis | Failed:
        """Return the analysis, or why there is none."""
        mine = self._current
        self._busy[mine] += 1
        try:
            return await mine.analyse(source, lane)
        finally:
            self._busy[mine] -= 1
            await self._retire(mine)

    async def renew(self, analyser: Analyser) -> None:
        """Send pages to another analyser from now on."""
        before, self._current = self._current, analyser
        self._busy[analyser] = 0
        await self._retire(before)

    async def close(self) -> None:
        """Close all analysers; none can be used afterwards."""
        for analyser in list(self._busy):
            await analyser.close()
        self._busy.clear()

    async def _retire(self, analyser: Analyser) -> None:
        if analyser is not self._current and self._busy.get(analyser) == 0:
            del self._busy[analyser]
            await analyser.close()
