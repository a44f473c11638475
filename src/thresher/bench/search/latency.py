"""Measures search latency by the number of pages, words and clients, with and without a crawl writing."""

import os
import resource
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, Protocol

import numpy as np
from msgspec import Struct
from msgspec.structs import astuple

from thresher.bench.rivals.fts5_search import FullTextTable
from thresher.bench.search.made_portal import MadePage, fill, made_pages, queries, row_of
from thresher.search import text_index
from thresher.search.indexer import catch_up, index_lock
from thresher.search.searcher import Searcher
from thresher.store.records import Batch
from thresher.store.repository import open_store

WORDS: Final = (1, 3, 6)
CLIENTS: Final = (1, 5, 10)
COMBINED: Final = "text=1,confidence=0.3,authority=0.5"
WAYS: Final = ("text", "combined", "facets", "fts5")
"""By text alone, by a weighted sum, by the same with facets, and the peer."""

_WRITTEN: Final = 20
_PAUSE: Final = 0.5


class Latency(Struct, frozen=True, kw_only=True):
    """How long searches took, in milliseconds; `ranking` is one of `WAYS`.

    `cpu_ms` is the processor time of this process for each search, which other programs change little; it includes
    the writing of a crawl that runs meanwhile.
    """

    documents: int
    words: int
    clients: int
    ranking: str
    during_crawl: bool
    p50_ms: float
    p95_ms: float
    cpu_ms: float


class Cost(Struct, frozen=True, kw_only=True):
    """What an index costs: pages indexed a second, bytes on disk for each, and the memory of this process, in MB."""

    documents: int
    pages_per_second: float
    bytes_per_page: float
    memory_mb: float


Search = Callable[[str], object]


class Ended(Protocol):
    """Tells when to end; an event of threads or of processes."""

    def wait(self, timeout: float) -> bool:
        """Wait so many seconds at most; True if it is time to end."""


def build(folder: Path, documents: int) -> Cost:
    """Make a portal and its index, and the table of the peer beside it."""
    portal = folder / "portal"
    fill(portal, documents)
    with closing(open_store(portal, read_only=True)) as store, index_lock(portal) as mine:
        if not mine:
            raise RuntimeError(portal)
        started = time.process_time()
        caught = catch_up(portal, store)
        seconds = time.process_time() - started
    FullTextTable(folder / "fts5.db").fill(map(astuple, block) for block in made_pages(documents))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    size = text_index.size_of(portal) / documents
    return Cost(
        documents=documents,
        pages_per_second=round(caught.written / seconds, 1),
        bytes_per_page=round(size, 1),
        memory_mb=round(memory, 1),
    )


def measure(
    folder: Path,
    documents: int,
    number: int,
    *,
    words: Sequence[int] = WORDS,
    clients: Sequence[int] = CLIENTS,
    on_progress: Callable[[str], None] = lambda _: None,
) -> list[Latency]:
    """Measure `number` searches of each kind over what `build` has made."""
    runs: list[Latency] = []
    with Searcher(folder / "portal") as searcher:
        searcher.search("warm up", facets=True, rank=COMBINED)
        ways = _ways(searcher, FullTextTable(folder / "fts5.db"))
        for length in words:
            asked = queries(number, length)
            for beside in clients:
                for way in WAYS:
                    on_progress(f"{documents:,} pages, {length} words, {beside} clients, {way}")
                    runs.append(_latency(documents, length, beside, way, _times(ways[way], asked, beside)))
        with writing(folder / "portal", documents):
            for length in words:
                on_progress(f"{documents:,} pages, {length} words, while a crawl writes")
                took = _times(ways["combined"], queries(number, length), 1)
                runs.append(_latency(documents, length, 1, "combined", took, during_crawl=True))
    return runs


def _ways(searcher: Searcher, peer: FullTextTable) -> dict[str, Search]:
    return {
        "text": lambda query: searcher.search(query, rank="text"),
        "combined": lambda query: searcher.search(query, rank=COMBINED),
        "facets": lambda query: searcher.search(query, rank=COMBINED, facets=True),
        "fts5": lambda query: peer.search(query, 10),
    }


def _times(search: Search, asked: Sequence[str], clients: int) -> tuple[list[float], float]:
    """Return how long each search took with so many clients at once, and the processor time of each; milliseconds."""

    def timed(query: str) -> float:
        started = time.perf_counter()
        search(query)
        return 1000 * (time.perf_counter() - started)

    before = time.process_time()
    with ThreadPoolExecutor(clients) as pool:
        times = list(pool.map(timed, asked))
    return times, 1000 * (time.process_time() - before) / len(asked)


def _latency(
    documents: int,
    words: int,
    clients: int,
    ranking: str,
    took: tuple[list[float], float],
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


@contextmanager
def writing(portal: Path, documents: int) -> Iterator[None]:
    """Let a thread write pages and index them, as a crawl does."""
    ended = threading.Event()
    thread = threading.Thread(target=write_until, args=(portal, documents, ended))
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def write_until(portal: Path, documents: int, ended: Ended) -> None:
    """Write pages to a portal of so many and index them, as a crawl does, until it is ended."""
    rng = np.random.default_rng(os.getpid())
    number = documents
    with closing(open_store(portal)) as store:
        crawl = store.crawls.get()
        while crawl is not None and not ended.wait(_PAUSE):
            texts = next(made_pages(_WRITTEN, seed=number))
            pages = [
                MadePage(f"http://new.test/{number + place}", page.title, page.text) for place, page in enumerate(texts)
            ]
            store.commit(Batch(crawl=crawl.id, at=0.0, documents=[row_of(page, rng) for page in pages]))
            number += _WRITTEN
            with index_lock(portal) as mine:
                if mine:
                    catch_up(portal, store)
