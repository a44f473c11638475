"""SQL queries by administrators: their limits and results."""

from typing import Any

from msgspec import Struct


class Limits(Struct, frozen=True, kw_only=True):
    """What a query may cost: rows that are shown, seconds that it takes, and characters of a value."""

    rows: int = 1000
    seconds: float = 5.0
    characters: int = 2000


class Table(Struct, frozen=True):
    """What a query found: the names of the columns, the rows, and whether there are more than are shown."""

    columns: list[str]
    rows: list[tuple[Any, ...]]
    more: bool = False
