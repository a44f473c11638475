"""Which results readers opened, where a portal is set to keep that."""

from typing import Protocol

from msgspec import Struct


class ClickRow(Struct, frozen=True, kw_only=True):
    """A result that a reader opened: its place among the results, from 1, and the seconds until the reader came back.

    `seconds` is None where the reader did not come back. `reader` is the name of an account, empty for a stranger.
    """

    at: float
    query: str
    page: int
    place: int
    seconds: float | None = None
    reader: str = ""
    id: int = 0


class Clicks(Protocol):
    """What readers opened."""

    def add(self, row: ClickRow) -> int:
        """Add a click and return its number."""

    def returned(self, number: int, seconds: float, reader: str) -> bool:
        """Keep when a reader came back; False where the click is not this reader's, or that was told before."""

    def all(self) -> list[ClickRow]:
        """Return all clicks, oldest first."""
