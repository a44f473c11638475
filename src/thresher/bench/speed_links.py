"""Measures the speed of link analysis: weights, twenty rounds of HITS, PageRank, and loading the graph."""

import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final, TypeVar

import numpy as np
import psutil
from msgspec import Struct
from numpy.typing import NDArray

from thresher.bench.big_graphs import BigGraph
from thresher.graph.hits import iterate, weighted_edges
from thresher.graph.pagerank import pagerank
from thresher.link_analysis import load_links
from thresher.store.locks import LocksWriters, LockUse
from thresher.store.page_records import DocumentRow, LinkRow, PageScores, VisitRow
from thresher.store.protocol import Store
from thresher.store.records import Batch, CrawlKind
from thresher.store.repository import open_store
from thresher.store.request_records import PauseCrawl
from thresher.store.url_records import UrlRow, UrlState
from thresher.types import Candidate

T = TypeVar("T")
Ids = NDArray[np.int64]

ROUNDS: Final = 20
_AT_ONCE: Final = 1000
"""Pages written per transaction."""


class LinkFigures(Struct, frozen=True):
    """The cost for one graph in seconds; `hits_cpu` and `loading_cpu` are CPU time.

    `loading` is from the repository. `longest_wait` is the longest that another writer took for a durable write while
    the scores of all pages were stored; `longest_hold` and `mean_hold` are how long storing them held the write lock.
    These three are in milliseconds. `memory_mb` is the memory in use at the end.
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
    ids = _ids(graph)
    with closing(open_store(portal, create=True)) as store:
        _write(graph, ids, store)
    with closing(open_store(portal)) as store:
        loaded, loading, cpu = _timed(lambda: load_links(store))
    if loaded.graph.links.nnz != np.count_nonzero(graph.sources != graph.targets):
        raise AssertionError("The repository did not return the links it was given.")
    return loading, cpu, *_measure_keeping(ids, portal)


def _measure_keeping(ids: Ids, portal: Path) -> tuple[float, float, float, float]:
    """Return the seconds to store scores, and in milliseconds the wait of another writer and the holds of the lock."""
    # Sorted by id, as link analysis returns them.
    scores = (PageScores(id_, 0.5, 0.5, 0.5) for id_ in np.sort(ids).tolist())
    with closing(open_store(portal)) as store:
        before = _lock_use(store)
        with _Waiting(portal) as waiting:
            _, keeping, _ = _timed(lambda: store.scores.keep(scores))
        used = _lock_use(store)
    mean = (used.seconds - before.seconds) / max(1, used.holds - before.holds)
    return keeping, waiting.longest * 1000, used.longest * 1000, mean * 1000


def _lock_use(store: Store) -> LockUse:
    return store.lock_use() if isinstance(store, LocksWriters) else LockUse(0, 0.0, 0.0)


class _Waiting:
    """Another writer of a portal that records its longest wait in seconds."""

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
                store.requests.leave(PauseCrawl(), at=0.0)
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


def _write(graph: BigGraph, ids: Ids, store: Store) -> None:
    """Write a graph as the pages of a crawl, sorted by id."""
    crawl = store.crawls.start(CrawlKind.CRAWL, "bench", {}, at=0.0).id
    first = np.searchsorted(graph.sources, np.arange(graph.nodes + 1)).tolist()
    known, hosts, order = ids.tolist(), graph.hosts.tolist(), np.argsort(ids)

    def url(node: int) -> str:
        return f"http://www.host{hosts[node]}.test/section/page-{node}.html"

    for start in range(0, graph.nodes, _AT_ONCE):
        batch = Batch(crawl=crawl, at=1e9)
        for node in order[start : start + _AT_ONCE].tolist():
            candidate = Candidate(url=url(node), priority=(0.0,), depth=5)
            host = f"www.host{hosts[node]}.test"
            batch.urls.append(UrlRow(id=known[node], host=host, candidate=candidate, order=node, state=UrlState.DONE))
        store.commit(batch)
    for start in range(0, graph.nodes, _AT_ONCE):
        batch = Batch(crawl=crawl, at=1e9)
        for node in order[start : start + _AT_ONCE].tolist():
            targets = graph.targets[first[node] : first[node + 1]].tolist()
            links = [LinkRow(known[target], url(target), "some anchor text") for target in targets]
            batch.visits.append(VisitRow(url_id=known[node], url=url(node), at=1e9, outcome="fetched", status=200))
            batch.documents.append(
                DocumentRow(
                    url_id=known[node],
                    url=url(node),
                    host=f"www.host{hosts[node]}.test",
                    at=1e9,
                    title="",
                    text="",
                    terms={},
                    links=links,
                    mime="text/html",
                    language="en",
                )
            )
        store.commit(batch)
