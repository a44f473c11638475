"""Searching a portal, and writing all results of a search to a file."""

import time
from collections.abc import Callable
from pathlib import Path

from thresher.exports.page_files import write_pages
from thresher.search.profiles import USUAL as USUAL
from thresher.search.searcher import Ranking
from thresher.search.searcher import Searcher as Searcher


def open_searcher(path: Path, on_indexed: Callable[[int], None] = lambda _: None) -> Searcher:
    """Return the searcher of a portal; `on_indexed` is called with the number of pages indexed before a search."""
    return Searcher(path, on_indexed=on_indexed)


def export_results(
    searcher: Searcher, query: str, file: Path, *, title: str = "", rank: Ranking | None = None, overwrite: bool = False
) -> int:
    """Write all results of a query to a .csv, .jsonl, .html or .atom file, and return how many."""
    name = f"{title}: {query}" if query else title
    return write_pages(file, searcher.every(query, rank=rank), title=name, at=time.time(), force=overwrite)
