"""Schooling: a crawl that goes on while its classifier is trained anew beside it."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, Final, Protocol

from msgspec import Struct

from thresher.crawl.phases.harvest_rate import HarvestRate
from thresher.crawl.phases.timetable import Timetable
from thresher.protocols import PageClassifier

RETRAINED: Final = "retrained"
"""The event that tells of a lesson."""

BROKEN_OFF: Final = "retraining-broken-off"
"""The event that tells of a lesson that the end of its crawl broke off; what it had learnt by then may be stored."""


class Lesson(Struct, frozen=True):
    """What a retraining came to.

    `classifier` is the new one, None where the old one stays: nothing was learnt, or the round was rolled back. `hubs`
    are ids of the pages whose links come first now, `links` how many of each; `detail` tells the log.
    """

    classifier: PageClassifier | None = None
    hubs: tuple[int, ...] = ()
    links: int = 0
    detail: dict[str, Any] = {}


class Teacher(Protocol):
    """Trains the classifier of a crawl anew from what the crawl has stored."""

    async def teach(self) -> Lesson:
        """Return what came of it; expected failures are lessons without a classifier whose detail has an `error`."""


class Schooling:
    """Calls a teacher by a timetable, one lesson at a time; fetching never waits for it.

    `taught_at` is the number of pages the crawl had at its last retraining.
    """

    def __init__(self, teacher: Teacher, timetable: Timetable, taught_at: int = 0) -> None:
        self._teacher = teacher
        self._timetable = timetable
        self._taught_at = taught_at
        self._task: asyncio.Task[Lesson] | None = None

    def lesson(self, pages: int, rate: HarvestRate, wake: Callable[[], None]) -> Lesson | None:
        """Begin a lesson where it is time, and return one that is done; `wake` is called when it is.

        `pages` is the number of pages the crawl has now.
        """
        if self._task is None:
            if self._timetable.due(pages - self._taught_at, rate):
                self._task = asyncio.get_running_loop().create_task(self._teacher.teach())
                self._task.add_done_callback(lambda _: wake())
            return None
        if not self._task.done():
            return None
        task, self._task = self._task, None
        self._taught_at = pages
        rate.clear()
        return task.result()

    async def dismiss(self) -> bool:
        """Break off a lesson that goes on; tell whether one did."""
        if self._task is None:
            return False
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        self._task = None
        return True
