"""The training tables in memory: models and proposed archetypes."""

from collections.abc import Sequence

from msgspec.structs import replace

from thresher.store.memory.tables import Tables
from thresher.store.records import ArchetypeRow, ArchetypeState, ModelRow


class MemoryModels:
    """The classifiers of this portal."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def add(self, row: ModelRow) -> None:
        """Add a model."""
        with self._tables.lock:
            self._tables.draw()
            self._tables.models.append(row)

    def newest(self) -> ModelRow | None:
        """Return the newest model that was not rolled back, or None if there is none."""
        return next((row for row in reversed(self._tables.models) if not row.rolled_back), None)

    def all(self) -> list[ModelRow]:
        """Return all models, including rolled-back ones, oldest first."""
        return list(self._tables.models)

    def roll_back(self, files: Sequence[str]) -> None:
        """Mark models as not to be used."""
        with self._tables.lock:
            self._tables.draw()
            models = self._tables.models
            models[:] = [replace(row, rolled_back=row.rolled_back or row.file in files) for row in models]


class MemoryArchetypes:
    """Pages proposed to teach the topics."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def put(self, rows: Sequence[ArchetypeRow]) -> None:
        """Write archetypes, one per topic and page; earlier rows are replaced."""
        with self._tables.lock:
            self._tables.draw()
            self._tables.archetypes.update({(row.topic, row.url): row for row in rows})

    def propose(self, rows: Sequence[ArchetypeRow]) -> None:
        """Write archetypes, replacing all that no person has decided about."""
        with self._tables.lock:
            self._tables.draw()
            kept = self._tables.archetypes.items()
            decided = {key: row for key, row in kept if row.state is not ArchetypeState.PROPOSED}
            self._tables.archetypes = {**decided, **{(row.topic, row.url): row for row in rows}}

    def all(self) -> list[ArchetypeRow]:
        """Return all archetypes by topic, most confident first."""
        rows = list(self._tables.archetypes.values())
        return sorted(rows, key=lambda row: (row.topic, -row.confidence, row.url))
