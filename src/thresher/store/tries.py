"""Counts attempts, for the rate limits of the web portal."""

from typing import Final, Protocol

DAY: Final = 86_400.0
"""Seconds after which an attempt is forgotten."""


class Tries(Protocol):
    """Attempts by `kind` and by `name`, who made them; all processes that serve a portal share them."""

    def take(self, kind: str, name: bytes, at: float, since: float, most: int) -> float | None:
        """Count an attempt and return None; if `most` were counted after `since`, return when the first of them was."""

    def counted(self, kind: str, name: bytes, at: float) -> tuple[int, float]:
        """Return the number of attempts in the day before `at`, and when the last was, 0 if there was none."""

    def forget(self, kind: str, name: bytes) -> None:
        """Forget the attempts of a name."""
