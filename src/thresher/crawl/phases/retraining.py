"""Retrains the classifier while the crawl continues (Sizov, section 2.2.4)."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, Final, Protocol

from msgspec import Struct

from thresher.crawl.phases.harvest_rate import HarvestRate
from thresher.protocols import PageClassifier
from thresher.store.event_kinds import EventKind


class Timetable(Struct, frozen=True, kw_only=True):
    """Retrains after `every` pages, or as soon as the mean confidence of the last pages is below `below`.

    Early on, pages of other sites say most about where topics end, so the first round comes after `first` pages, and
    the interval then doubles up to `every`. 0 turns a rule off. The confidence counts only after a full window of pages
    since the last retraining.

    >>> [Timetable(every=500, first=60).due(60, HarvestRate(), trained_at) for trained_at in (0, 60, 120)]
    [True, True, False]
    """

    every: int = 0
    below: float = 0.0
    first: int = 0

    def due(self, pages: int, rate: HarvestRate, trained_at: int = 0) -> bool:
        """Return whether retraining is due; `pages` is the number since the last retraining, at page `trained_at`."""
        between = min(self.every, max(self.first, trained_at)) if self.first else self.every
        if self.every and pages >= between:
            return True
        confidence = rate.confidence()
        return bool(self.below) and pages >= rate.window and confidence is not None and confidence < self.below


BROKEN_OFF: Final = EventKind.BROKEN_OFF
"""The event for a round broken off by the end of its crawl; what it had learned by then may be stored."""


class RetrainingResult(Struct, frozen=True):
    """The result of a retraining.

    `classifier` is the new one, or None if the old one stays. `hubs` are ids of pages whose links are put first,
    `links` of each. `detail` is for the log, unless the round is `logged` already.
    """

    classifier: PageClassifier | None = None
    hubs: tuple[int, ...] = ()
    links: int = 0
    detail: dict[str, Any] = {}
    logged: bool = False


class Retrainer(Protocol):
    """Retrains the classifier of a crawl on its stored pages."""

    async def retrain(self, pages: int) -> RetrainingResult:
        """Return the result; expected failures are results without a classifier whose detail has an `error`.

        `pages` is the number of pages of the crawl.
        """


class Retraining:
    """Retrains by a timetable, one round at a time; fetching never waits for it.

    `trained_at` is the number of pages the crawl had at its last retraining.
    """

    def __init__(self, retrainer: Retrainer, timetable: Timetable, trained_at: int = 0) -> None:
        self._retrainer = retrainer
        self._timetable = timetable
        self._trained_at = trained_at
        self._task: asyncio.Task[RetrainingResult] | None = None

    def result(self, pages: int, rate: HarvestRate, wake: Callable[[], None]) -> RetrainingResult | None:
        """Begin a round if it is due, and return the result of a finished one; `wake` is called when a round ends.

        `pages` is the number of pages the crawl has now.
        """
        if self._task is None:
            if self._timetable.due(pages - self._trained_at, rate, self._trained_at):
                self._task = asyncio.get_running_loop().create_task(self._retrainer.retrain(pages))
                self._task.add_done_callback(lambda _: wake())
            return None
        if not self._task.done():
            return None
        task, self._task = self._task, None
        self._trained_at = pages
        rate.clear()
        return task.result()

    async def break_off(self) -> bool:
        """Cancel a running round; return whether there was one."""
        if self._task is None:
            return False
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        self._task = None
        return True
