"""The results readers opened, if the portal is set to record them."""

from typing import Protocol

from msgspec import Struct


class ClickRow(Struct, frozen=True, kw_only=True):
    """A result that a reader opened: its rank, from 1, and the seconds until the reader came back.

    `seconds` is None if the reader did not come back. `reader` is the name of an account, empty for an anonymous
    reader.
    """

    at: float
    query: str
    page: int
    place: int
    seconds: float | None = None
    reader: str = ""
    id: int = 0


class Clicks(Protocol):
    """The results readers opened."""

    def add(self, row: ClickRow) -> int:
        """Add a click and return its number."""

    def returned(self, row: ClickRow) -> bool:
        """Record the `seconds` after which a reader came back; return False if no open click of theirs matches."""

    def all(self, query: str | None = None, reader: str | None = None) -> list[ClickRow]:
        """Return the clicks, oldest first: all, or those for one query or by one reader."""
