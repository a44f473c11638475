"""The links of the whole portal, read for link analysis.

Each block is a query of its own: no snapshot outlives a fraction of a second, so that the checkpoints of a running
crawl are not held up.
"""

from array import array
from collections.abc import Iterator
from typing import Final

from thresher.store.page_records import LinkedPage
from thresher.store.redirect_targets import redirect_targets
from thresher.store.sqlite.connection import Database, fetch

_PAGES_AT_ONCE: Final = 20_000
_TARGETS_AT_ONCE: Final = 10_000
_REDIRECTS_AT_ONCE: Final = 1_000
_LOWEST: Final = -(1 << 63)
_HIGHEST: Final = (1 << 63) - 1

_PAGES = "SELECT id, host, topic, conf FROM documents WHERE id >= ? AND gone IS NULL ORDER BY id LIMIT ?"
# The index by target holds both columns in a third of the room of the table, and no anchor texts. The sources of a
# target come as one text: a number read from a text takes a third of the time of one in a row of its own.
_EDGES = """
SELECT target, count(*), group_concat(source) FROM links INDEXED BY links_to
WHERE target >= ? GROUP BY target ORDER BY target LIMIT ?
"""
_REDIRECTS = """
SELECT seq, url_id, redirect FROM visits
WHERE seq > ? AND outcome = 'redirected' AND redirect IS NOT NULL ORDER BY seq LIMIT ?
"""


class SqliteLinkGraph:
    """The links of the whole portal."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def pages(self) -> Iterator[list[LinkedPage]]:
        """Give the pages that are not gone, in the order of the ids."""
        start = _LOWEST
        while block := fetch(self._database.reader(), _PAGES, (start, _PAGES_AT_ONCE)):
            yield [LinkedPage(*values) for values in block]
            start = block[-1][0] + 1

    def edges(self) -> Iterator["array[int]"]:
        """Give the links of all stored pages as signed 64-bit numbers: source, target, source, target, …"""
        # A crawl, which never reads the whole graph, does without it.
        import numpy as np

        start = _LOWEST
        while start <= _HIGHEST and (block := fetch(self._database.reader(), _EDGES, (start, _TARGETS_AT_ONCE))):
            targets, numbers, sources = zip(*block, strict=True)
            start = targets[-1] + 1
            pairs = np.empty((sum(numbers), 2), np.int64)
            pairs[:, 0] = np.fromstring(",".join(sources), np.int64, sep=",")
            pairs[:, 1] = np.repeat(np.array(targets, np.int64), numbers)
            yield array("q", pairs.tobytes())

    def redirects(self) -> Iterator[tuple[int, int]]:
        """Give (id, id of where it led) of every URL that was found to redirect, by its newest redirect."""
        return redirect_targets(self._redirected())

    def _redirected(self) -> Iterator[tuple[int, str]]:
        last = 0
        while block := fetch(self._database.reader(), _REDIRECTS, (last, _REDIRECTS_AT_ONCE)):
            yield from ((id_, address) for _, id_, address in block)
            last = block[-1][0]
