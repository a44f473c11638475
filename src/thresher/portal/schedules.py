"""Schedules: when work is due, and the thread of the server that starts it."""

import logging
import threading
from collections.abc import Callable
from datetime import datetime, time, timedelta
from typing import Final

from thresher.portal.work import InTheWay, Workbench
from thresher.store.protocol import Store
from thresher.store.work_records import EVERY_DAY, ScheduleRow, WorkKind, WorkRow

SCHEDULED: Final = (WorkKind.RUN, WorkKind.REFRESH)
"""What can be started by itself."""

DAYS: Final = {"every": EVERY_DAY, "weekdays": 0b0011111, "weekend": 0b1100000} | {
    f"day{number}": 1 << number for number in range(7)
}
"""The choices of days, by their names in the catalogue."""

LATE: Final = 2 * 3600.0
"""Seconds after which a time that was missed is left out."""

_LOOK: Final = 20.0
_WEEK: Final = 8


def previous(row: ScheduleRow, now: float) -> float | None:
    """Return the newest time at or before `now` at which a schedule is due; None where it has no day."""
    return _near(row, now, -1)


def following(row: ScheduleRow, now: float) -> float | None:
    """Return the next time after `now` at which a schedule is due; None where it has no day."""
    return _near(row, now, 1)


def _near(row: ScheduleRow, now: float, step: int) -> float | None:
    today = datetime.fromtimestamp(now).date()
    for number in range(_WEEK):
        day = today + timedelta(days=step * number)
        if not row.days >> day.weekday() & 1:
            continue
        # An hour that the clock leaves out in spring is an hour later.
        due = datetime.combine(day, time(row.minute // 60 % 24, row.minute % 60)).astimezone().timestamp()
        if (due <= now) if step < 0 else (due > now):
            return due
    return None


def carry_out(store: Store, bench: Workbench, now: float) -> list[WorkRow]:
    """Start what is due and return it; what is in the way of a schedule makes it miss its turn."""
    started = []
    for row in store.schedules.all():
        due = previous(row, now)
        if due is None or due <= max(row.fired, row.made) or not store.schedules.fire(row.id, due):
            continue
        if now - due > LATE:
            continue
        work = bench.start(WorkRow(kind=row.kind, asked=now, pages=row.pages, hours=row.hours, schedule=row.id))
        if not isinstance(work, InTheWay):
            started.append(work)
    return started


class Timekeeper:
    """Carries schedules out while the server runs."""

    def __init__(self, store: Store, bench: Workbench, clock: Callable[[], float], every: float = _LOOK) -> None:
        self._store = store
        self._bench = bench
        self._clock = clock
        self._every = every
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="schedules", daemon=True)

    def start(self) -> None:
        """Begin to look at the clock."""
        self._thread.start()

    def stop(self) -> None:
        """Look no more; returns when the thread is over."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    def _run(self) -> None:
        while not self._over.wait(self._every):
            try:
                carry_out(self._store, self._bench, self._clock())
            except Exception:  # Whatever fails now may work at the next look; without the thread nothing would start.
                logging.getLogger("thresher.portal").exception("schedules")
