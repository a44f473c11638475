"""SQL queries by administrators: their limits and results."""

from typing import Any

from msgspec import Struct


class QueryLimits(Struct, frozen=True, kw_only=True):
    """Limits of a query: rows to show, seconds to run, and characters of a value."""

    rows: int = 1000
    seconds: float = 5.0
    characters: int = 2000


class Table(Struct, frozen=True):
    """The result of a query: column names, rows, and whether there are more rows."""

    columns: list[str]
    rows: list[tuple[Any, ...]]
    more: bool = False
