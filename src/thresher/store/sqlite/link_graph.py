"""The links of the portal, around some pages, or all of them for link analysis.

All links are read in blocks, each a separate query: no snapshot lasts longer than a fraction of a second, so
checkpoints of a running crawl are not held up.
"""

from array import array
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import Final

import apsw

from thresher.store.page_records import LinkedPage, LinkedPages
from thresher.store.redirect_targets import redirect_targets
from thresher.store.sqlite.connection import Database, fetch
from thresher.store.sqlite.jsontext import encode
from thresher.web.urls import url_id

_PAGES_AT_ONCE: Final = 20_000
_TARGETS_AT_ONCE: Final = 10_000
_REDIRECTS_AT_ONCE: Final = 1_000
_LOWEST: Final = -(1 << 63)
_HIGHEST: Final = (1 << 63) - 1
_READERS: Final = 2
_PART: Final = 1 << 61
"""Size of the ranges of ids that are read one after the other: an eighth of all ids."""

_PAGES = "SELECT id, host, topic, conf FROM documents WHERE id >= ? AND gone IS NULL ORDER BY id LIMIT ?"
# The index by target has both columns in a third of the space of the table, without anchor texts. A block comes as one
# row of three texts: parsing a number from text takes a fraction of the time of fetching a row, and other threads can
# work until the row is there.
_EDGES = """
SELECT group_concat(target), group_concat(number), group_concat(sources) FROM (
    SELECT target, count(*) AS number, group_concat(source) AS sources FROM links INDEXED BY links_to
    WHERE target BETWEEN ? AND ? GROUP BY target ORDER BY target LIMIT ?)
"""
_OUTLINKS = """
SELECT d.id, coalesce(l.target_url, u.url)
FROM documents AS d LEFT JOIN links AS l ON l.source = d.id LEFT JOIN urls AS u ON u.crawl = d.crawl AND u.id = l.target
WHERE d.id IN (SELECT value FROM json_each(?)) ORDER BY d.id, l.position
"""
# The index by target has the sources in order, so no more of them are read than needed.
_INLINKS = """
SELECT DISTINCT l.source, d.url FROM links AS l JOIN documents AS d ON d.id = l.source
WHERE l.target = ? ORDER BY l.source LIMIT ?
"""
_REDIRECTS = """
SELECT seq, url_id, redirect FROM visits
WHERE seq > ? AND outcome = 'redirected' AND redirect IS NOT NULL ORDER BY seq LIMIT ?
"""
_STORED = "SELECT id FROM documents WHERE id IN (SELECT value FROM json_each(?))"
_CRAWL_ENTRIES = """
SELECT u.id, u.parent, u.parent_url FROM urls AS u
WHERE u.crawl = ? AND u.id BETWEEN ? AND ? AND NOT EXISTS (SELECT 1 FROM documents WHERE id = u.parent)
AND (u.parent IS NULL AND u.parent_url IS NULL OR EXISTS (SELECT 1 FROM documents WHERE id = u.id))
"""


class SqliteLinkGraph:
    """The links of the whole portal."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def pages(self) -> Iterator[list[LinkedPage]]:
        """Yield the pages that are not gone, in order of id."""
        return (list(map(LinkedPage, *columns)) for columns in self.page_columns())

    def page_columns(self) -> Iterator[LinkedPages]:
        """Yield the same column by column, for readers of millions of pages."""
        start = _LOWEST
        while block := fetch(self._database.reader(), _PAGES, (start, _PAGES_AT_ONCE)):
            yield LinkedPages(*zip(*block, strict=True))
            start = block[-1][0] + 1

    def edges(self) -> Iterator["array[int]"]:
        """Yield the links of all stored pages as signed 64-bit numbers: source, target, source, target, …"""
        # The ids are split evenly and two parts are read at a time, so SQLite works while the consumer uses the blocks.
        with ThreadPoolExecutor(_READERS, thread_name_prefix="edges") as readers:
            parts = iter([(low, low + _PART) for low in range(_LOWEST, _HIGHEST, _PART)])
            coming = deque((end, self._reading(readers, low, end)) for low, end in islice(parts, _READERS))
            while coming:
                end, reading = coming.popleft()
                last, block = reading.result()
                start = end if last is None else last + 1
                if start >= end:
                    start, end = next(parts, (end, end))
                if start < end:
                    coming.append((end, self._reading(readers, start, end)))
                if block:
                    yield block

    def _reading(self, readers: ThreadPoolExecutor, start: int, end: int) -> "Future[tuple[int | None, array[int]]]":
        return readers.submit(self._edge_block, start, end, _TARGETS_AT_ONCE)

    def _edge_block(self, start: int, end: int, most: int) -> tuple[int | None, "array[int]"]:
        """Return the last target of a block of links from `start` on, and the links; None if there are none.

        A block has the links to `most` targets, fewer if they would make too long a text.
        """
        # Imported here because a crawl never reads the whole graph.
        import numpy as np

        try:
            [texts] = fetch(self._database.reader(), _EDGES, (start, end - 1, most))
        except apsw.TooBigError:
            if most == 1:
                raise
            return self._edge_block(start, end, most // 2)
        links = array("q")
        if texts[0] is None:
            return None, links
        targets, numbers, sources = (np.fromstring(text, np.int64, sep=",") for text in texts)
        pairs = np.stack([sources, np.repeat(targets, numbers)], axis=1)
        links.frombytes(pairs.data.cast("B"))
        return int(targets.max()), links

    def outlinks(self, ids: Sequence[int]) -> dict[int, list[str]]:
        """Return the URLs that stored pages link to, by page id: each URL once, in page order."""
        found: dict[int, dict[str, None]] = {}
        for id_, url in fetch(self._database.reader(), _OUTLINKS, (encode(ids),)):
            targets = found.setdefault(id_, {})
            if url is not None:
                targets[url] = None
        return {id_: list(targets) for id_, targets in found.items()}

    def inlinks(self, ids: Sequence[int], most: int) -> dict[int, list[tuple[int, str]]]:
        """Return (id, URL) of at most `most` stored pages that link to each id, smallest ids first."""
        connection = self._database.reader()
        return {id_: [(source, url) for source, url in fetch(connection, _INLINKS, (id_, most))] for id_ in ids}

    def redirects(self) -> Iterator[tuple[int, int]]:
        """Yield (id, target id) of every URL that redirects, according to its newest redirect."""
        return redirect_targets(self._redirected())

    def entries(self, crawls: Sequence[int]) -> Iterator[tuple[int, int | None]]:
        """Yield the URLs that crawls were given, and stored pages that they did not find on a stored page."""
        for crawl in crawls:
            for low in range(_LOWEST, _HIGHEST, _PART):
                block = fetch(self._database.reader(), _CRAWL_ENTRIES, (crawl, low, low + _PART - 1))
                # Parents without a row in the crawl are stored by URL.
                elsewhere = {url: url_id(url) for _, _, url in block if url is not None}
                stored = self._stored(list(elsewhere.values()))
                for id_, parent, url in block:
                    found_on = parent if url is None else elsewhere[url]
                    if found_on not in stored:
                        yield id_, found_on

    def _stored(self, ids: Sequence[int]) -> set[int]:
        return {id_ for (id_,) in fetch(self._database.reader(), _STORED, (encode(ids),))}

    def _redirected(self) -> Iterator[tuple[int, str]]:
        last = 0
        while block := fetch(self._database.reader(), _REDIRECTS, (last, _REDIRECTS_AT_ONCE)):
            yield from ((id_, address) for _, id_, address in block)
            last = block[-1][0]
