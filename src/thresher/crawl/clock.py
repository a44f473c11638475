"""Real time, and a virtual time in which waiting costs nothing.

The virtual loop is an ordinary asyncio loop whose clock jumps to the next timer whenever nothing else is left to do. A
crawl of the in-memory web, with its delays, timeouts and hanging hosts, runs as fast as the processor allows and always
in the same order.
"""

import asyncio
import gc
import selectors
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

T = TypeVar("T")

DAY = 24 * 3600.0
"""Seconds in a day."""

EPOCH = 1_000_000_000.0
"""Wall time at which every virtual crawl starts, in seconds."""

_COLLECTIONS: Final = (20_000, 20, 20)
"""Garbage collector thresholds: new objects per collection, and collections before older objects are included."""


class RealClock:
    """The machine's clock."""

    def now(self) -> float:
        """Return monotonic seconds."""
        return time.monotonic()

    def wall(self) -> float:
        """Return seconds since the epoch."""
        return time.time()


class VirtualClock:
    """The time of the virtual loop it is used in.

    >>> async def nap():
    ...     clock = VirtualClock()
    ...     await asyncio.sleep(3600)
    ...     return clock.now()
    >>> run_virtual(nap())
    3600.0
    """

    def now(self) -> float:
        """Return seconds since the loop was created."""
        return asyncio.get_running_loop().time()

    def wall(self) -> float:
        """Return seconds since the epoch, `EPOCH` at the start."""
        return EPOCH + self.now()


class _JumpingSelector(selectors.DefaultSelector):
    """Reports pending events or, if there are none, advances virtual time instead of waiting."""

    passed = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        events = super().select(0)
        if not events and timeout is None:
            raise RuntimeError("A virtual crawl waits for something that can never happen.")
        if not events and timeout is not None and timeout > 0:
            self.passed += timeout
        return events


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop on virtual time; threads and sockets must not be used in it."""

    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        """Return virtual seconds since the loop was created."""
        return self._jumping.passed


def run_real(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end in real time and return its result."""
    # Not uvloop: to start a process it forks and runs Python code in the child, which waits forever for a lock of
    # SQLite that another thread held.
    with _rare_collections(), asyncio.Runner() as runner:
        return runner.run(coroutine)


@contextmanager
def _rare_collections() -> Iterator[None]:
    """Look for unreachable cycles less often: a crawl makes many objects, and hardly any of them are in cycles."""
    usual = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(*_COLLECTIONS)
    try:
        yield
    finally:
        gc.set_threshold(*usual)
        gc.unfreeze()


def run_virtual(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end on virtual time and return its result."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(coroutine)
