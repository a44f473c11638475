"""Saved searches, in memory."""

from collections.abc import Sequence

from msgspec.structs import replace

from thresher.store.memory.tables import Tables
from thresher.store.search_records import SavedSearch, SearchFeedback


class MemorySearches:
    """Saved searches and feedback on results."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def save(self, search: SavedSearch) -> None:
        """Write a search, replacing one with the same name."""
        with self._tables.lock:
            self._tables.saved_searches[search.name] = search

    def saved(self) -> list[SavedSearch]:
        """Return the saved searches, in order of name."""
        with self._tables.lock:
            return [self._tables.saved_searches[name] for name in sorted(self._tables.saved_searches)]

    def forget(self, name: str) -> bool:
        """Delete a saved search; return False if there is none with that name."""
        with self._tables.lock:
            return self._tables.saved_searches.pop(name, None) is not None

    def add_feedback(self, feedback: SearchFeedback) -> int:
        """Write what a person found relevant and return its id."""
        with self._tables.lock:
            id_ = max(self._tables.search_feedback, default=0) + 1
            self._tables.search_feedback[id_] = replace(feedback, id=id_)
            return id_

    def feedback(self) -> list[SearchFeedback]:
        """Return all feedback, oldest first."""
        with self._tables.lock:
            return list(self._tables.search_feedback.values())

    def forget_feedback(self, ids: Sequence[int]) -> int:
        """Delete feedback and return how many rows were there."""
        with self._tables.lock:
            return sum(self._tables.search_feedback.pop(id_, None) is not None for id_ in set(ids))
