"""Writes the pages of the portal: `documents`, `archive`, `document_terms`, `links` and `judgements`."""

import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import apsw
from msgspec import Struct

from thresher.store.page_records import DocumentRow, VisitRow
from thresher.store.presence import presence
from thresher.store.sqlite.addresses import Addresses
from thresher.store.sqlite.duplicates import signed
from thresher.store.sqlite.jsontext import encode
from thresher.types import Judgement

ZLIB_LEVEL: Final = 1
_USUAL: Final = "a"

_COLUMNS = (
    "seq",
    "crawl",
    "visit",
    "url",
    "host",
    "ip",
    "port",
    "mime",
    "encoding",
    "status",
    "size",
    "at",
    "last_modified",
    "expires",
    "depth",
    "origin",
    "language",
    "digest",
    "simhash",
    "robots",
    "opt_outs",
    "about",
    "archive",
)

# A page that is fetched again keeps its scores, clicks and opinions, and its judgement until there is a newer one.
_UPSERT = (
    f"INSERT INTO documents (id, {', '.join(_COLUMNS)}, topic, conf, found)"  # noqa: S608
    f" VALUES (?, ?, ?, ?{', ?' * len(_COLUMNS)})"
    f" ON CONFLICT (id) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in _COLUMNS)}, gone = NULL,"
    " topic = CASE WHEN excluded.conf IS NULL THEN topic ELSE excluded.topic END, conf = coalesce(excluded.conf, conf)"
)
_ARCHIVE = (
    "INSERT INTO archive (document, title, preview, body, layout) VALUES (?, ?, ?, ?, ?)"
    " ON CONFLICT (document) DO UPDATE SET title = excluded.title, preview = excluded.preview, body = excluded.body,"
    " layout = excluded.layout"
)
_TERMS = "INSERT OR REPLACE INTO document_terms (document, length, terms) VALUES (?, ?, ?)"
_LINKS = "INSERT INTO links (source, position, target, target_url, anchor, rel, tag) VALUES (?, ?, ?, ?, ?, ?, ?)"
_JUDGEMENTS = (
    "INSERT INTO judgements (document, seq, topic, confidence, probability, path, evidence, model, border, rejection)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


class PackedPage(Struct, frozen=True):
    """A page packed for writing: packing takes longer than writing and needs no lock."""

    row: DocumentRow
    archive: tuple[int, str, str | None, bytes, bytes | None]
    terms: tuple[int, int, str]
    links: list[tuple[Any, ...]]


def pack_page(row: DocumentRow, addresses: Addresses) -> PackedPage:
    """Pack a page's text, terms and links into the values of their columns."""
    return PackedPage(
        row,
        (
            row.url_id,
            row.title,
            row.preview or None,
            _packed(row.text.encode()),
            _packed(row.layout) if row.layout else None,
        ),
        (row.url_id, sum(row.terms.values()), encode(row.terms)),
        [
            (
                row.url_id,
                position,
                link.target,
                addresses.target(link.target, link.target_url),
                link.anchor,
                link.rel,
                None if link.tag == _USUAL else link.tag,
            )
            for position, link in enumerate(row.links)
        ],
    )


def _packed(data: bytes) -> bytes:
    return zlib.compress(data, ZLIB_LEVEL)


def write_pages(
    connection: apsw.Connection, crawl: int, pages: Sequence[PackedPage], first: int, visits: dict[int, int]
) -> None:
    """Write pages under the sequence numbers from `first` on; `visits` has the number of each page's visit by id.

    An existing page is replaced with its text, terms and links; of two with the same id, the later wins.
    """
    newest = {page.row.url_id: (seq, page) for seq, page in enumerate(pages, first)}
    # In order of id, each disk page is touched once.
    ordered = sorted(newest.items())
    _remove_links(connection, newest.keys())
    judged = {page.row.url_id: page.row.judgement for page in pages if page.row.judgement}
    connection.executemany(
        _UPSERT,
        (_values(page.row, seq, crawl, visits.get(id_), judged.get(id_)) for id_, (seq, page) in ordered),
    )
    connection.executemany(_ARCHIVE, (page.archive for _, (_, page) in ordered))
    connection.executemany(_TERMS, (page.terms for _, (_, page) in ordered))
    connection.executemany(_LINKS, (link for _, (_, page) in ordered for link in page.links))
    connection.executemany(
        _JUDGEMENTS,
        (
            _judgement(page.row.url_id, page.row.judgement, seq)
            for seq, page in enumerate(pages, first)
            if page.row.judgement
        ),
    )


def write_judgements(connection: apsw.Connection, judgements: Mapping[int, Judgement], first: int) -> None:
    """Write new judgements of stored pages under the sequence numbers from `first` on; others are skipped."""
    numbered = [(url_id, judged, seq) for seq, (url_id, judged) in enumerate(judgements.items(), first)]
    ids = [url_id for url_id, _, _ in numbered]
    stored = {id_ for id_ in ids if any(connection.execute("SELECT 1 FROM documents WHERE id = ?", (id_,)))}
    numbered = [row for row in numbered if row[0] in stored]
    connection.executemany(
        "UPDATE documents SET topic = ?, conf = ?, seq = ? WHERE id = ?",
        [(judged.topic, judged.confidence, seq, url_id) for url_id, judged, seq in numbered],
    )
    connection.executemany(_JUDGEMENTS, (_judgement(*row) for row in numbered))


def write_previews(connection: apsw.Connection, previews: Mapping[int, str]) -> None:
    """Write new previews of stored pages; others are skipped."""
    connection.executemany(
        "UPDATE archive SET preview = ? WHERE document = ?", [(text or None, id_) for id_, text in previews.items()]
    )


def mark_gone(connection: apsw.Connection, visits: Sequence[VisitRow], first: int, written: Iterable[int]) -> None:
    """Mark the pages that visits found gone, and those that are back; a page that is written is there anyway.

    `first` is the sequence number of the first visit. A page whose mark changes counts as changed by its visit.
    """
    back = set(written)
    told = {visit.url_id: (seq, visit, presence(visit)) for seq, visit in enumerate(visits, first)}
    connection.executemany(
        "UPDATE documents SET gone = ?, seq = ? WHERE id = ? AND url = ? AND gone IS NULL",
        ((visit.at, seq, id_, visit.url) for id_, (seq, visit, there) in told.items() if there is False),
    )
    connection.executemany(
        "UPDATE documents SET gone = NULL, seq = ? WHERE id = ? AND url = ? AND gone IS NOT NULL",
        ((seq, id_, visit.url) for id_, (seq, visit, there) in told.items() if there and id_ not in back),
    )


def last_visits(visits: Sequence[VisitRow], first: int) -> dict[int, int]:
    """Return the sequence number of each URL's last good visit in a batch whose numbers start at `first`."""
    return {visit.url_id: seq for seq, visit in enumerate(visits, first) if visit.outcome == "fetched"}


def _remove_links(connection: apsw.Connection, ids: Iterable[int]) -> None:
    connection.execute("DELETE FROM links WHERE source IN (SELECT value FROM json_each(?))", (encode(sorted(ids)),))


def _values(row: DocumentRow, seq: int, crawl: int, visit: int | None, judged: Judgement | None) -> tuple[Any, ...]:
    return (
        row.url_id,
        seq,
        crawl,
        visit,
        row.url,
        row.host,
        row.ip,
        row.port,
        row.mime,
        row.encoding,
        row.status,
        row.size,
        row.at,
        row.last_modified,
        row.expires,
        row.depth,
        row.origin,
        row.language,
        row.digest,
        signed(row.simhash),
        encode(row.robots) if row.robots else None,
        encode(row.opt_outs) if row.opt_outs else None,
        encode(row.about) if row.about else None,
        row.archive,
        judged.topic if judged else None,
        judged.confidence if judged else None,
        row.at,
    )


def _judgement(url_id: int, judged: Judgement, seq: int) -> tuple[Any, ...]:
    return (
        url_id,
        seq,
        judged.topic,
        judged.confidence,
        judged.probability,
        encode(judged.path),
        encode(judged.evidence),
        judged.model,
        judged.border,
        encode(judged.rejection) if judged.rejection else None,
    )
