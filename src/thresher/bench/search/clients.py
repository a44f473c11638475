"""Clients that search at the same time, spread over processes as `thresher serve` spreads its readers."""

import gc
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from thresher.bench.rivals.fts5_search import FullTextTable
from thresher.runs.serving import SWITCH
from thresher.search.searcher import Searcher

COMBINED: Final = "text=1,confidence=0.3,authority=0.5"

Search = Callable[[str], object]

Took = tuple[list[float], float]
"""The duration of each search, and the CPU time per search; both in milliseconds."""


def ways(searcher: Searcher, peer: FullTextTable) -> dict[str, Search]:
    """Return the ways to search: by text alone, by a weighted sum, by the same with facets, and with FTS5."""
    return {
        "text": lambda query: searcher.search(query, rank="text"),
        "combined": lambda query: searcher.search(query, rank=COMBINED),
        "facets": lambda query: searcher.search(query, rank=COMBINED, facets=True),
        "fts5": lambda query: peer.search(query, 10),
    }


class Clients:
    """Searches with any number of clients at once, in one process per core."""

    def __init__(self, processes: Sequence[Connection]) -> None:
        self._processes = processes

    def times(self, way: str, asked: Sequence[str], clients: int) -> Took:
        """Search for each query in one of `ways`, with so many `clients` at once."""
        used = self._processes[: min(clients, len(asked))]
        for place, process in enumerate(used):
            threads = len(range(place, clients, len(used)))
            process.send((way, asked[place :: len(used)], threads))
        found: list[Took] = [process.recv() for process in used]
        cpu = sum(mean * len(times) for times, mean in found) / len(asked)
        return [time for times, _ in found for time in times], cpu


@contextmanager
def clients_of(folder: Path, processes: int | None = None) -> Iterator[Clients]:
    """Start the processes that search the portal and the FTS5 table of a folder; by default one per core."""
    context = multiprocessing.get_context("spawn")
    pairs = [context.Pipe() for _ in range(processes or os.cpu_count() or 1)]
    started = [context.Process(target=_serve, args=(there, folder), daemon=True) for _, there in pairs]
    for process, (_, there) in zip(started, pairs, strict=True):
        process.start()
        there.close()
    try:
        for here, _ in pairs:
            # It is ready.
            here.recv()
        yield Clients([here for here, _ in pairs])
    finally:
        for here, _ in pairs:
            here.close()
        for process in started:
            process.join()


def _serve(orders: Connection, folder: Path) -> None:
    """Search as ordered until the other end is closed."""
    with Searcher(folder / "portal") as searcher:
        searcher.search("warm up", facets=True, rank=COMBINED)
        # As a server does.
        searcher.prepare()
        sys.setswitchinterval(SWITCH)
        gc.collect()
        gc.freeze()
        searches = ways(searcher, FullTextTable(folder / "fts5.db"))
        orders.send("ready")
        while True:
            try:
                way, asked, threads = orders.recv()
            except EOFError:
                return
            orders.send(timed(searches[way], asked, threads))


def timed(search: Search, asked: Sequence[str], threads: int) -> Took:
    """Search for each query with so many threads of this process."""

    def one(query: str) -> float:
        started = time.perf_counter()
        search(query)
        return 1000 * (time.perf_counter() - started)

    before = time.process_time()
    with ThreadPoolExecutor(threads) as pool:
        times = list(pool.map(one, asked))
    return times, 1000 * (time.process_time() - before) / len(asked)
