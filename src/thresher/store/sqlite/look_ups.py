"""SQL queries by administrators, on a separate read-only connection without access to secrets."""

import time
from pathlib import Path
from typing import Any, Final

import apsw

from thresher.errors import InputError
from thresher.faults import QueryCostly, QueryRefused, QueryUnfit, QueryWrong
from thresher.store.look_ups import QueryLimits, Table

_ALLOWED: Final = frozenset({apsw.SQLITE_SELECT, apsw.SQLITE_RECURSIVE})
_SECRET: Final = frozenset({("users", "password"), ("deeds", "before"), ("deeds", "after")})
_SECRET_TABLES: Final = frozenset({"sessions", "browsing_sessions", "browsing_pages", "browsing_links", "browser_keys"})
_FORBIDDEN_FUNCTIONS: Final = frozenset({"load_extension", "fts3_tokenizer", "randomblob", "zeroblob"})
_STEPS: Final = 500
"""Database steps between checks of time and memory."""

_LONGEST: Final = 20_000
_VALUE: Final = 250_000
"""Size in bytes of the largest value: a single step over it, such as `instr`, takes at most about a second."""

_PATTERN: Final = 1000
_MEMORY: Final = 256 << 20
"""Bytes of memory that the database may use for a query."""


def look_up(database: Path, sql: str, limits: QueryLimits) -> Table:
    """Return the result of one query; raise InputError if it is refused, wrong or takes too long."""
    if not sql.strip() or len(sql) > _LONGEST:
        raise InputError("There is no query, or it is too long.", "Write one SELECT.", QueryUnfit())
    if "\0" in sql:
        raise InputError("The query contains a NUL character.", "Remove it.", QueryUnfit())
    connection = apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        _restrict(connection, limits)
        return _found(connection, sql, limits)
    except apsw.InterruptError:
        raise InputError(
            "The query took too long or too much memory.", "Query less, or add a LIMIT.", QueryCostly()
        ) from None
    except apsw.AuthError:
        raise InputError(
            "The query is refused: only SELECT is allowed, and passwords and sessions are not shown.",
            "Change the query.",
            QueryRefused(),
        ) from None
    except (apsw.Error, UnicodeError, MemoryError) as error:
        raise InputError(f"The query is wrong: {error}.", "Change the query.", QueryWrong()) from None
    finally:
        connection.close()


def _restrict(connection: apsw.Connection, limits: QueryLimits) -> None:
    connection.set_busy_timeout(1000)
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    connection.pragma("query_only", True)
    connection.pragma("mmap_size", 0)
    connection.pragma("temp_store", 2)
    connection.limit(apsw.SQLITE_LIMIT_LENGTH, _VALUE)
    connection.limit(apsw.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, _PATTERN)
    connection.limit(apsw.SQLITE_LIMIT_ATTACHED, 0)
    end, most = time.monotonic() + limits.seconds, apsw.memory_used() + _MEMORY
    connection.set_progress_handler(lambda: time.monotonic() > end or apsw.memory_used() > most, _STEPS)
    connection.authorizer = _authorize


def _authorize(kind: int, one: str | None, two: str | None, _database: str | None, _by: str | None) -> int:
    """Authorize a query to read tables and to call functions that only compute."""
    if kind == apsw.SQLITE_READ:
        secret = (one, two) in _SECRET or one in _SECRET_TABLES
        return apsw.SQLITE_DENY if secret else apsw.SQLITE_OK
    if kind == apsw.SQLITE_FUNCTION:
        return apsw.SQLITE_DENY if (two or "").lower() in _FORBIDDEN_FUNCTIONS else apsw.SQLITE_OK
    return apsw.SQLITE_OK if kind in _ALLOWED else apsw.SQLITE_DENY


def _found(connection: apsw.Connection, sql: str, limits: QueryLimits) -> Table:
    rows: list[tuple[Any, ...]] = []
    columns: list[str] = []
    cursor = connection.cursor()
    cursor.exec_trace = _OneStatement()
    for values in cursor.execute(sql):
        columns = columns or [name for name, *_ in cursor.get_description()]
        if len(rows) >= limits.rows:
            return Table(columns, rows, more=True)
        rows.append(tuple(_shown(value, limits.characters) for value in values))
    return Table(columns, rows)


class _OneStatement:
    """Refuses a second statement in a query; a mere comment is not a statement."""

    def __init__(self) -> None:
        self._started = False

    def __call__(self, cursor: apsw.Cursor, _sql: str, _bindings: object) -> bool:
        if self._started and cursor.get_description():
            raise InputError("The query has more than one statement.", "Write one SELECT.", QueryUnfit())
        self._started = True
        return True


def _shown(value: Any, characters: int) -> Any:
    if isinstance(value, bytes):
        return f"{value[:32].hex()}{'...' if len(value) > 32 else ''} ({len(value)} bytes)"
    return value[:characters] if isinstance(value, str) else value
