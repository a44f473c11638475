"""The table `archetypes`: crawled pages proposed as training pages."""

from collections.abc import Sequence
from typing import Final

from thresher.store.records import ArchetypeRow, ArchetypeState
from thresher.store.sqlite import numbers
from thresher.store.sqlite.connection import Database, fetch


class SqliteArchetypes:
    """The archetypes of this portal."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, rows: Sequence[ArchetypeRow]) -> None:
        """Write archetypes, one per topic and page; earlier rows are replaced. Durable at once."""
        with self._database.writing(durable=True) as connection:
            numbers.draw(connection, 1)
            connection.executemany(_PUT, map(_values, rows))

    def propose(self, rows: Sequence[ArchetypeRow]) -> None:
        """Write archetypes in one transaction, replacing all that no person has decided about. Durable at once."""
        with self._database.writing(durable=True) as connection:
            numbers.draw(connection, 1)
            connection.execute("DELETE FROM archetypes WHERE state = ?", (ArchetypeState.PROPOSED.value,))
            connection.executemany(_PUT, map(_values, rows))

    def all(self) -> list[ArchetypeRow]:
        """Return all archetypes by topic, most confident first."""
        sql = (
            "SELECT topic, url, rule, confidence, authority, state, at FROM archetypes"
            " ORDER BY topic, confidence DESC, url"
        )
        return [
            ArchetypeRow(
                topic=topic,
                url=url,
                rule=rule,
                confidence=confidence,
                authority=authority,
                state=ArchetypeState(state),
                at=at,
            )
            for topic, url, rule, confidence, authority, state, at in fetch(self._database.reader(), sql)
        ]


_PUT: Final = (
    "INSERT OR REPLACE INTO archetypes (topic, url, rule, confidence, authority, state, at)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)"
)


def _values(row: ArchetypeRow) -> tuple[str | float, ...]:
    return row.topic, row.url, row.rule, row.confidence, row.authority, row.state.value, row.at
