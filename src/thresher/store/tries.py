"""Counts attempts, for the rate limits of the web portal."""

from typing import Final, Protocol

DAY: Final = 86_400.0
"""Seconds after which a try is forgotten."""


class Tries(Protocol):
    """Tries by what was tried, `kind`, and who tried, `name`; processes that serve one portal share them."""

    def take(self, kind: str, name: bytes, at: float, since: float, most: int) -> float | None:
        """Count a try and return None; where `most` were counted after `since`, return when the first of them was."""

    def counted(self, kind: str, name: bytes, at: float) -> tuple[int, float]:
        """Return how many tries there were in the day before `at` and when the last was, 0 if there was none."""

    def forget(self, kind: str, name: bytes) -> None:
        """Forget the tries of a name."""
