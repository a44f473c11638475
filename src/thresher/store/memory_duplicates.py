"""Duplicates of the store in memory."""

from collections.abc import Iterator
from operator import attrgetter, itemgetter

from thresher.store.memory_tables import Tables
from thresher.store.page_records import Alike, DuplicateKind, DuplicateRow
from thresher.store.simhash_blocks import blocks


class MemoryDuplicates:
    """Pages that repeat others, and the look-ups by which they are found."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def same_text(self, digest: bytes) -> list[tuple[int, str]]:
        """Return (id, URL) of the stored pages with a digest, oldest first; none for the empty digest."""
        with self._tables.lock:
            ids = self._tables.digests.get(digest, ()) if digest else ()
            found = sorted((self._tables.documents[id_] for id_ in ids), key=itemgetter(0))
        return [(page.url_id, page.url) for _, page in found if page.gone is None]

    def alike(self, simhash: int, within: int) -> list[Alike]:
        """Return the stored pages whose simhash differs in at most `within` (0 to 3) bits, nearest and oldest first."""
        with self._tables.lock:
            ids = {id_ for block in blocks(simhash) for id_ in self._tables.blocks.get(block, ())}
            pages = sorted((self._tables.documents[id_] for id_ in ids), key=itemgetter(0))
        found = [
            Alike(page.url_id, page.url, (page.simhash ^ simhash).bit_count(), page.terms)
            for _, page in pages
            if page.gone is None
        ]
        return sorted((page for page in found if page.distance <= within), key=attrgetter("distance"))

    def of(self, url_id: int) -> list[DuplicateRow]:
        """Return what a page repeats, in the order of the kinds' names; empty where it is no duplicate."""
        known = self._tables.duplicates
        return [known[url_id, kind] for kind in sorted(DuplicateKind) if (url_id, kind) in known]

    def pairs(self, kind: DuplicateKind) -> Iterator[tuple[int, int]]:
        """Give (id, id of its original) of all duplicates of a kind, in the order of the ids."""
        with self._tables.lock:
            rows = [row for row in self._tables.duplicates.values() if row.kind is kind]
        return iter(sorted((row.url_id, row.original) for row in rows))
