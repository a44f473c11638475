"""Keeping the search index up to date."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypedDict

from thresher.errors import PortalBusy
from thresher.store.repository import open_store


class IndexData(TypedDict):
    """The index: its pages and size, and what an update wrote and removed.

    `sequence` is the sequence number up to which the index has all changes. `rebuilt` is true after a rebuild.
    """

    portal: str
    pages: int
    written: int
    removed: int
    sequence: int
    bytes: int
    seconds: float
    rebuilt: bool


def update_index(path: Path, *, rebuild: bool = False, progress: Callable[[int], None] = lambda _: None) -> IndexData:
    """Update the search index, or rebuild it; `progress` is called with the number of pages indexed so far.

    Raises PortalBusy if another process is indexing.
    """
    from thresher.search import indexer, text_index

    with closing(open_store(path, read_only=True)) as store, indexer.index_lock(path, patience=1.0) as mine:
        if not mine:
            raise PortalBusy(f"Another process is indexing {path}.", "Try again when it is done.")
        update = indexer.rebuild if rebuild else indexer.catch_up
        caught = update(path, store, progress)
    state = text_index.state_of(path)
    # One document is the index's own marker.
    pages = text_index.TextIndex(path / text_index.FOLDER / state.folder).searcher().num_docs - 1 if state else 0
    return {
        "portal": str(path),
        "pages": pages,
        "written": caught.written,
        "removed": caught.removed,
        "sequence": caught.mark,
        "bytes": text_index.size_of(path),
        "seconds": round(caught.seconds, 3),
        "rebuilt": caught.built,
    }
