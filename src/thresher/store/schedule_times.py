"""When schedules are due."""

from datetime import datetime, time, timedelta
from typing import Final

from thresher.store.work_records import ScheduleRow

_WEEK: Final = 8


def previous(row: ScheduleRow, now: float) -> float | None:
    """Return the latest time at or before `now` at which a schedule is due, or None if it has no day."""
    return _near(row, now, -1)


def following(row: ScheduleRow, now: float) -> float | None:
    """Return the next time after `now` at which a schedule is due, or None if it has no day."""
    return _near(row, now, 1)


def _near(row: ScheduleRow, now: float, step: int) -> float | None:
    today = datetime.fromtimestamp(now).date()
    for number in range(_WEEK):
        day = today + timedelta(days=step * number)
        if not row.days >> day.weekday() & 1:
            continue
        # An hour skipped by daylight saving time is taken as an hour later.
        due = datetime.combine(day, time(row.minute // 60 % 24, row.minute % 60)).astimezone().timestamp()
        if (due <= now) if step < 0 else (due > now):
            return due
    return None
