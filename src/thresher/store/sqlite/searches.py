"""The tables `saved_searches` and `search_feedback`."""

from collections.abc import Sequence
from typing import Final

from thresher.store.search_records import SavedSearch, SearchFeedback
from thresher.store.sqlite.connection import Database, fetch
from thresher.store.sqlite.jsontext import decode, encode

_SAVE: Final = "INSERT OR REPLACE INTO saved_searches (name, query, rank, at, looked, seq) VALUES (?, ?, ?, ?, ?, ?)"
_SAVED: Final = "SELECT name, query, rank, at, looked, seq FROM saved_searches ORDER BY name"
_ADD: Final = (
    "INSERT INTO search_feedback (profile, query, at, weights, relevant, irrelevant) VALUES (?, ?, ?, ?, ?, ?)"
    " RETURNING id"
)
_FEEDBACK: Final = "SELECT id, profile, query, at, weights, relevant, irrelevant FROM search_feedback ORDER BY id"


class SqliteSearches:
    """Saved searches and feedback on results."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, search: SavedSearch) -> None:
        """Write a search, replacing one with the same name."""
        values = (search.name, search.query, search.rank, search.at, search.looked, search.seq)
        with self._database.writing(durable=True) as connection:
            connection.execute(_SAVE, values)

    def saved(self) -> list[SavedSearch]:
        """Return the saved searches, in order of name."""
        return [
            SavedSearch(name=name, query=query, rank=rank, at=at, looked=looked, seq=seq)
            for name, query, rank, at, looked, seq in fetch(self._database.reader(), _SAVED)
        ]

    def forget(self, name: str) -> bool:
        """Delete a saved search; return False if there is none with that name."""
        with self._database.writing(durable=True) as connection:
            connection.execute("DELETE FROM saved_searches WHERE name = ?", (name,))
            return connection.changes() > 0

    def add_feedback(self, feedback: SearchFeedback) -> int:
        """Write what a person found relevant and return its id."""
        values = (
            feedback.profile,
            feedback.query,
            feedback.at,
            encode(feedback.weights),
            encode(feedback.relevant),
            encode(feedback.irrelevant),
        )
        with self._database.writing(durable=True) as connection:
            return int(connection.execute(_ADD, values).get)

    def feedback(self) -> list[SearchFeedback]:
        """Return all feedback, oldest first."""
        return [
            SearchFeedback(
                id=id_,
                profile=profile,
                query=query,
                at=at,
                weights=decode(weights, dict[str, float]),
                relevant=decode(relevant, tuple[str, ...]),
                irrelevant=decode(irrelevant, tuple[str, ...]),
            )
            for id_, profile, query, at, weights, relevant, irrelevant in fetch(self._database.reader(), _FEEDBACK)
        ]

    def forget_feedback(self, ids: Sequence[int]) -> int:
        """Delete feedback and return how many rows were there."""
        with self._database.writing(durable=True) as connection:
            connection.execute(
                "DELETE FROM search_feedback WHERE id IN (SELECT value FROM json_each(?))", (encode(ids),)
            )
            return connection.changes()
