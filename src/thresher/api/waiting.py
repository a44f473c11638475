"""Long work for callers that wait: in scripts and in notebooks, where an event loop runs already."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from thresher.crawl.budget import Stop

if TYPE_CHECKING:
    from thresher.crawl.engine import Engine

Made = TypeVar("Made")


class Work(Generic[Made]):
    """Work in a thread of its own. Ctrl-C stops its crawl cleanly, and is raised once that has ended.

    `start` is given a function that surrounds each crawl, as `runs.training.Watch` has it, and returns the work.
    """

    def __init__(self, start: Callable[["Work[Made]"], Coroutine[Any, Any, Made]]) -> None:
        self._start = start
        self._loop: asyncio.AbstractEventLoop | None = None
        self._engine: Engine | None = None
        self._stopping = False
        self._ended = threading.Event()
        self._made: Made
        self._error: BaseException | None = None

    def result(self) -> Made:
        """Do the work and return what it made."""
        thread = threading.Thread(target=self._work, name="thresher", daemon=True)
        thread.start()
        interrupted = False
        # Joining the thread would take it for ended when a signal comes meanwhile.
        while not self._ended.is_set():
            try:
                self._ended.wait(0.2)
            except KeyboardInterrupt:
                if interrupted:
                    raise
                interrupted = True
                self._stop()
        if self._error is not None:
            raise self._error
        if interrupted:
            raise KeyboardInterrupt
        return self._made

    @contextmanager
    def crawling(self, last: bool = True) -> Iterator[Callable[["Engine"], None]]:
        """Surround a crawl; gives a function that takes its engine."""
        del last
        yield self.take
        self._engine = None

    def take(self, engine: "Engine") -> None:
        """Take the engine that an interruption stops."""
        self._engine = engine
        if self._stopping:
            engine.stop(Stop.INTERRUPTED)

    def _stop(self) -> None:
        self._stopping = True
        loop, engine = self._loop, self._engine
        if loop is not None and engine is not None:
            loop.call_soon_threadsafe(engine.stop, Stop.INTERRUPTED)

    def _work(self) -> None:
        async def under_way() -> Made:
            self._loop = asyncio.get_running_loop()
            return await self._start(self)

        try:
            self._made = asyncio.run(under_way())
        except BaseException as error:
            self._error = error
        finally:
            self._ended.set()
