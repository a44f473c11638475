"""The protocol of the training tables: classifiers, and pages proposed as archetypes."""

from collections.abc import Sequence
from typing import Protocol

from thresher.store.records import ArchetypeRow, ModelRow


class Models(Protocol):
    """The classifiers a portal has been given by training."""

    def add(self, row: ModelRow) -> None:
        """Add a model whose file is complete on disk; durable at once."""

    def newest(self) -> ModelRow | None:
        """Return the model that was added last and not rolled back, or None if there is none."""

    def all(self) -> list[ModelRow]:
        """Return all models, oldest first, those rolled back among them."""

    def roll_back(self, files: Sequence[str]) -> None:
        """Mark models as not to be used; durable at once."""


class Archetypes(Protocol):
    """Pages proposed to teach the topics."""

    def put(self, rows: Sequence[ArchetypeRow]) -> None:
        """Write archetypes, each once for its topic; what was said of one before is replaced. Durable at once."""

    def propose(self, rows: Sequence[ArchetypeRow]) -> None:
        """Write archetypes in place of all that a person has said nothing of, in one transaction. Durable at once."""

    def all(self) -> list[ArchetypeRow]:
        """Return all archetypes by topic, within it the most confident first."""
