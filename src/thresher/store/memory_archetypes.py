"""The archetypes of a portal in memory."""

from collections.abc import Sequence

from thresher.store.memory_tables import Tables
from thresher.store.records import ArchetypeRow, ArchetypeState


class MemoryArchetypes:
    """Pages proposed to teach the topics."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def put(self, rows: Sequence[ArchetypeRow]) -> None:
        """Write archetypes, each once for its topic; what was said of one before is replaced."""
        with self._tables.lock:
            self._tables.draw()
            self._tables.archetypes.update({(row.topic, row.url): row for row in rows})

    def drop_proposed(self) -> None:
        """Forget the archetypes that a person has said nothing of."""
        with self._tables.lock:
            self._tables.draw()
            kept = self._tables.archetypes.items()
            self._tables.archetypes = {key: row for key, row in kept if row.state is not ArchetypeState.PROPOSED}

    def all(self) -> list[ArchetypeRow]:
        """Return all archetypes by topic, within it the most confident first."""
        rows = list(self._tables.archetypes.values())
        return sorted(rows, key=lambda row: (row.topic, -row.confidence, row.url))
