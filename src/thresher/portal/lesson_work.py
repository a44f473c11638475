"""Background work on lessons, in a separate process so nobody has to wait."""

from enum import StrEnum
from typing import Final

from msgspec import to_builtins
from msgspec.structs import replace

from thresher.portal.work import InTheWay, Workbench
from thresher.store.decisions import LessonRow, LessonState
from thresher.store.portal_records import UserRow
from thresher.store.protocol import Store
from thresher.store.work_records import WorkKind, WorkRow
from thresher.train.lesson_claims import is_claimed


class LessonAction(StrEnum):
    """What can be done with a lesson."""

    ESTIMATE = "estimate"
    APPLY = "apply"
    UNDO = "undo"
    STOP = "stop"


AFTER: Final = 20
"""Number of decisions after which their effect is estimated."""

_NOT_BEGUN: Final = "not_begun"
"""Report key of a lesson that could not start because of other work; it must not hide the previous lesson."""

_STARTING: Final = 60.0
"""Seconds a process may take to report that it is running."""


class LessonWork:
    """Starts the work on lessons and tracks whether it is running."""

    def __init__(self, bench: Workbench, store: Store) -> None:
        self._bench = bench
        self._store = store

    def newest(self, now: float) -> LessonRow | None:
        """Return the newest lesson; it has failed if its process ended before it was done."""
        row = next((row for row in self._store.lessons.all() if _NOT_BEGUN not in row.report), None)
        if row is not None and row.state is LessonState.WANTED and not self.is_working(row, now):
            self._store.lessons.swap(row, replace(row, state=LessonState.FAILED, pid=0))
            return self._store.lessons.get(row.id)
        return row

    def is_working(self, row: LessonRow, now: float) -> bool:
        """Return whether a process is working on a lesson or about to start."""
        if self.running(now) is not None:
            return True
        # It may have been started from a terminal.
        if row.pid:
            return is_claimed(row, now)
        return row.state is LessonState.WANTED and not self._has_ended(row) and now - row.at < _STARTING

    def running(self, now: float) -> WorkRow | None:
        """Return the running work on lessons, or None."""
        return next((row for row in self._bench.running(now) if row.kind is WorkKind.ANSWERS), None)

    def stoppable(self, now: float) -> WorkRow | None:
        """Return the work that can be stopped, or None; only an estimate can, as it has not changed anything yet."""
        row = self.running(now)
        return row if row is not None and row.arguments[:1] == (LessonAction.ESTIMATE.value,) else None

    def since_last(self) -> int:
        """Return the number of current decisions that the newest lesson does not include."""
        rows = self._store.lessons.all()
        last = next((int(row.report["last"]) for row in rows if "last" in row.report), 0)
        found = self._store.decisions.all(1000)
        return sum(row.id > last and row.undone is None and row.kind.judges for row in found)

    def begin(self, action: LessonAction, user: UserRow | None, now: float) -> LessonRow | InTheWay | None:
        """Start to estimate, apply or undo, or stop an estimate; return the lesson, or the work in the way.

        Returns None if work is already in progress or there is nothing to do.
        """
        newest = self.newest(now)
        if action is LessonAction.STOP:
            running = self.stoppable(now)
            if running is not None:
                self._bench.stop(running, user.name if user else "")
            return None
        if newest is not None and self.is_working(newest, now):
            return None
        if action is LessonAction.ESTIMATE:
            wanted = LessonRow(at=now, state=LessonState.WANTED, user=user.id if user else None)
            row = self._store.lessons.put(wanted)
        else:
            state = LessonState.READY if action is LessonAction.APPLY else LessonState.APPLIED
            if newest is None or newest.state is not state:
                return None
            row = newest
        arguments = (action.value, "--lesson", str(row.id))
        work = WorkRow(kind=WorkKind.ANSWERS, asked=now, user=user.name if user else "", arguments=arguments)
        started = self._bench.start(work)
        if not isinstance(started, InTheWay):
            return row
        if row.state is LessonState.WANTED:
            report = to_builtins(started.error) if started.error else {_NOT_BEGUN: True}
            self._store.lessons.swap(row, replace(row, state=LessonState.FAILED, report=report))
        return started

    def _has_ended(self, lesson: LessonRow) -> bool:
        """Return whether the work on an unclaimed lesson has ended."""
        mine = ("--lesson", str(lesson.id))
        works = self._store.works.newest(10)
        return any(row.kind is WorkKind.ANSWERS and row.arguments[1:] == mine and row.ended for row in works)
