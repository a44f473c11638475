"""Tasks, schedules and report views, in memory."""

from collections.abc import Collection

from msgspec.structs import replace

from thresher.store.memory.tables import Tables
from thresher.store.work_records import ScheduleRow, WorkKind, WorkRow


class MemoryWorks:
    """Commands that were started as separate processes."""

    def __init__(self, tables: Tables) -> None:
        self._lock = tables.lock
        self._rows: dict[int, WorkRow] = {}

    def add(self, row: WorkRow, unless: Collection[WorkKind] = ()) -> WorkRow | None:
        """Add work and return it with its number; None if unfinished work is of a kind in `unless`."""
        with self._lock:
            if any(found.kind in unless for found in self.open()):
                return None
            number = len(self._rows) + 1
            self._rows[number] = replace(row, id=number)
            return self._rows[number]

    def begin(self, id_: int, pid: int, host: str, born: float) -> None:
        """Record which process does the work."""
        with self._lock:
            self._rows[id_] = replace(self._rows[id_], pid=pid, host=host, born=born)

    def stop(self, id_: int, user: str) -> None:
        """Record who told it to stop."""
        with self._lock:
            if self._rows[id_].ended is None:
                self._rows[id_] = replace(self._rows[id_], stopped_by=user)

    def end(self, id_: int, at: float, code: int | None) -> bool:
        """Record that it has ended; return False and change nothing if that was already known."""
        with self._lock:
            if id_ not in self._rows or self._rows[id_].ended is not None:
                return False
            self._rows[id_] = replace(self._rows[id_], ended=at, code=code)
            return True

    def get(self, id_: int) -> WorkRow | None:
        """Return the work with an id, or None."""
        return self._rows.get(id_)

    def open(self) -> list[WorkRow]:
        """Return the work that has not ended, oldest first."""
        with self._lock:
            return [row for row in self._rows.values() if row.ended is None]

    def newest(self, limit: int) -> list[WorkRow]:
        """Return the newest work, newest first."""
        with self._lock:
            return list(self._rows.values())[::-1][:limit]


class MemorySchedules:
    """Schedules that start work automatically."""

    def __init__(self, tables: Tables) -> None:
        self._lock = tables.lock
        self._rows: dict[int, ScheduleRow] = {}

    def add(self, row: ScheduleRow) -> int:
        """Add a schedule and return its number."""
        with self._lock:
            number = len(self._rows) + 1
            self._rows[number] = replace(row, id=number)
            return number

    def all(self) -> list[ScheduleRow]:
        """Return the schedules that were not removed, oldest first."""
        with self._lock:
            return [row for row in self._rows.values() if row.removed is None]

    def remove(self, id_: int, at: float) -> bool:
        """Remove a schedule; return False if there is none."""
        with self._lock:
            row = self._rows.get(id_)
            if row is None or row.removed is not None:
                return False
            self._rows[id_] = replace(row, removed=at)
            return True

    def restore(self, id_: int, at: float) -> bool:
        """Restore a removed schedule; return False if there is none. Runs due before `at` are not made up for."""
        with self._lock:
            row = self._rows.get(id_)
            if row is None or row.removed is None:
                return False
            self._rows[id_] = replace(row, removed=None, fired=max(row.fired, at))
            return True

    def fire(self, id_: int, due: float) -> bool:
        """Record that a due time has been handled; return True for the first caller only."""
        with self._lock:
            row = self._rows.get(id_)
            if row is None or row.removed is not None or row.fired >= due:
                return False
            self._rows[id_] = replace(row, fired=due)
            return True


class MemoryLooks:
    """When people last viewed the report."""

    def __init__(self) -> None:
        self._at: dict[str, float] = {}

    def get(self, user: str) -> float | None:
        """Return when a person last viewed it, or None for never."""
        return self._at.get(user)

    def put(self, user: str, at: float) -> None:
        """Record that a person has viewed it."""
        self._at[user] = at
