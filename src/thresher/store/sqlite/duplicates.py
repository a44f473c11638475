"""The tables `duplicates` and `simhash_blocks`, and the look-ups that find duplicates."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

import apsw

from thresher.store.page_records import Alike, DocumentRow, DuplicateKind, DuplicateRow
from thresher.store.records import Batch
from thresher.store.simhash_blocks import blocks
from thresher.store.sqlite.connection import Database, fetch
from thresher.store.sqlite.jsontext import decode, encode

_CHUNK: Final = 1000
_HALF: Final = 1 << 63

_SAME_TEXT = "SELECT seq, id, url FROM documents WHERE digest = ? AND digest <> x'' AND gone IS NULL"
_IN_BLOCKS = "SELECT block, document, simhash FROM simhash_blocks WHERE block IN (SELECT value FROM json_each(?))"
_ALIKE = """
SELECT d.seq, d.id, d.url, t.terms FROM documents AS d JOIN document_terms AS t ON t.document = d.id
WHERE d.id IN (SELECT value FROM json_each(?)) AND d.gone IS NULL
"""
_COLUMNS = "document, url, original, original_url, kind, distance, similarity"
_OF = f"SELECT {_COLUMNS} FROM duplicates WHERE document = ? ORDER BY kind"  # noqa: S608
_PAIRS = "SELECT document, original FROM duplicates WHERE kind = ? AND document >= ? ORDER BY document LIMIT ?"
_DELETE = "DELETE FROM duplicates WHERE document IN (SELECT value FROM json_each(?))"
_INSERT = f"INSERT OR REPLACE INTO duplicates ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)"  # noqa: S608


def signed(simhash: int) -> int:
    """Return a simhash as the signed number that SQLite stores.

    >>> signed(2**64 - 1), signed(5)
    (-1, 5)
    """
    return (simhash ^ _HALF) - _HALF


def unsigned(simhash: int) -> int:
    """Return the simhash that SQLite stores as a signed number."""
    return simhash & (2 * _HALF - 1)


class SqliteDuplicates:
    """Pages that repeat others, and the look-ups that find them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def same_text(self, digest: bytes) -> list[tuple[int, str]]:
        """Return (id, URL) of the stored pages with a digest, oldest first; none for the empty digest."""
        # Nearly always there are none, and SQLite would set up a table for sorting anyway.
        return [(id_, url) for _, id_, url in sorted(fetch(self._database.reader(), _SAME_TEXT, (digest,)))]

    def alike(self, simhashes: Collection[int], within: int) -> dict[int, list[Alike]]:
        """Return, for each simhash, the stored pages that differ from it in at most `within` (0 to 3) bits.

        The nearest pages come first, then the oldest. A simhash without such pages is left out.
        """
        asked: dict[int, list[int]] = {}
        for simhash in set(simhashes):
            for block in blocks(simhash):
                asked.setdefault(block, []).append(signed(simhash))
        near: dict[int, dict[int, int]] = {}
        with self._database.snapshot() as connection:
            for block, document, other in fetch(connection, _IN_BLOCKS, (encode(sorted(asked)),)):
                for simhash in asked[block]:
                    if (distance := unsigned(other ^ simhash).bit_count()) <= within:
                        near.setdefault(unsigned(simhash), {})[document] = distance
            wanted = sorted({document for documents in near.values() for document in documents})
            rows = fetch(connection, _ALIKE, (encode(wanted),)) if wanted else []
        pages = {id_: (seq, url, decode(terms, dict[str, int])) for seq, id_, url, terms in rows}
        found: dict[int, list[Alike]] = {}
        for simhash, distances in near.items():
            for distance, _, id_ in sorted((distances[id_], pages[id_][0], id_) for id_ in distances if id_ in pages):
                _, url, terms = pages[id_]
                found.setdefault(simhash, []).append(Alike(id_, url, distance, terms))
        return found

    def of(self, url_id: int) -> list[DuplicateRow]:
        """Return what a page repeats, ordered by kind; empty if it is not a duplicate."""
        return [
            DuplicateRow(
                url_id=document,
                url=url,
                original=original,
                original_url=original_url,
                kind=DuplicateKind(kind),
                distance=distance,
                similarity=similarity,
            )
            for document, url, original, original_url, kind, distance, similarity in fetch(
                self._database.reader(), _OF, (url_id,)
            )
        ]

    def pairs(self, kind: DuplicateKind) -> Iterator[tuple[int, int]]:
        """Yield (id, id of the original) of all duplicates of a kind, in order of id."""
        start = -_HALF
        while chunk := fetch(self._database.reader(), _PAIRS, (kind.value, start, _CHUNK)):
            yield from ((document, original) for document, original in chunk)
            start = chunk[-1][0] + 1


def write_duplicates(connection: apsw.Connection, batch: Batch) -> None:
    """Write a batch's duplicates, replacing earlier ones of its pages."""
    written = {document.url_id for document in batch.documents} | {row.url_id for row in batch.duplicates}
    connection.execute(_DELETE, (encode(sorted(written)),))
    connection.executemany(
        _INSERT,
        (
            (row.url_id, row.url, row.original, row.original_url, row.kind.value, row.distance, row.similarity)
            for row in batch.duplicates
        ),
    )


def write_blocks(connection: apsw.Connection, documents: Sequence[DocumentRow]) -> None:
    """Index pages by the blocks of their simhashes; call this before the pages themselves are written."""
    newest = {document.url_id: signed(document.simhash) for document in documents}
    before = dict(
        fetch(
            connection,
            "SELECT id, simhash FROM documents WHERE id IN (SELECT value FROM json_each(?)) AND simhash <> 0",
            (encode(list(newest)),),
        )
    )
    changed = {id_: simhash for id_, simhash in newest.items() if simhash != before.get(id_, 0)}
    connection.executemany(
        "DELETE FROM simhash_blocks WHERE block = ? AND document = ?",
        _entries((id_, before[id_]) for id_ in changed if id_ in before),
    )
    connection.executemany(
        "INSERT OR REPLACE INTO simhash_blocks (block, document, simhash) VALUES (?1, ?2, ?3)",
        ((block, id_, changed[id_]) for block, id_ in _entries((id_, new) for id_, new in changed.items() if new)),
    )


def _entries(simhashes: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return (block, id) of each page, in the order of the table."""
    return sorted((block, id_) for id_, simhash in simhashes for block in blocks(unsigned(simhash)))
