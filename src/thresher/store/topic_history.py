"""Former names of topics, and their colours."""

from collections.abc import Mapping, Sequence
from typing import Protocol


class TopicHistory(Protocol):
    """The history of the topic tree; paths are written paths."""

    def move(self, moves: Sequence[tuple[str, str]], at: float) -> None:
        """Record that topics have new names, as pairs (old, new); colours follow. Durable at once."""

    def forget(self, path: str) -> None:
        """Forget what became of a topic: it is back under its old path. Colours stay. Durable at once."""

    def moves(self) -> dict[str, str]:
        """Return the next name of each topic that was renamed, moved or merged; that one may have changed again."""

    def colours(self) -> dict[str, int]:
        """Return the colour numbers of branches."""

    def paint(self, colours: Mapping[str, int]) -> None:
        """Give colours to branches that have none."""
