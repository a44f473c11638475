"""Tests on any machine: wait for what must happen, and measure in seconds of a machine that is not busy."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, TypeVar

T = TypeVar("T")

PATIENCE: Final = 300.0
"""Seconds a test waits for what must happen; a machine with much to do takes its time."""


def until(happened: Callable[[], T], what: str = "it never happened") -> T:
    """Return what a function gives as soon as that is true; fails with `what` when patience ends."""
    end = time.monotonic() + PATIENCE
    while not (found := happened()):
        assert time.monotonic() < end, what
        time.sleep(0.05)
    return found


async def turned(times: int = 100) -> None:
    """Let the event loop turn so often that whatever is ready in it is done."""
    for _ in range(times):
        await asyncio.sleep(0)


def slowness() -> float:
    """Return how many seconds pass on this machine in one second of processor time, at least 1."""
    clock, processor = time.monotonic(), time.process_time()
    while (spent := time.process_time() - processor) < 0.1:
        pass
    return max(1.0, (time.monotonic() - clock) / spent)


@dataclass(slots=True)
class Spent:
    """Processor time of a block of code, in seconds of a common machine."""

    seconds: float = 0.0


@contextmanager
def spending() -> Iterator[Spent]:
    """Measure the processor time of a block, in seconds of a common machine.

    Processors differ, and a busy core counts each instruction dearer: a short loop before and after the block tells by
    how much. Limits guard against work that grows with the square of its input, so set them several times above what
    the block takes.
    """
    spent, before = Spent(), _loop()
    started = time.process_time()
    yield spent
    spent.seconds = (time.process_time() - started) * COMMON_LOOP / max(before, _loop())


COMMON_LOOP: Final = 0.004
"""Seconds that the loop takes on a common machine."""


def _loop() -> float:
    started = time.process_time()
    total = 0
    for number in range(100_000):
        total += number
    return max(time.process_time() - started, COMMON_LOOP)
