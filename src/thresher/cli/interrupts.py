"""Handles Ctrl-C while a crawl is prepared or running: the first stops it cleanly, the second immediately."""

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Protocol, TypeVar

from thresher.cli.main import INTERRUPTED
from thresher.crawl.budget import Stop
from thresher.crawl.clock import run_real
from thresher.crawl.engine import Engine

Made = TypeVar("Made")


class WorkDisplay(Protocol):
    """The display of the work that is interrupted."""

    def tell(self, text: str) -> None:
        """Show a line of news."""

    def restore(self) -> None:
        """Restore the terminal."""


_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def run_until_interrupted(main: Coroutine[Any, Any, Made]) -> Made:
    """Run a coroutine to its end and return its result; Ctrl-C outside its crawls ends it at once.

    By default, the event loop would cancel it only at its next await, which may be a minute of training away.
    """
    before = signal.signal(signal.SIGINT, _end_at_once)
    try:
        return run_real(main)
    finally:
        signal.signal(signal.SIGINT, before)


def _end_at_once(_: int, __: FrameType | None) -> None:
    raise KeyboardInterrupt


@contextmanager
def stopping_on_signals(shown: WorkDisplay, last: bool = False) -> Iterator[Callable[[Engine], None]]:
    """Direct signals to the engine that is passed to the yielded function; restore the previous handlers afterwards.

    A signal that arrives while the crawl is being prepared stops the engine as soon as it exists, so that the crawl
    ends like any other: committed, with its reason, and resumable. A signal that arrives after the crawl has ended by
    itself raises KeyboardInterrupt, unless this crawl is the `last`, because otherwise more work follows.
    """
    loop = asyncio.get_running_loop()
    engines: list[Engine] = []
    pressed = 0
    obeyed = False

    def press(_: int, __: FrameType | None) -> None:
        nonlocal pressed
        pressed += 1
        if pressed > 1:
            shown.restore()
            os._exit(INTERRUPTED)
        # A signal handler may run in the middle of a print; the loop calls back between two steps.
        loop.call_soon_threadsafe(stop)

    def stop() -> None:
        nonlocal obeyed
        shown.tell("Stopping: finishing pages in flight. Press Ctrl-C again to stop immediately.")
        for engine in engines:
            obeyed = engine.stop(Stop.INTERRUPTED)

    def take(engine: Engine) -> None:
        nonlocal obeyed
        engines.append(engine)
        if pressed:
            obeyed = engine.stop(Stop.INTERRUPTED)

    before = {number: signal.signal(number, press) for number in _SIGNALS}
    try:
        yield take
    finally:
        for number, usual in before.items():
            signal.signal(number, usual)
    if pressed and not (obeyed or last):
        raise KeyboardInterrupt
