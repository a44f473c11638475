"""Opens a private copy of a browser's history database, because a running browser locks and changes the file.

The file is not trusted: only known tables are read, by read-only queries with a time limit.
"""

import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import apsw

from thresher.errors import InputError

LARGEST: Final = 4 << 30
"""Maximum size of a file in bytes, including its log."""

SECONDS: Final = 120.0
"""Time limit for all queries on one file."""

TRIES: Final = 5
_BESIDE: Final = ("-wal", "-journal")
_MARK: Final = b"SQLite format 3\0"
_STEPS: Final = 10_000
_VALUE: Final = 1 << 20
_ALLOWED: Final = frozenset({apsw.SQLITE_SELECT, apsw.SQLITE_READ})
_FUNCTIONS: Final = frozenset({"length", "substr", "coalesce", "typeof"})


class HistoryFile:
    """An opened copy of a browser's database; `path` is the file it was made from."""

    def __init__(self, connection: apsw.Connection, path: Path) -> None:
        self._connection = connection
        self.path = path

    def columns(self, table: str) -> frozenset[str]:
        """Return the names of a table's columns; empty if there is no such table. `table` must not come from a file."""
        found = self.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name = ?", (table,))
        if not found:
            return frozenset()
        return frozenset(str(name) for _, name, *_ in self.rows(f'PRAGMA table_info("{table}")'))

    def rows(self, sql: str, bindings: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows a query finds; raise InputError if the file is damaged or reading takes too long."""
        try:
            return self._connection.execute(sql, bindings).fetchall()
        except apsw.InterruptError:
            raise InputError(
                f"Reading '{self.path}' takes more than {SECONDS:.0f} seconds.", "Choose a shorter period with --since."
            ) from None
        except (apsw.Error, UnicodeError, MemoryError) as error:
            raise InputError(
                f"'{self.path}' is damaged: {error}.", "Close the browser and try again, or choose another profile."
            ) from None


def is_database(path: Path) -> bool:
    """Return whether a file starts like a SQLite database; False if it cannot be read."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return False
        with path.open("rb") as file:
            return file.read(len(_MARK)) == _MARK
    except OSError:
        return False


@contextmanager
def opened(path: Path) -> Iterator[HistoryFile]:
    """Open a temporary copy of a browser's database; raise InputError if that fails."""
    with tempfile.TemporaryDirectory(prefix="thresher-history-") as folder:
        copy = Path(folder) / "history.db"
        _copy(path, copy)
        if not is_database(copy):
            raise InputError(
                f"'{path}' is not a history database.", "Give Firefox's places.sqlite or Chrome's History."
            )
        try:
            connection = apsw.Connection(str(copy), flags=apsw.SQLITE_OPEN_READWRITE)
        except apsw.Error as error:
            raise InputError(f"'{path}' cannot be opened: {error}.", "Choose another file.") from None
        try:
            # The write-ahead log is applied here, before everything that a file could trigger is disabled.
            found = HistoryFile(connection, path)
            found.rows("SELECT count(*) FROM sqlite_master")
            _restrict(connection)
            yield found
        finally:
            connection.close()


def _copy(path: Path, copy: Path) -> None:
    """Copy a database and its log; retry if the browser wrote in the meantime, which would corrupt the copy."""
    try:
        for _ in range(TRIES):
            before = _state(path)
            if before and not stat.S_ISREG(path.stat().st_mode):
                raise InputError(f"'{path}' is not a file.", "Give Firefox's places.sqlite or Chrome's History.")
            if sum(size for _, size, _ in before) > LARGEST:
                raise InputError(f"'{path}' is larger than {LARGEST >> 30} GB.", "Delete old history in the browser.")
            for name, _, _ in before:
                shutil.copyfile(name, str(copy) + name[len(str(path)) :])
            if _state(path) == before:
                return
            for beside in _BESIDE:
                Path(f"{copy}{beside}").unlink(missing_ok=True)
            time.sleep(0.2)
    except OSError as error:
        raise InputError(f"'{path}' cannot be copied: {error.strerror}.", "Check the name of the file.") from None
    raise InputError(f"'{path}' keeps changing.", "Close the browser and try again.")


def _state(path: Path) -> list[tuple[str, int, int]]:
    """Return name, size and modification time of the database and its accompanying files."""
    found = []
    for name in (str(path), *(f"{path}{beside}" for beside in _BESIDE)):
        if name == str(path) or os.path.exists(name):
            status = os.stat(name)
            found.append((name, status.st_size, status.st_mtime_ns))
    return found


def _restrict(connection: apsw.Connection) -> None:
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_VIEW, 0)
    connection.pragma("query_only", True)
    connection.pragma("temp_store", 2)
    connection.limit(apsw.SQLITE_LIMIT_LENGTH, _VALUE)
    connection.limit(apsw.SQLITE_LIMIT_ATTACHED, 0)
    end = time.monotonic() + SECONDS
    connection.set_progress_handler(lambda: time.monotonic() > end, _STEPS)
    connection.authorizer = _authorize


def _authorize(kind: int, one: str | None, two: str | None, _database: str | None, _by: str | None) -> int:
    if kind == apsw.SQLITE_FUNCTION:
        return apsw.SQLITE_OK if (two or "").lower() in _FUNCTIONS else apsw.SQLITE_DENY
    if kind == apsw.SQLITE_PRAGMA:
        return apsw.SQLITE_OK if one == "table_info" else apsw.SQLITE_DENY
    return apsw.SQLITE_OK if kind in _ALLOWED else apsw.SQLITE_DENY
