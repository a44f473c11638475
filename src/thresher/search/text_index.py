"""The full-text index of a portal, stored by tantivy in the portal's folder `index/`.

`state.json` names the folder of the index in use and the version of its format. A rebuild writes a new folder and then
changes the name, so searches continue meanwhile; folders that are not named are left over from a rebuild that was
killed. The sequence number up to which the index follows the repository is stored in the index itself as a separate
document, so it is committed together with the pages or not at all.
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
from thresher.search.page_numbers import WIDTH, Numbering, numbered

FOLDER: Final = "index"
STATE: Final = "state.json"
VERSION: Final = 3
"""Increased whenever the indexed content or its form changes; older indexes are then rebuilt."""

BATCH: Final = 500
"""Ids per lookup: tantivy is much faster with several short lists than with one long list."""

_HEAP: Final = 64 << 20
_MARK: Final = "mark"
_NUMBERED: Final = "numbered"
ROUND: Final = "round"
Query = tantivy.Query
Occur = tantivy.Occur


class IndexState(Struct, frozen=True):
    """The folder that holds the index, and the version of the format."""

    folder: str
    version: int = VERSION


def schema() -> tantivy.Schema:
    """Return the schema of the index."""
    builder = tantivy.SchemaBuilder()
    builder.add_integer_field("id", stored=False, indexed=True, fast=True)
    builder.add_integer_field("content", stored=False, indexed=False, fast=True)
    builder.add_integer_field("anchor_print", stored=False, indexed=False, fast=True)
    # The number of a page (`page_numbers.py`): the block that it falls in, and its bit in that block.
    builder.add_unsigned_field("block", stored=False, indexed=False, fast=True)
    builder.add_unsigned_field("bit", stored=False, indexed=False, fast=True)
    # The commit that wrote the page, counted from 1.
    builder.add_unsigned_field(ROUND, stored=False, indexed=False, fast=True)
    builder.add_integer_field(_MARK, stored=True, indexed=True, fast=True)
    builder.add_unsigned_field(_NUMBERED, stored=False, indexed=False, fast=True)
    builder.add_bytes_field("targets", stored=True)
    for name in ("title", "body", "anchors", "address"):
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="freq")
    for name in ("words", "title_words"):
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="position")
    return builder.build()


def state_of(portal: Path) -> IndexState | None:
    """Return the state of a portal's index, or None if there is none or this version cannot use it."""
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
    """One index folder, open for reading; `writer` opens it for writing."""

    def __init__(self, folder: Path, *, create: bool = False) -> None:
        if create:
            make_folder(folder)
            self._index = tantivy.Index(schema(), str(folder))
        else:
            self._index = tantivy.Index.open(str(folder))
        self.schema = self._index.schema
        self.folder = folder

    def searcher(self) -> tantivy.Searcher:
        """Return a searcher on the last commit; later commits do not affect it."""
        self._index.reload()
        return self._index.searcher()

    def writer(self) -> "IndexWriter":
        """Open the index for writing; the index lock ensures that there is no other writer."""
        return IndexWriter(self._index, self.schema, Numbering(self.folder), head_of(self.searcher()).round)


class IndexWriter:
    """Writes pages to an index; changes are visible after `commit`, and a kill before that discards them."""

    def __init__(self, index: tantivy.Index, schema: tantivy.Schema, numbering: Numbering, last_round: int) -> None:
        self._writer = index.writer(_HEAP, 1)
        self._schema = schema
        self._numbering = numbering
        self._round = last_round + 1

    def put(self, id_: int, fields: PageFields, state: "Indexed") -> None:
        """Write a page, replacing its previous version; a page without a number is new and gets one."""
        if state.number is not None:
            self.remove(id_)
        number = self._numbering.number(id_) if state.number is None else state.number
        document = tantivy.Document()
        document.add_integer("id", id_)
        document.add_integer("content", state.content)
        document.add_integer("anchor_print", state.anchor_print)
        document.add_unsigned("block", number // WIDTH)
        document.add_unsigned("bit", 1 << number % WIDTH)
        document.add_unsigned(ROUND, self._round)
        document.add_bytes("targets", array("q", state.targets).tobytes())
        for name in PageFields.__struct_fields__:
            document.add_text(name, getattr(fields, name))
        self._writer.add_document(document)

    def remove(self, id_: int) -> None:
        """Remove a page from the index if it is there."""
        self._writer.delete_documents_by_term("id", id_)

    def commit(self, mark: int) -> None:
        """Commit all changes, and record that the index follows the repository up to `mark`."""
        self._writer.delete_documents_by_query(Query.exists_query(_MARK))
        document = tantivy.Document()
        document.add_integer(_MARK, mark)
        document.add_unsigned(_NUMBERED, self._numbering.count)
        document.add_unsigned(ROUND, self._round)
        self._writer.add_document(document)
        self._numbering.save()
        self._writer.commit()
        self._round += 1

    def close(self) -> None:
        """Wait for merges and close the index."""
        self._writer.wait_merging_threads()


def count_of(searcher: tantivy.Searcher, query: tantivy.Query) -> int:
    """Return how many documents match a query."""
    # Sorting by score would evaluate phrases that only add to the score, so sort by a field.
    return int(searcher.search(query, 1, order_by_field="id").count)  # type: ignore[attr-defined]


class IndexHead(Struct, frozen=True):
    """What an index says of itself; zeros for a new index.

    `mark` is the sequence number up to which it follows the repository, `numbered` how many numbers its pages need, and
    `round` how many commits it has had.
    """

    mark: int = 0
    numbered: int = 0
    round: int = 0


def head_of(searcher: tantivy.Searcher) -> IndexHead:
    """Return what an index says of itself."""
    found = searcher.search(Query.exists_query(_MARK), 1, order_by_field=_MARK).hits
    if not found:
        return IndexHead()
    mark, place = found[0]
    numbered, round_ = (searcher.fast_field_values(name, [place])[0] for name in (_NUMBERED, ROUND))
    return IndexHead(int(mark), int(numbered or 0), int(round_ or 0))


def mark_of(searcher: tantivy.Searcher) -> int:
    """Return the sequence number up to which an index follows the repository, 0 for a new index."""
    return head_of(searcher).mark


def has_numbers(searcher: tantivy.Searcher, folder: Path) -> bool:
    """Return whether the numbers of all pages of an index are on disk; a copy of a portal may lack some."""
    return numbered(folder) >= head_of(searcher).numbered


class Indexed(Struct, frozen=True):
    """The state of a page in the index.

    It has hashes of the indexed content, the ids that the page linked to at the time, and its number; None if it has
    no number yet.
    """

    content: int
    anchor_print: int
    targets: tuple[int, ...]
    number: int | None = None


def by_ids(schema: tantivy.Schema, ids: Sequence[int]) -> tantivy.Query:
    """Return a query for the pages with some ids, at most `BATCH` of them."""
    return Query.boolean_query([(Occur.Should, Query.term_query(schema, "id", id_, "basic")) for id_ in ids])


def indexed(searcher: tantivy.Searcher, schema: tantivy.Schema, ids: Sequence[int]) -> dict[int, Indexed]:
    """Return the index state of those pages among `ids` that are in the index."""
    found: dict[int, Indexed] = {}
    for start in range(0, len(ids), BATCH):
        block = ids[start : start + BATCH]
        hits = searcher.search(by_ids(schema, block), len(block), count=False, order_by_field="id").hits
        places = [place for _, place in hits]
        contents = searcher.fast_field_values("content", places)
        prints = searcher.fast_field_values("anchor_print", places)
        blocks = searcher.fast_field_values("block", places)
        bits = searcher.fast_field_values("bit", places)
        for (id_, place), content, anchor_print, part, bit in zip(hits, contents, prints, blocks, bits, strict=True):
            stored = searcher.doc(place).get_first("targets") or b""
            found[id_] = Indexed(
                int(content or 0),
                int(anchor_print or 0),
                tuple(array("q", bytes(stored))),
                WIDTH * int(part or 0) + int(bit or 1).bit_length() - 1,
            )
    return found


def all_ids(searcher: tantivy.Searcher) -> list[int]:
    """Return the ids of all pages in an index in ascending order; duplicates appear twice."""
    hits = searcher.search(
        Query.exists_query("id"), max(1, searcher.num_docs), count=False, order_by_field="id", order=tantivy.Order.Asc
    ).hits
    return [id_ for id_, _ in hits]


def new_folder(portal: Path) -> Path:
    """Return an unused path for a new index folder."""
    numbers = [int(path.name[5:]) for path in _folders(portal) if path.name[5:].isdigit()]
    return portal / FOLDER / f"text-{max(numbers, default=0) + 1}"


def use(portal: Path, folder: Path) -> None:
    """Switch searches to an index, and remove all others."""
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
    """Return the size in bytes of all index files of a portal."""
    return sum(path.stat().st_size for path in (portal / FOLDER).rglob("*") if path.is_file())
