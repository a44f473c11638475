"""The columns `hub`, `authority`, `pagerank` and `topic_pagerank` of the table `documents`."""

import time
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

from thresher.store.page_records import PageScores
from thresher.store.sqlite.connection import Database, fetch
from thresher.store.sqlite.jsontext import encode

_AT_ONCE: Final = 4_000
"""Pages per transaction: with this many the write lock is held for some 20 ms."""

_PAUSE: Final = 0.005
"""Seconds between two transactions: whoever waits for the write lock looks every 2 ms, and so gets it."""

_KEEP = """
UPDATE documents SET hub = ?2, authority = ?3, pagerank = ?4, topic_pagerank = ?5
WHERE id = ?1 AND (hub IS NOT ?2 OR authority IS NOT ?3 OR pagerank IS NOT ?4 OR topic_pagerank IS NOT ?5)
"""
_RAISE = "INSERT INTO meta (key, value) VALUES ('scores', 1) ON CONFLICT (key) DO UPDATE SET value = value + 1"
_OF = "SELECT id, hub, authority, pagerank, topic_pagerank FROM documents WHERE id IN (SELECT value FROM json_each(?))"


class SqliteScores:
    """What link analysis says of pages; it stays when a page is written again."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, scores: Iterable[PageScores]) -> None:
        """Write scores in small transactions, with pauses for other writers; ids of no stored page are passed over."""
        rest = iter(scores)
        while rows := list(islice(rest, _AT_ONCE)):
            with self._database.writing() as connection:
                connection.executemany(_KEEP, rows)
            time.sleep(_PAUSE)
        with self._database.writing() as connection:
            connection.execute(_RAISE)

    def of(self, ids: Sequence[int]) -> dict[int, PageScores]:
        """Return the scores of the stored pages among some ids."""
        found = fetch(self._database.reader(), _OF, (encode(list(ids)),))
        return {values[0]: PageScores(*values) for values in found}
