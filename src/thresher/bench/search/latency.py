"""Measures search latency by the number of pages, words and clients, with and without a crawl writing."""

import resource
import shutil
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import astuple

from thresher.bench.rivals.fts5_search import FullTextTable
from thresher.bench.search.clients import Took, clients_of, timed
from thresher.bench.search.clients import ways as ways_to_search
from thresher.bench.search.made_portal import fill, made_pages, queries
from thresher.bench.search.writing_crawl import writing
from thresher.search import text_index
from thresher.search.indexer import index_lock, rebuild
from thresher.search.searcher import Searcher
from thresher.store.repository import open_store

WORDS: Final = (1, 3, 6)
CLIENTS: Final = (1, 5, 10)
CRAWL: Final = "crawl"
WAYS: Final = ("text", "combined", "facets", "fts5", CRAWL)
"""By text alone, by a weighted sum, the same with facets, FTS5, and by a weighted sum while a crawl writes."""

_COST: Final = "cost.json"
_FILLED: Final = "filled"
_AT_ONCE: Final = 50_000


class Latency(Struct, frozen=True, kw_only=True):
    """The latency of searches in milliseconds; `ranking` is text, combined, facets or fts5.

    `cpu_ms` is the CPU time per search, which other programs change little.
    """

    documents: int
    words: int
    clients: int
    ranking: str
    during_crawl: bool
    p50_ms: float
    p95_ms: float
    cpu_ms: float


class IndexCost(Struct, frozen=True, kw_only=True):
    """The cost of an index: pages indexed per second, bytes on disk per page, and the memory of this process in MB."""

    documents: int
    pages_per_second: float
    bytes_per_page: float
    memory_mb: float


def build(folder: Path, documents: int, on_progress: Callable[[str], None] = lambda _: None) -> IndexCost:
    """Create a portal and its index, and the FTS5 table next to it.

    Existing parts of a folder are kept, so an interrupted run can be resumed.
    """
    known = folder / _COST
    cost = msgspec.json.decode(known.read_bytes(), type=IndexCost) if known.exists() else None
    if cost is not None and cost.documents >= documents:
        return cost
    _fill(folder, documents, on_progress)
    on_progress("Indexing the pages.")
    cost = _index(folder / "portal", documents)
    on_progress("Filling the FTS5 table.")
    table = FullTextTable(folder / "fts5.db")
    # The table is optimized once at the end, as each time takes longer than the last.
    table.fill(map(astuple, block) for block in made_pages(documents, first=table.size()))
    known.write_bytes(msgspec.json.encode(cost))
    return cost


def _fill(folder: Path, documents: int, on_progress: Callable[[str], None]) -> None:
    """Write the pages of a portal that it does not have yet."""
    mark = folder / _FILLED
    first = int(mark.read_text()) if mark.exists() else 0
    if not first:
        # An interrupted run leaves an incomplete portal.
        shutil.rmtree(folder / "portal", ignore_errors=True)
    while first < documents:
        last = min(documents, first + _AT_ONCE)
        fill(folder / "portal", last, first=first)
        mark.write_text(str(last))
        on_progress(f"{last:,} of {documents:,} pages")
        first = last


def _index(portal: Path, documents: int) -> IndexCost:
    """Build the index of a portal."""
    with closing(open_store(portal, read_only=True)) as store, index_lock(portal) as mine:
        if not mine:
            raise RuntimeError(portal)
        started = time.process_time()
        written = rebuild(portal, store).written
        seconds = time.process_time() - started
    return IndexCost(
        documents=documents,
        pages_per_second=round(written / seconds, 1),
        bytes_per_page=round(text_index.size_of(portal) / documents, 1),
        memory_mb=round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
    )


def measure(
    folder: Path,
    documents: int,
    number: int,
    *,
    words: Sequence[int] = WORDS,
    clients: Sequence[int] = CLIENTS,
    ways: Sequence[str] = WAYS,
    on_progress: Callable[[str], None] = lambda _: None,
) -> list[Latency]:
    """Measure `number` searches of each kind over the output of `build`."""
    runs: list[Latency] = []
    with clients_of(folder) as searchers:
        for length in words:
            asked = queries(number, length)
            for beside in clients:
                for way in (way for way in ways if way != CRAWL):
                    on_progress(f"{documents:,} pages, {length} words, {beside} clients, {way}")
                    runs.append(_latency(documents, length, beside, way, searchers.times(way, asked, beside)))
    if CRAWL in ways:
        runs += _measure_beside(folder, documents, number, words, on_progress)
    return runs


def _measure_beside(
    folder: Path, documents: int, number: int, words: Sequence[int], on_progress: Callable[[str], None]
) -> list[Latency]:
    """Measure searches by a combined ranking while another process writes and indexes pages.

    The searcher is that of the web portal, which never waits for a newer state of the index.
    """
    runs: list[Latency] = []
    with writing(folder / "portal", documents), Searcher(folder / "portal", wait=False) as searcher:
        search = ways_to_search(searcher, FullTextTable(folder / "fts5.db"))["combined"]
        search("warm up")
        for length in words:
            on_progress(f"{documents:,} pages, {length} words, while a crawl writes")
            took = timed(search, queries(number, length), 1)
            runs.append(_latency(documents, length, 1, "combined", took, during_crawl=True))
    return runs


def _latency(
    documents: int,
    words: int,
    clients: int,
    ranking: str,
    took: Took,
    *,
    during_crawl: bool = False,
) -> Latency:
    times, cpu = took
    return Latency(
        documents=documents,
        words=words,
        clients=clients,
        ranking=ranking,
        during_crawl=during_crawl,
        p50_ms=round(float(np.percentile(times, 50)), 2),
        p95_ms=round(float(np.percentile(times, 95)), 2),
        cpu_ms=round(cpu, 2),
    )
