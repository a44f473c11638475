"""How a caller waits for long work: in a separate thread, or in its own way."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing, contextmanager
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

from thresher.api.progress_line import ProgressLine
from thresher.crawl.budget import Stop
from thresher.crawl.clock import run_real
from thresher.store.records import Progress

if TYPE_CHECKING:
    # These import numpy, which simply reading a portal does not need.
    from thresher.crawl.engine import Engine
    from thresher.runs.training import Watch

Made = TypeVar("Made")


@runtime_checkable
class Waits(Protocol):
    """A caller's own way to wait for long work; the command line has one with a display and signal handlers."""

    def result(self, work: Callable[["Watch"], Coroutine[Any, Any, Made]]) -> Made:
        """Start the work with a watch, wait for it, and return its result.

        Raises KeyboardInterrupt if it is interrupted while there is no running crawl to stop cleanly.
        """


ShowProgress = bool | Callable[[Progress], None] | Waits | None
"""True shows a status line, a function is called with the counters, None and False are silent."""


def result_of(work: Callable[["Watch"], Coroutine[Any, Any, Made]], progress: ShowProgress) -> Made:
    """Do long work, show its progress as requested, and return its result."""
    if isinstance(progress, Waits):
        return progress.result(work)
    if progress is True:
        with closing(ProgressLine()) as line:
            return InThread(line, line.stage).result(work)
    return InThread(progress or None).result(work)


class InThread:
    """Runs work in a separate thread, so it works even if an event loop is running, as in a notebook.

    `tell` is called with the latest counters and `on_stage` with the headline of each stage, in the waiting thread.
    Ctrl-C, or an exception raised by one of them, stops the running crawl. Use each object only once.
    """

    def __init__(
        self,
        tell: Callable[[Progress], None] | None = None,
        on_stage: Callable[[str], None] | None = None,
        every: float = 0.2,
    ) -> None:
        self._tell = tell
        self._on_stage = on_stage
        self._every = every
        self._newest: Progress | None = None
        self._stages: SimpleQueue[tuple[Progress | None, str]] = SimpleQueue()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._engine: Engine | None = None
        self._stopping = False
        self._obeyed = False
        self._ended = threading.Event()

    def result(self, work: Callable[["Watch"], Coroutine[Any, Any, Made]]) -> Made:
        """Do the work and return its result; see `Waits`."""
        made: list[Made] = []
        failed: list[BaseException] = []

        def run() -> None:
            try:
                made.append(run_real(self._under_way(work)))
            except BaseException as error:
                failed.append(error)
            finally:
                self._ended.set()

        threading.Thread(target=run, name="thresher", daemon=True).start()
        raised = self._waited()
        if failed:
            raise failed[0]
        if raised is not None and not (self._obeyed and isinstance(raised, KeyboardInterrupt)):
            raise raised
        return made[0]

    def _waited(self) -> BaseException | None:
        """Wait for the end and return what was raised in the meantime; a second interrupt is raised at once."""
        raised: BaseException | None = None
        # If a signal arrives during `join`, the thread would be considered finished.
        while True:
            try:
                ended = self._ended.wait(self._every)
                self._show()
                if ended:
                    return raised
            except BaseException as error:
                if raised is not None:
                    raise
                raised = error
                self._stop()

    def _show(self) -> None:
        while not self._stages.empty():
            before, headline = self._stages.get()
            self._show_counters(before)
            if self._on_stage is not None:
                self._on_stage(headline)
        newest, self._newest = self._newest, None
        self._show_counters(newest)

    def _show_counters(self, progress: Progress | None) -> None:
        if self._tell is None or progress is None:
            return
        try:
            self._tell(progress)
        except BaseException:
            # What raised is not called again while the crawl stops.
            self._tell = None
            raise

    async def _under_way(self, work: Callable[["Watch"], Coroutine[Any, Any, Made]]) -> Made:
        from thresher.runs.training import Watch

        self._loop = asyncio.get_running_loop()
        return await work(Watch(stage=self._take_stage, progress=self._take_progress, crawling=self._crawling))

    def _take_progress(self, progress: Progress) -> None:
        self._newest = progress

    def _take_stage(self, headline: str) -> None:
        # The counters so far belong to the stage before.
        newest, self._newest = self._newest, None
        self._stages.put((newest, headline))

    @contextmanager
    def _crawling(self, last: bool = True) -> Iterator[Callable[["Engine"], None]]:
        del last
        yield self._take_engine
        self._engine = None

    def _take_engine(self, engine: "Engine") -> None:
        self._engine = engine
        if self._stopping:
            self._stop_engine(engine)

    def _stop_engine(self, engine: "Engine") -> None:
        self._obeyed = engine.stop(Stop.INTERRUPTED)

    def _stop(self) -> None:
        self._stopping = True
        loop, engine = self._loop, self._engine
        if loop is not None and engine is not None:
            loop.call_soon_threadsafe(self._stop_engine, engine)
