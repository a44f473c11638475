"""Reads the pages of the portal: `documents`, `archive`, `document_terms`, `links` and `judgements`."""

import math
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

import apsw

from thresher.store.page_records import AcceptedPage, Copied, DocumentRow, KnownPage, LinkRow, PageCount, VisitRow
from thresher.store.settled_topics import with_topic
from thresher.store.sqlite.accepted_pages import accepted_pages, count_accepted
from thresher.store.sqlite.connection import Database, fetch
from thresher.store.sqlite.duplicates import unsigned
from thresher.store.sqlite.jsontext import decode, encode
from thresher.store.sqlite.visits import COLUMNS, visit_row
from thresher.types import Copy, Judgement, Rejection

_CHUNK = 1000
_Evidence = list[tuple[str, float | None]]

_DOCUMENT = """
SELECT d.url, d.host, d.at, a.title, a.body, t.terms, d.status, d.mime, d.encoding, d.size, d.ip, d.port,
       d.last_modified, d.expires, d.depth, d.origin, d.language, d.digest, d.simhash, d.robots,
       d.opt_outs, d.gone, d.about, d.archive, a.preview, a.layout
FROM documents AS d JOIN archive AS a ON a.document = d.id JOIN document_terms AS t ON t.document = d.id
WHERE d.id = ?
"""

_LINKS = """
SELECT l.target, coalesce(l.target_url, u.url), l.anchor, l.rel, coalesce(l.tag, 'a')
FROM links AS l JOIN documents AS d ON d.id = l.source LEFT JOIN urls AS u ON u.crawl = d.crawl AND u.id = l.target
WHERE l.source = ? ORDER BY l.position
"""

_INLINKS = """
SELECT d.url, l.anchor FROM links AS l JOIN documents AS d ON d.id = l.source
WHERE l.target = ? ORDER BY d.seq, l.position
"""

_DUE = """
SELECT d.url, coalesce(v.at, d.at) AS visited, d.depth, d.origin, d.digest, d.at, d.gone IS NOT NULL,
       coalesce(g.etag, ''), coalesce(g.last_modified, ''), d.archive
FROM documents AS d
LEFT JOIN visits AS v ON v.seq = (SELECT max(seq) FROM visits WHERE url_id = d.id AND url = d.url)
LEFT JOIN visits AS g ON g.seq = (
    SELECT max(seq) FROM visits WHERE url_id = d.id AND url = d.url
    AND (outcome = 'unchanged' OR outcome = 'fetched' AND reason IS NULL))
WHERE visited < ? ORDER BY visited, d.id LIMIT ?
"""

_COUNTS = """
SELECT topic, mime, archive IS NOT NULL AS member, count(*) AS pages FROM documents WHERE gone IS NULL
GROUP BY topic, mime, member ORDER BY pages DESC, topic IS NOT NULL, topic, mime, member
"""

_REJECTED = """
SELECT d.url FROM documents AS d JOIN judgements AS j ON j.document = d.id
WHERE j.topic IS NULL AND j.confidence IS NOT NULL AND j.seq = (SELECT max(seq) FROM judgements WHERE document = d.id)
ORDER BY j.confidence, d.id LIMIT ?
"""


class SqliteDocuments:
    """The pages of the portal."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def document(self, url_id: int) -> DocumentRow | None:
        """Return a page with its text, terms, links and judgement, or None if the portal has no such page."""
        with self._database.snapshot() as connection:
            found = fetch(connection, _DOCUMENT, (url_id,))
            if not found:
                return None
            links = [LinkRow(*values) for values in fetch(connection, _LINKS, (url_id,))]
            return _document(url_id, found[0], links, _judgement(connection, url_id))

    def visits(self, url_id: int) -> list[VisitRow]:
        """Return all visits of a URL in all crawls, oldest first."""
        sql = f"SELECT {COLUMNS} FROM visits WHERE url_id = ? ORDER BY seq"  # noqa: S608
        return [visit_row(values) for values in fetch(self._database.reader(), sql, (url_id,))]

    def terms(self, ids: Sequence[int]) -> dict[int, dict[str, int]]:
        """Return stems with counts by page id; ids without a stored page are absent."""
        sql = "SELECT document, terms FROM document_terms WHERE document IN (SELECT value FROM json_each(?))"
        found = fetch(self._database.reader(), sql, (encode(ids),))
        return {id_: decode(terms, dict[str, int]) for id_, terms in found}

    def inlinks(self, url_id: int) -> list[tuple[str, str]]:
        """Return (URL of the source page, anchor text) of every stored link to a URL, oldest page first."""
        return [(url, anchor) for url, anchor in fetch(self._database.reader(), _INLINKS, (url_id,))]

    def judgement(self, url_id: int) -> Judgement | None:
        """Return the newest judgement of a page, or None if it was never judged."""
        return _judgement(self._database.reader(), url_id)

    def urls(self) -> Iterator[str]:
        """Yield the URL of every stored page, in order of id."""
        chunk = fetch(self._database.reader(), "SELECT id, url FROM documents ORDER BY id LIMIT ?", (_CHUNK,))
        sql = "SELECT id, url FROM documents WHERE id > ? ORDER BY id LIMIT ?"
        while chunk:
            yield from (url for _, url in chunk)
            chunk = fetch(self._database.reader(), sql, (chunk[-1][0], _CHUNK))

    def counts(self) -> list[PageCount]:
        """Return the number of pages of each topic and kind, without gone pages, largest first."""
        found = fetch(self._database.reader(), _COUNTS)
        return [PageCount(topic, mime, bool(member), pages) for topic, mime, member, pages in found]

    def due(self, before: float, limit: int = 0) -> Iterator[KnownPage]:
        """Yield the pages last visited before a wall time, longest ago first; a limit of 0 yields all."""
        found = self._database.reader().execute(_DUE, (before, limit or -1))
        for url, visited, depth, origin, digest, at, gone, etag, last_modified, archive in found:
            copy = Copy(at=at) if gone else Copy(etag=etag, last_modified=last_modified, digest=digest, at=at)
            yield KnownPage(url=url, visited=visited, copy=copy, depth=depth, origin=origin, archive=archive)

    def members(self, archive: str) -> list[Copied]:
        """Return the stored members of an archive that are not gone, in order of id."""
        sql = "SELECT id, url, digest FROM documents WHERE archive = ? AND gone IS NULL ORDER BY id"
        return [Copied(*values) for values in fetch(self._database.reader(), sql, (archive,))]

    def rejected(self, limit: int) -> Iterator[str]:
        """Yield the URLs of at most `limit` pages that every topic rejected, least confident first."""
        return iter([url for (url,) in fetch(self._database.reader(), _REJECTED, (limit,))])

    def accepted(self, topic: str | None = None, *, limit: int = 0, offset: int = 0) -> Iterator[AcceptedPage]:
        """Yield the pages that a topic or one below it accepted, most confident first."""
        return accepted_pages(self._database, topic, limit, offset)

    def count_accepted(self, topic: str | None = None) -> int:
        """Return how many pages `accepted` yields without a limit."""
        return count_accepted(self._database, topic)


def _document(url_id: int, values: tuple[Any, ...], links: list[LinkRow], judgement: Judgement | None) -> DocumentRow:
    url, host, at, title, body, terms, status, mime, encoding, size, ip, port, *rest = values
    last_modified, expires, depth, origin, language, digest, simhash, *rest = rest
    robots, opt_outs, gone, about, archive, preview, layout = rest
    return DocumentRow(
        url_id=url_id,
        url=url,
        host=host,
        at=at,
        title=title,
        text=zlib.decompress(body).decode(),
        terms=decode(terms, dict[str, int]),
        links=links,
        status=status,
        mime=mime,
        encoding=encoding,
        size=size,
        ip=ip,
        port=port,
        last_modified=last_modified,
        expires=expires,
        depth=depth,
        origin=origin,
        language=language,
        digest=digest,
        simhash=unsigned(simhash),
        robots=() if robots is None else decode(robots, tuple[str, ...]),
        opt_outs=() if opt_outs is None else decode(opt_outs, tuple[str, ...]),
        judgement=judgement,
        gone=gone,
        about={} if about is None else decode(about, dict[str, str]),
        archive=archive,
        preview=preview or "",
        layout=b"" if layout is None else zlib.decompress(layout),
    )


def _judgement(connection: apsw.Connection, url_id: int) -> Judgement | None:
    """Return the newest judgement of a page, with the topic a person settled."""
    settled = fetch(connection, "SELECT new_topic FROM feedback WHERE document = ?", (url_id,))
    judged = _newest(connection, url_id)
    return with_topic(judged, settled[0][0]) if settled else judged


def _newest(connection: apsw.Connection, url_id: int) -> Judgement | None:
    found = fetch(
        connection,
        "SELECT topic, confidence, probability, path, evidence, model, border, rejection FROM judgements"
        " WHERE document = ? ORDER BY seq DESC LIMIT 1",
        (url_id,),
    )
    for topic, confidence, probability, path, evidence, model, border, rejection in found:
        return Judgement(
            topic=topic,
            confidence=_number(confidence),
            probability=_number(probability),
            path=decode(path, tuple[str, ...]),
            evidence=tuple((word, _number(weight)) for word, weight in decode(evidence, _Evidence)),
            model=model,
            border=border,
            rejection=None if rejection is None else decode(rejection, Rejection),
        )
    return None


def _number(value: float | None) -> float:
    """Return a number, NaN for None; SQLite and JSON write nothing for NaN."""
    return math.nan if value is None else value
