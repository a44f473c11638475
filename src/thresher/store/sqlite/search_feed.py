"""What the search index reads: pages in the order they changed, their words, and the links between them."""

import zlib
from collections.abc import Iterator, Sequence
from typing import Final

from thresher.store.page_records import PageScores
from thresher.store.search_records import PageHead, PageText, SearchablePage
from thresher.store.sqlite.connection import Database, fetch
from thresher.store.sqlite.jsontext import decode, encode

_AT_ONCE: Final = 2_000
_SCORES_AT_ONCE: Final = 20_000
_LOWEST: Final = -(1 << 63)

_PAGES = """
SELECT d.seq, d.id, d.host, d.at, d.last_modified, d.mime, d.size, d.language, d.digest,
       d.gone IS NULL AND instr(coalesce(d.robots, ''), '"noindex"') = 0,
       d.topic, d.conf, iif(f.document IS NULL, j.probability, 1.0), j.model,
       CASE WHEN f.document IS NULL THEN 'unreviewed' WHEN f.new_topic IS NULL THEN 'irrelevant'
            WHEN f.new_topic IS f.old_topic THEN 'right' ELSE 'moved' END
FROM documents AS d
LEFT JOIN judgements AS j ON j.document = d.id AND j.seq = (SELECT max(seq) FROM judgements WHERE document = d.id)
LEFT JOIN feedback AS f ON f.document = d.id
WHERE d.seq > ? ORDER BY d.seq LIMIT ?
"""
_TEXTS = """
SELECT d.id, d.url, a.title, a.body, d.language, t.terms
FROM documents AS d JOIN archive AS a ON a.document = d.id JOIN document_terms AS t ON t.document = d.id
WHERE d.id IN (SELECT value FROM json_each(?))
"""
_HEADS = """
SELECT d.id, d.url, a.title, a.body, a.preview, d.language, d.robots
FROM documents AS d JOIN archive AS a ON a.document = d.id WHERE d.id IN (SELECT value FROM json_each(?))
"""
# The index by target has the sources in order, so no more of them are read than needed.
_ANCHORS = """
SELECT anchor, count(*) FROM (
    SELECT l.anchor FROM links AS l JOIN documents AS d ON d.id = l.source
    WHERE l.target = ? AND d.gone IS NULL AND instr(coalesce(d.robots, ''), '"noindex"') = 0
    ORDER BY l.source, l.position LIMIT ?)
GROUP BY anchor ORDER BY anchor
"""
_TARGETS = "SELECT source, target FROM links WHERE source IN (SELECT value FROM json_each(?))"
_SCORES = "SELECT id, hub, authority, pagerank, topic_pagerank FROM documents WHERE id >= ? ORDER BY id LIMIT ?"


class SqliteSearchFeed:
    """What the search index reads from a portal."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def pages(self, since: int) -> Iterator[list[SearchablePage]]:
        """Yield the pages written, judged or found gone after a sequence number, in order and in blocks."""
        while block := fetch(self._database.reader(), _PAGES, (since, _AT_ONCE)):
            yield [_page(values) for values in block]
            since = block[-1][0]

    def texts(self, ids: Sequence[int]) -> dict[int, PageText]:
        """Return the words of pages by id; ids without a stored page are absent."""
        found = fetch(self._database.reader(), _TEXTS, (encode(ids),))
        return {
            id_: PageText(url, title, zlib.decompress(body).decode(), language, decode(terms, dict[str, int]))
            for id_, url, title, body, language, terms in found
        }

    def heads(self, ids: Sequence[int]) -> dict[int, PageHead]:
        """Return what results show of pages, by id; ids without a stored page are absent."""
        found = fetch(self._database.reader(), _HEADS, (encode(ids),))
        return {
            id_: PageHead(
                url,
                title,
                zlib.decompress(body).decode(),
                preview or "",
                language,
                () if robots is None else decode(robots, tuple[str, ...]),
            )
            for id_, url, title, body, preview, language, robots in found
        }

    def anchors(self, id_: int, most: int) -> dict[str, int]:
        """Return the texts of at most `most` links to a page, with counts, taking sources with small ids first.

        Links from pages that are gone or ask not to be indexed are left out.
        """
        return dict(fetch(self._database.reader(), _ANCHORS, (id_, most)))

    def targets(self, ids: Sequence[int]) -> dict[int, list[int]]:
        """Return the ids that stored pages link to, by page id, each once and in order."""
        found: dict[int, set[int]] = {}
        for source, target in fetch(self._database.reader(), _TARGETS, (encode(ids),)):
            found.setdefault(source, set()).add(target)
        return {source: sorted(targets) for source, targets in found.items()}

    def scores(self) -> Iterator[list[PageScores]]:
        """Yield the link scores of all pages in order of id, in blocks."""
        start = _LOWEST
        while block := fetch(self._database.reader(), _SCORES, (start, _SCORES_AT_ONCE)):
            yield [PageScores(*values) for values in block]
            start = block[-1][0] + 1

    def scores_version(self) -> int:
        """Return a number that changes whenever link analysis writes scores."""
        return int(self._database.reader().execute("SELECT value FROM meta WHERE key = 'scores'").get or 0)


def _page(values: tuple[object, ...]) -> SearchablePage:
    page = SearchablePage(*values)  # type: ignore[arg-type]
    return page._replace(searchable=bool(page.searchable))
