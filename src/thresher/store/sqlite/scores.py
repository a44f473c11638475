"""The columns `hub`, `authority`, `pagerank` and `topic_pagerank` of the table `documents`."""

import time
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

from thresher.store.page_records import PageScores
from thresher.store.sqlite.connection import Database, fetch
from thresher.store.sqlite.jsontext import encode

_FIRST: Final = 4_000
_FEWEST: Final = 1_000
_MOST: Final = 16_000
"""Pages in the first transaction, and limits for the later ones."""

_HOLD: Final = 0.04
"""Seconds to hold the write lock: the size of each transaction is adjusted to that."""

_PAUSE: Final = 0.005
"""Seconds between two transactions: others try for the write lock every 2 ms, so they get it."""

_KEEP = """
UPDATE documents SET hub = ?2, authority = ?3, pagerank = ?4, topic_pagerank = ?5
WHERE id = ?1 AND (hub IS NOT ?2 OR authority IS NOT ?3 OR pagerank IS NOT ?4 OR topic_pagerank IS NOT ?5)
"""
_RAISE = "INSERT INTO meta (key, value) VALUES ('scores', 1) ON CONFLICT (key) DO UPDATE SET value = value + 1"
_OF = "SELECT id, hub, authority, pagerank, topic_pagerank FROM documents WHERE id IN (SELECT value FROM json_each(?))"


class SqliteScores:
    """Link-analysis results of pages; they survive when a page is written again."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, scores: Iterable[PageScores]) -> None:
        """Write scores in small transactions, with pauses for other writers; ids without a stored page are skipped."""
        rest, at_once = iter(scores), _FIRST
        while rows := list(islice(rest, at_once)):
            with self._database.writing() as connection:
                began = time.perf_counter()
                connection.executemany(_KEEP, rows)
                took = time.perf_counter() - began
            at_once = min(_MOST, max(_FEWEST, int(at_once * _HOLD / max(took, 1e-6))))
            time.sleep(_PAUSE)
        with self._database.writing() as connection:
            connection.execute(_RAISE)

    def of(self, ids: Sequence[int]) -> dict[int, PageScores]:
        """Return link scores by page id; ids without a stored page are absent."""
        found = fetch(self._database.reader(), _OF, (encode(list(ids)),))
        return {values[0]: PageScores(*values) for values in found}
