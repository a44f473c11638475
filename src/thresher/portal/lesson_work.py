"""Lessons at work: what answers change is worked out by a process of its own, so that nobody waits for it."""

import subprocess
import sys
import threading
from enum import StrEnum
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from thresher.store.decisions import DecisionKind, LessonRow, LessonState
from thresher.store.protocol import Store
from thresher.train.lesson_claims import is_claimed


class LessonAction(StrEnum):
    """What can be done with a lesson."""

    ESTIMATE = "estimate"
    APPLY = "apply"
    UNDO = "undo"


AFTER: Final = 20
"""Decisions after which their effect is estimated."""

_STARTING: Final = 60.0
"""Seconds a process may take to say that it works."""


class LessonWork:
    """Starts the processes of lessons, and knows whether they run."""

    def __init__(self, portal: Path, store: Store) -> None:
        self._portal = portal
        self._store = store

    def newest(self, now: float) -> LessonRow | None:
        """Return the newest lesson; one whose process is gone before it was done has failed."""
        row = next(iter(self._store.lessons.all()), None)
        if row is not None and row.state is LessonState.WANTED and not self.is_working(row, now):
            self._store.lessons.swap(row, replace(row, state=LessonState.FAILED, pid=0))
            return self._store.lessons.get(row.id)
        return row

    def is_working(self, row: LessonRow, now: float) -> bool:
        """Tell whether a process works on a lesson, or is about to."""
        if row.pid:
            return is_claimed(row, now)
        return row.state is LessonState.WANTED and now - row.at < _STARTING

    def since_last(self) -> int:
        """Return how many decisions hold that the newest lesson has not seen."""
        rows = self._store.lessons.all()
        last = next((int(row.report["last"]) for row in rows if "last" in row.report), 0)
        found = self._store.decisions.all(1000)
        return sum(row.id > last and row.undone is None and row.kind is not DecisionKind.LATER for row in found)

    def begin(self, action: LessonAction, user: int | None, now: float) -> LessonRow | None:
        """Begin to estimate, apply or undo; None where a process is at work already, or there is nothing to do."""
        newest = self.newest(now)
        if newest is not None and self.is_working(newest, now):
            return None
        if action is LessonAction.ESTIMATE:
            row = self._store.lessons.put(LessonRow(at=now, state=LessonState.WANTED, user=user))
        else:
            wanted = LessonState.READY if action is LessonAction.APPLY else LessonState.APPLIED
            found = newest if newest is not None and newest.state is wanted else None
            if found is None:
                return None
            row = found
        self._run(action, row.id)
        return row

    def _run(self, action: LessonAction, number: int) -> None:
        words = ["answers", str(self._portal.resolve()), action.value, "--lesson", str(number)]
        process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-m", "thresher", *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        threading.Thread(target=process.wait, name=f"lesson {number}", daemon=True).start()
