"""The tables `work`, `schedules` and `looks`."""

from collections.abc import Collection
from typing import Any, Final

from thresher.store.sqlite.connection import Database, fetch
from thresher.store.sqlite.jsontext import decode, encode
from thresher.store.work_records import ScheduleRow, WorkKind, WorkRow

_WORK: Final = (
    "SELECT id, kind, pages, hours, user, schedule, asked, pid, host, born, stopped_by, ended, code, arguments"
    " FROM work"
)
_SCHEDULES: Final = "SELECT id, kind, days, minute, pages, hours, user, made, fired, removed FROM schedules"


class SqliteWorks:
    """Commands that were started as separate processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, row: WorkRow, unless: Collection[WorkKind] = ()) -> WorkRow | None:
        """Add work and return it with its number; None if unfinished work is of a kind in `unless`."""
        with self._database.writing(durable=True) as connection:
            taken = "SELECT 1 FROM work WHERE ended IS NULL AND kind IN (SELECT value FROM json_each(?)) LIMIT 1"
            if fetch(connection, taken, (encode(sorted(unless)),)):
                return None
            connection.execute(
                "INSERT INTO work (kind, pages, hours, user, schedule, asked, arguments) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (row.kind.value, row.pages, row.hours, row.user, row.schedule, row.asked, encode(row.arguments)),
            )
            number = connection.last_insert_rowid()
        return self.get(number)

    def begin(self, id_: int, pid: int, host: str, born: float) -> None:
        """Record which process does the work."""
        self._write("UPDATE work SET pid = ?, host = ?, born = ? WHERE id = ?", (pid, host, born, id_))

    def stop(self, id_: int, user: str) -> None:
        """Record who told it to stop."""
        self._write("UPDATE work SET stopped_by = ? WHERE id = ? AND ended IS NULL", (user, id_))

    def end(self, id_: int, at: float, code: int | None) -> bool:
        """Record that it has ended; return False and change nothing if that was already known."""
        return self._write("UPDATE work SET ended = ?, code = ? WHERE id = ? AND ended IS NULL", (at, code, id_))

    def get(self, id_: int) -> WorkRow | None:
        """Return the work with an id, or None."""
        found = fetch(self._database.reader(), f"{_WORK} WHERE id = ?", (id_,))
        return _work(found[0]) if found else None

    def open(self) -> list[WorkRow]:
        """Return the work that has not ended, oldest first."""
        return [_work(row) for row in fetch(self._database.reader(), f"{_WORK} WHERE ended IS NULL ORDER BY id")]

    def newest(self, limit: int) -> list[WorkRow]:
        """Return the newest work, newest first."""
        found = fetch(self._database.reader(), f"{_WORK} ORDER BY id DESC LIMIT ?", (limit,))
        return [_work(row) for row in found]

    def _write(self, sql: str, bindings: tuple[Any, ...]) -> bool:
        with self._database.writing(durable=True) as connection:
            connection.execute(sql, bindings)
            return connection.changes() > 0


class SqliteSchedules:
    """Schedules that start work automatically."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, row: ScheduleRow) -> int:
        """Add a schedule and return its number."""
        values = (row.kind.value, row.days, row.minute, row.pages, row.hours, row.user, row.made, row.fired)
        with self._database.writing(durable=True) as connection:
            connection.execute(
                "INSERT INTO schedules (kind, days, minute, pages, hours, user, made, fired)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                values,
            )
            return connection.last_insert_rowid()

    def all(self) -> list[ScheduleRow]:
        """Return the schedules that were not removed, oldest first."""
        found = fetch(self._database.reader(), f"{_SCHEDULES} WHERE removed IS NULL ORDER BY id")
        return [_schedule(row) for row in found]

    def remove(self, id_: int, at: float) -> bool:
        """Remove a schedule; return False if there is none."""
        return self._write("UPDATE schedules SET removed = ? WHERE id = ? AND removed IS NULL", (at, id_))

    def restore(self, id_: int, at: float) -> bool:
        """Restore a removed schedule; return False if there is none. Runs due before `at` are not made up for."""
        sql = "UPDATE schedules SET removed = NULL, fired = max(fired, ?) WHERE id = ? AND removed IS NOT NULL"
        return self._write(sql, (at, id_))

    def fire(self, id_: int, due: float) -> bool:
        """Record that a due time has been handled; return True for the first caller only."""
        return self._write(
            "UPDATE schedules SET fired = ? WHERE id = ? AND fired < ? AND removed IS NULL", (due, id_, due)
        )

    def _write(self, sql: str, bindings: tuple[Any, ...]) -> bool:
        with self._database.writing(durable=True) as connection:
            connection.execute(sql, bindings)
            return connection.changes() > 0


class SqliteLooks:
    """When people last viewed the report."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, user: str) -> float | None:
        """Return when a person last viewed it, or None for never."""
        found = fetch(self._database.reader(), "SELECT at FROM looks WHERE user = ?", (user,))
        return found[0][0] if found else None

    def put(self, user: str, at: float) -> None:
        """Record that a person has viewed it."""
        with self._database.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO looks (user, at) VALUES (?, ?)", (user, at))


def _work(row: tuple[Any, ...]) -> WorkRow:
    id_, kind, pages, hours, user, schedule, asked, pid, host, born, stopped_by, ended, code, arguments = row
    return WorkRow(
        id=id_,
        kind=WorkKind(kind),
        pages=pages,
        hours=hours,
        user=user,
        schedule=schedule,
        arguments=tuple(decode(arguments, list[str])),
        asked=asked,
        pid=pid,
        host=host,
        born=born,
        stopped_by=stopped_by,
        ended=ended,
        code=code,
    )


def _schedule(row: tuple[Any, ...]) -> ScheduleRow:
    id_, kind, days, minute, pages, hours, user, made, fired, removed = row
    return ScheduleRow(
        id=id_,
        kind=WorkKind(kind),
        days=days,
        minute=minute,
        pages=pages,
        hours=hours,
        user=user,
        made=made,
        fired=fired,
        removed=removed,
    )
