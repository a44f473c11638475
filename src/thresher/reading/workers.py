"""Worker processes: analysis beside the coordinator, on as many cores as the machine has to spare.

Pages travel as MessagePack over pipes. A worker that takes too long or dies costs its page, not the crawl: it is
replaced, and the page fails with a reason.
"""

import asyncio
import contextlib
import sys
from asyncio.subprocess import PIPE, Process

import msgspec
from msgspec.structs import replace

from thresher.documents.sandbox_frames import FRAME
from thresher.errors import PluginError
from thresher.protocols import Clock
from thresher.reading.analysis import Analyser, Analysis
from thresher.reading.worker import Broken
from thresher.reasons import Reason
from thresher.types import Failed, Fetched, Page


class WorkerPool:
    """An analyser in `size` processes; `deadline` is the time one page may take, in seconds.

    `factory` is the dotted path of the function that makes the analyser in each worker, `recipe` the JSON it gets.
    """

    def __init__(self, factory: str, recipe: bytes, *, clock: Clock, size: int = 1, deadline: float = 20.0) -> None:
        self._factory = factory
        self._recipe = recipe
        self._clock = clock
        self._size = size
        self._deadline = deadline
        self._idle: asyncio.Queue[_Worker] = asyncio.Queue()
        self._workers: set[_Worker] = set()
        kinds = Analysis | Failed | Broken
        self._decoder: msgspec.msgpack.Decoder[Analysis | Failed | Broken] = msgspec.msgpack.Decoder(kinds)
        self._encoder = msgspec.msgpack.Encoder()

    async def start(self) -> None:
        """Start all workers and wait until each is ready."""
        for worker in await asyncio.gather(*[self._spawn() for _ in range(self._size)]):
            self._idle.put_nowait(worker)

    async def analyse(self, source: Fetched | Page) -> Analysis | Failed:
        """Analyse a page in the next worker that is free; raises PluginError where the strategy fails."""
        worker = await self._idle.get()
        # Packed only now, and without the bytes as received: pages that wait are in memory once.
        job = self._encoder.encode(replace(source, raw=b"") if isinstance(source, Fetched) else source)
        try:
            async with asyncio.timeout(self._deadline):
                frame = await worker.ask(job)
            result = self._decoder.decode(frame)
            self._idle.put_nowait(worker)
        except TimeoutError:
            return await self._replace(worker, source, Reason.READING_TIMEOUT)
        except (EOFError, OSError, msgspec.MsgspecError):
            return await self._replace(worker, source, Reason.READER_CRASHED)
        except asyncio.CancelledError:
            # Its answer would be taken for the next page's.
            self._workers.discard(worker)
            worker.kill()
            raise
        if isinstance(result, Broken):
            raise PluginError(result.sentence, result.remedy)
        return result

    async def close(self) -> None:
        """End all workers."""
        for worker in self._workers:
            worker.kill()
        for worker in self._workers:
            await worker.process.wait()
        self._workers = set()

    async def _spawn(self) -> "_Worker":
        # In a session of its own, Ctrl-C at the terminal does not reach it while it is still being loaded.
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
        worker = _Worker(process)
        self._workers.add(worker)
        await worker.ask(self._recipe)
        return worker

    async def _replace(self, worker: "_Worker", source: Fetched | Page, reason: Reason) -> Failed:
        self._workers.discard(worker)
        worker.kill()
        await worker.process.wait()
        self._idle.put_nowait(await self._spawn())
        status = source.status if isinstance(source, Fetched) else None
        return Failed(url=source.url, reason=reason, at=self._clock.wall(), status=status)


class _Worker:
    """One process and its pipes; it answers one question at a time."""

    def __init__(self, process: Process) -> None:
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("A worker was started without pipes.")
        self.process = process
        self._stdin = process.stdin
        self._stdout = process.stdout

    async def ask(self, frame: bytes) -> bytes:
        """Send a frame and return the answer; raises EOFError where the worker has died."""
        self._stdin.write(FRAME.pack(len(frame)))
        self._stdin.write(frame)
        await self._stdin.drain()
        (length,) = FRAME.unpack(await self._stdout.readexactly(FRAME.size))
        return await self._stdout.readexactly(length)

    def kill(self) -> None:
        """End the process at once."""
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()


class RenewableAnalyser:
    """An analyser that can be exchanged while a crawl runs, as after a retraining.

    Every page goes to the newest one; one that was replaced is closed when its last page is done.
    """

    def __init__(self, first: Analyser) -> None:
        self._current = first
        self._busy: dict[Analyser, int] = {first: 0}

    async def analyse(self, source: Fetched | Page) -> Analysis | Failed:
        """Return the analysis, or why there is none."""
        mine = self._current
        self._busy[mine] += 1
        try:
            return await mine.analyse(source)
        finally:
            self._busy[mine] -= 1
            await self._retire(mine)

    async def renew(self, analyser: Analyser) -> None:
        """Hand pages to another analyser from now on."""
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
