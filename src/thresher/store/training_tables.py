"""The protocol of the training tables: classifiers, and pages proposed as archetypes."""

from collections.abc import Sequence
from typing import Protocol

from thresher.store.records import ArchetypeRow, ModelRow


class Models(Protocol):
    """The classifiers that training has produced for a portal."""

    def add(self, row: ModelRow) -> None:
        """Add a model whose file is complete on disk; durable at once."""

    def newest(self) -> ModelRow | None:
        """Return the newest model that was not rolled back, or None if there is none."""

    def all(self) -> list[ModelRow]:
        """Return all models, including rolled-back ones, oldest first."""

    def roll_back(self, files: Sequence[str]) -> None:
        """Mark models as not to be used; durable at once."""


class Archetypes(Protocol):
    """Pages proposed to teach the topics."""

    def put(self, rows: Sequence[ArchetypeRow]) -> None:
        """Write archetypes, one per topic and page; earlier rows are replaced. Durable at once."""

    def propose(self, rows: Sequence[ArchetypeRow]) -> None:
        """Write archetypes in one transaction, replacing all that no person has decided about. Durable at once."""

    def all(self) -> list[ArchetypeRow]:
        """Return all archetypes by topic, most confident first."""
