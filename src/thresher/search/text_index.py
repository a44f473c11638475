"""The full-text index of a portal, kept by tantivy in the folder `index/` of the portal.

`state.json` names the folder that holds the index in use and the version of what is in it. A rebuild writes a new
folder beside it and then changes the name, so that searches go on meanwhile; folders without a name are left over from
a rebuild that was killed. How far the index has followed the repository is written into the index itself, as a
document of its own, and so is committed with the pages or not at all.
"""

import os
import shutil
from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import msgspec
import tantivy
from msgspec import Struct

from thresher.file_rights import follow, make_folder
from thresher.search.page_fields import PageFields

FOLDER: Final = "index"
STATE: Final = "state.json"
VERSION: Final = 1
"""Raised whenever other things are indexed, or the same in another way: older indexes are then built anew."""

BATCH: Final = 500
"""Ids in one look-up: tantivy takes a few of them far quicker than one long list."""

_HEAP: Final = 64 << 20
_MARK: Final = "mark"
Query = tantivy.Query
Occur = tantivy.Occur


class IndexState(Struct, frozen=True):
    """Which folder holds the index, and which version of this file wrote it."""

    folder: str
    version: int = VERSION


def schema() -> tantivy.Schema:
    """Return the fields of the index."""
    builder = tantivy.SchemaBuilder()
    builder.add_integer_field("id", stored=False, indexed=True, fast=True)
    builder.add_integer_field("content", stored=False, indexed=False, fast=True)
    builder.add_integer_field("anchor_print", stored=False, indexed=False, fast=True)
    builder.add_integer_field(_MARK, stored=True, indexed=True, fast=True)
    builder.add_bytes_field("targets", stored=True)
    for name in ("title", "body", "anchors", "address"):
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="freq")
    for name in ("words", "title_words"):
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="position")
    return builder.build()


def state_of(portal: Path) -> IndexState | None:
    """Return which index a portal has; None if it has none, or one that this program cannot use."""
    try:
        state = msgspec.json.decode((portal / FOLDER / STATE).read_bytes(), type=IndexState)
    except (OSError, msgspec.DecodeError):
        return None
    usable = state.version == VERSION and Path(state.folder).name == state.folder
    return state if usable and (portal / FOLDER / state.folder / "meta.json").exists() else None


def written_at(portal: Path) -> float:
    """Return the wall time at which the index of a portal was last written, 0 if it has none."""
    state = state_of(portal)
    try:
        return (portal / FOLDER / state.folder / "meta.json").stat().st_mtime if state else 0.0
    except FileNotFoundError:
        return 0.0


class TextIndex:
    """One folder with an index, open for reading; `writer` opens it for writing."""

    def __init__(self, folder: Path, *, create: bool = False) -> None:
        if create:
            make_folder(folder)
            self._index = tantivy.Index(schema(), str(folder))
        else:
            self._index = tantivy.Index.open(str(folder))
        self.schema = self._index.schema
        self.folder = folder

    def searcher(self) -> tantivy.Searcher:
        """Return the index as it was last committed; it stays the same however long it is used."""
        self._index.reload()
        return self._index.searcher()

    def writer(self) -> "IndexWriter":
        """Open the index for writing; there must be no other writer, which the index lock sees to."""
        return IndexWriter(self._index, self.schema)


class IndexWriter:
    """Writes pages into an index; nothing is seen before `commit`, and after a kill nothing of it was written."""

    def __init__(self, index: tantivy.Index, schema: tantivy.Schema) -> None:
        self._writer = index.writer(_HEAP, 1)
        self._schema = schema

    def put(self, id_: int, fields: PageFields, content: int, anchor_print: int, targets: Sequence[int]) -> None:
        """Write a page, replacing what the index had of it."""
        self.remove(id_)
        document = tantivy.Document()
        document.add_integer("id", id_)
        document.add_integer("content", content)
        document.add_integer("anchor_print", anchor_print)
        document.add_bytes("targets", array("q", targets).tobytes())
        for name in PageFields.__struct_fields__:
            document.add_text(name, getattr(fields, name))
        self._writer.add_document(document)

    def remove(self, id_: int) -> None:
        """Remove a page from the index, if it is there."""
        self._writer.delete_documents_by_term("id", id_)

    def commit(self, mark: int) -> None:
        """Write what was put and removed, and that the index has followed the repository up to `mark`."""
        self._writer.delete_documents_by_query(Query.exists_query(_MARK))
        document = tantivy.Document()
        document.add_integer(_MARK, mark)
        self._writer.add_document(document)
        self._writer.commit()

    def close(self) -> None:
        """Wait for merges and close the index."""
        self._writer.wait_merging_threads()


def count_of(searcher: tantivy.Searcher, query: tantivy.Query) -> int:
    """Return how many documents match a query."""
    # An order by a field, since an order by score would look for phrases that only add to a score.
    return int(searcher.search(query, 1, order_by_field="id").count)  # type: ignore[attr-defined]


def mark_of(searcher: tantivy.Searcher) -> int:
    """Return the sequence number up to which an index has followed the repository, 0 for a new index."""
    found = searcher.search(Query.exists_query(_MARK), 1, order_by_field=_MARK).hits
    return int(found[0][0]) if found else 0


class Indexed(Struct, frozen=True):
    """What the index says of a page: the prints of what was indexed, and the ids it linked to then."""

    content: int
    anchor_print: int
    targets: tuple[int, ...]


def by_ids(schema: tantivy.Schema, ids: Sequence[int]) -> tantivy.Query:
    """Return a query for the pages with some ids, at most `BATCH` of them."""
    return Query.boolean_query([(Occur.Should, Query.term_query(schema, "id", id_, "basic")) for id_ in ids])


def indexed(searcher: tantivy.Searcher, schema: tantivy.Schema, ids: Sequence[int]) -> dict[int, Indexed]:
    """Return what an index says of the pages among some ids that are in it."""
    found: dict[int, Indexed] = {}
    for start in range(0, len(ids), BATCH):
        block = ids[start : start + BATCH]
        hits = searcher.search(by_ids(schema, block), len(block), count=False, order_by_field="id").hits
        places = [place for _, place in hits]
        contents = searcher.fast_field_values("content", places)
        prints = searcher.fast_field_values("anchor_print", places)
        for (id_, place), content, anchor_print in zip(hits, contents, prints, strict=True):
            stored = searcher.doc(place).get_first("targets") or b""
            found[id_] = Indexed(int(content or 0), int(anchor_print or 0), tuple(array("q", bytes(stored))))
    return found


def all_ids(searcher: tantivy.Searcher) -> list[int]:
    """Return the ids of all pages in an index, in order; a page that is in it twice comes twice."""
    hits = searcher.search(
        Query.exists_query("id"), max(1, searcher.num_docs), count=False, order_by_field="id", order=tantivy.Order.Asc
    ).hits
    return [id_ for id_, _ in hits]


def new_folder(portal: Path) -> Path:
    """Return the path of a folder for a new index, beside those that are there."""
    numbers = [int(path.name[5:]) for path in _folders(portal) if path.name[5:].isdigit()]
    return portal / FOLDER / f"text-{max(numbers, default=0) + 1}"


def use(portal: Path, folder: Path) -> None:
    """Make an index the one that searches use, and remove all others."""
    path = portal / FOLDER / STATE
    draft = path.with_suffix(".new")
    draft.write_bytes(msgspec.json.encode(IndexState(folder.name)))
    follow(draft)
    _sync(draft)
    draft.replace(path)
    remove_others(portal, folder.name)


def remove_others(portal: Path, kept: str | None) -> None:
    """Remove the indexes that are not in use."""
    for path in _folders(portal):
        if path.name != kept:
            shutil.rmtree(path, ignore_errors=True)


def _folders(portal: Path) -> Iterable[Path]:
    return sorted((portal / FOLDER).glob("text-*"))


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def size_of(portal: Path) -> int:
    """Return the bytes that all of a portal's index takes."""
    return sum(path.stat().st_size for path in (portal / FOLDER).rglob("*") if path.is_file())
