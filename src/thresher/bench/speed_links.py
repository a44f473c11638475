"""Speed of link analysis: weights, twenty rounds of HITS, PageRank, and loading a graph from a portal's repository."""

import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, TypeVar

import apsw
import numpy as np
import psutil
from msgspec import Struct
from numpy.typing import NDArray

from thresher.bench.big_graphs import BigGraph
from thresher.graph.hits import iterate, weighted_edges
from thresher.graph.pagerank import pagerank
from thresher.link_analysis import load_links
from thresher.store.page_records import PageScores
from thresher.store.sqlite.connection import Database
from thresher.store.sqlite.scores import SqliteScores
from thresher.store.sqlite.store import DATABASE, open_store

T = TypeVar("T")
Ids = NDArray[np.int64]

ROUNDS: Final = 20


class LinkFigures(Struct, frozen=True):
    """What one graph took, in seconds of the clock; `hits_cpu` and `loading_cpu` are processor time.

    `loading` is from the repository; `longest_wait` is the longest that another writer took for a durable write of its
    own while the scores of all pages were kept, `longest_hold` and `mean_hold` how long these held the write lock, in
    milliseconds; `memory_mb` is what is in use at the end.
    """

    graph: str
    nodes: int
    edges: int
    weights: float
    hits: float
    hits_cpu: float
    pagerank: float
    loading: float
    loading_cpu: float
    keeping: float
    longest_wait: float
    longest_hold: float
    mean_hold: float
    memory_mb: float


def measure_links(graph: BigGraph) -> LinkFigures:
    """Score a graph in memory, then write it to a repository and load it from there."""
    weights, hits, hits_cpu = _measure_hits(graph)
    _, ranks, _ = _timed(lambda: pagerank(graph.sources, graph.targets, graph.nodes))
    with tempfile.TemporaryDirectory(prefix="thresher-bench-") as folder:
        stored = _measure_store(graph, Path(folder))
    memory = psutil.Process().memory_info().rss / 1e6
    return LinkFigures(
        graph.name, graph.nodes, len(graph.sources), weights, hits, hits_cpu, ranks, *stored, memory_mb=memory
    )


def _measure_hits(graph: BigGraph) -> tuple[float, float, float]:
    edges, weights, _ = _timed(lambda: weighted_edges(graph.sources, graph.targets, graph.nodes, graph.hosts))
    _, hits, cpu = _timed(lambda: iterate(edges, iterations=ROUNDS, tolerance=0.0))
    return weights, hits, cpu


def _timed(work: Callable[[], T]) -> tuple[T, float, float]:
    started, cpu = time.perf_counter(), time.process_time()
    result = work()
    return result, time.perf_counter() - started, time.process_time() - cpu


def _measure_store(graph: BigGraph, portal: Path) -> tuple[float, float, float, float, float, float]:
    open_store(portal, create=True).close()
    ids = _ids(graph)
    _write(graph, ids, portal / DATABASE)
    store = open_store(portal)
    try:
        loaded, loading, cpu = _timed(lambda: load_links(store))
    finally:
        store.close()
    if loaded.graph.links.nnz != np.count_nonzero(graph.sources != graph.targets):
        raise AssertionError("The repository gave other links than it was given.")
    return loading, cpu, *_measure_keeping(ids, portal)


def _measure_keeping(ids: Ids, portal: Path) -> tuple[float, float, float, float]:
    """Return the seconds of keeping scores, and in milliseconds the waiting of another and the holding of the lock."""
    database = Database(portal / DATABASE)
    scores = (PageScores(id_, 0.5, 0.5, 0.5) for id_ in ids.tolist())
    try:
        with _Waiting(portal) as waiting:
            _, keeping, _ = _timed(lambda: SqliteScores(database).keep(scores))
        lock = database.lock
        return keeping, waiting.longest * 1000, lock.longest * 1000, lock.held / max(1, lock.holds) * 1000
    finally:
        database.close()


class _Waiting:
    """Another writer of a portal, who notes how long it had to wait at most, in seconds."""

    def __init__(self, portal: Path) -> None:
        self._portal = portal
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._write)
        self.longest = 0.0

    def __enter__(self) -> "_Waiting":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _write(self) -> None:
        store = open_store(self._portal)
        try:
            while not self._done.wait(0.05):
                started = time.perf_counter()
                store.requests.leave("bench", {}, at=0.0)
                self.longest = max(self.longest, time.perf_counter() - started)
        finally:
            store.close()


def _ids(graph: BigGraph) -> Ids:
    """Return ids like those of URLs: 16 bits of the host, 48 of the page."""
    generator = np.random.default_rng(1)
    of_host = generator.integers(-(1 << 15), 1 << 15, int(graph.hosts.max()) + 1)
    while True:
        ids = (of_host[graph.hosts] << 48) + generator.integers(0, 1 << 48, graph.nodes)
        if len(np.unique(ids)) == graph.nodes:
            return ids


def _write(graph: BigGraph, ids: Ids, database: Path) -> None:
    """Write a graph as pages and links, in bulk; the index of the targets is made last, which is faster."""
    connection = apsw.Connection(str(database))
    index = connection.execute("SELECT sql FROM sqlite_schema WHERE name = 'links_to'").get
    connection.pragma("synchronous", "off")
    with connection:
        connection.execute("DROP INDEX links_to")
        connection.executemany(_VISIT, _visits(graph, ids))
        connection.executemany(_PAGE, _pages(graph, ids))
        connection.executemany(_LINK, _links(graph, ids))
        connection.execute(index)
    connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    connection.close()


_PAGE: Final = """
INSERT INTO documents (id, seq, crawl, url, host, ip, port, mime, encoding, status, size, at, last_modified, expires,
    depth, origin, language, digest)
VALUES (?1, ?2, 1, ?3, ?4, '127.0.0.1', 80, 'text/html', 'utf-8', 200, 9999, 1e9, '', '', 5, ?3, 'en', randomblob(16))
"""
_VISIT: Final = """
INSERT INTO visits (seq, crawl, url_id, url, at, outcome, status, detail, seconds, ip, mime, size, digest, etag,
    last_modified, archive_file, archive_offset)
VALUES (?2, 1, ?1, ?3, 1e9, 'fetched', 200, '', 0.5, '127.0.0.1', 'text/html', 9999, randomblob(16), '', '',
    'crawl-000001.warc.gz', ?2)
"""
_LINK: Final = "INSERT INTO links (source, position, target, anchor, rel) VALUES (?, ?, ?, 'some anchor text', '')"


def _pages(graph: BigGraph, ids: Ids) -> Iterator[tuple[int, int, str, str]]:
    order = np.argsort(ids)
    hosts, found = graph.hosts[order].tolist(), ids[order].tolist()
    for number, (id_, host) in enumerate(zip(found, hosts, strict=True), 1):
        yield id_, number, f"http://www.host{host}.test/section/page-{number}.html", f"www.host{host}.test"


def _visits(graph: BigGraph, ids: Ids) -> Iterator[tuple[int, int, str]]:
    return ((id_, number, url) for id_, number, url, _ in _pages(graph, ids))


def _links(graph: BigGraph, ids: Ids) -> Iterator[tuple[int, int, int]]:
    sources, targets = ids[graph.sources], ids[graph.targets]
    order = np.argsort(sources, kind="stable")
    starts = np.concatenate([[True], np.diff(sources[order]) != 0])
    place = np.arange(len(order))
    positions = place - np.maximum.accumulate(np.where(starts, place, 0))
    return zip(sources[order].tolist(), positions.tolist(), targets[order].tolist(), strict=True)
