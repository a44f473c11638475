"""Former names of topics, and their colours."""

from collections.abc import Mapping, Sequence
from typing import Protocol


class TopicHistory(Protocol):
    """How the topic tree came about; paths are written paths."""

    def move(self, moves: Sequence[tuple[str, str]], at: float) -> None:
        """Keep that topics are called otherwise now: (as it was, as it is) each; colours follow. Durable at once."""

    def forget(self, path: str) -> None:
        """Drop what became of a topic: it is back under its old path. Colours stay. Durable at once."""

    def moves(self) -> dict[str, str]:
        """Return what each topic that was renamed, moved or merged became then; that may have changed once more."""

    def colours(self) -> dict[str, int]:
        """Return the numbers of the colours of branches."""

    def paint(self, colours: Mapping[str, int]) -> None:
        """Give colours to branches that have none; one that has a colour keeps it."""
