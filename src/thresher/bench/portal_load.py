"""Measures the time to first byte of the web portal's pages, with many clients, while a crawl writes.

Server, crawl and clients are separate processes, as in production.
"""

import http.client
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlsplit

import msgspec
import numpy as np
import psutil
from msgspec import Struct

from thresher.bench.search.made_portal import HOSTS, TOPICS, fill, queries
from thresher.bench.search.writing_crawl import writing
from thresher.portals import create_portal
from thresher.search.searcher import Searcher
from thresher.store.repository import open_store
from thresher.taxonomy.topic_tree import Taxonomy, Topic, put
from thresher.web.urls import host_of, url_id

CLIENTS: Final = 10
_MASK: Final = (1 << 64) - 1
_READ: Final = 1 << 16
_WARMING: Final = 2
"""Requests per client and route that are not measured."""

_MADE: Final = "made"


class Answered(Struct, frozen=True, kw_only=True):
    """The time to first byte of a route in milliseconds, with a number of parallel clients.

    `whole_p95_ms` is the time to the last byte. `cpu_ms` is the CPU time of the server per response, which other
    programs hardly affect.
    """

    route: str
    clients: int
    p50_ms: float
    p95_ms: float
    whole_p95_ms: float
    cpu_ms: float


def make(portal: Path, documents: int) -> None:
    """Create a portal of generated pages with topics and an index; an existing one is kept."""
    if (portal / _MADE).exists():
        return
    shutil.rmtree(portal, ignore_errors=True)
    tree = Taxonomy()
    for number in range(TOPICS):
        tree = put(tree, (f"topic{number}",), Topic(name=""))
    create_portal(portal, None, tree)
    fill(portal, documents)
    with Searcher(portal) as searcher:
        searcher.search("", number=1)
    (portal / _MADE).touch()


def measure(
    portal: Path,
    documents: int,
    asked: int,
    clients: int = CLIENTS,
    on_progress: Callable[[str], None] = lambda _: None,
) -> list[Answered]:
    """Request each route `asked` times while pages are written, and return the times to first byte.

    The requests before that are not measured, so the figures are those of a server that has run for a while.
    """
    runs: list[Answered] = []
    warming = _WARMING * clients
    with (
        _served(portal) as (address, server),
        writing(portal, documents),
        ThreadPoolExecutor(clients) as pool,
    ):
        routes = _routes(portal, documents, warming + asked)
        on_progress("Warming up.")
        # Some requests of each kind reach all processes of the server, which then have opened the index.
        for addresses in routes.values():
            list(pool.map(lambda path: _asked(address, path), addresses[:warming]))
        for route, addresses in routes.items():
            on_progress(f"{route}, {clients} clients")
            before = _cpu_seconds(server)
            times = list(pool.map(lambda path: _asked(address, path), addresses[warming:]))
            cpu = round(1000 * (_cpu_seconds(server) - before) / len(times), 2)
            first, whole = zip(*times, strict=True)
            middle, late, last = (
                round(float(np.percentile(part, share)), 2) for part, share in ((first, 50), (first, 95), (whole, 95))
            )
            runs.append(
                Answered(route=route, clients=clients, p50_ms=middle, p95_ms=late, whole_p95_ms=last, cpu_ms=cpu)
            )
    return runs


def _routes(portal: Path, documents: int, asked: int) -> dict[str, list[str]]:
    """Return the addresses to request, by route."""
    rng = np.random.default_rng(0)
    with closing(open_store(portal, read_only=True)) as store:
        known = [f"http://site{place % HOSTS}.test/{place}" for place in rng.integers(0, documents, 4 * asked).tolist()]
        judged = [(url, store.documents.judgement(url_id(url))) for url in known]
        accepted = [url for url, found in judged if found and found.topic][:asked]
    topics = [f"/t/topic{number}" for number in rng.integers(0, TOPICS, asked).tolist()]
    return {
        "/": ["/"] * asked,
        "/topics": ["/topics"] * asked,
        "/t/{path}": topics,
        "/t/{path}?order=cited": [f"{path}?order=cited" for path in topics],
        "/new": [f"/new?page={1 + place % 5}" for place in range(asked)],
        "/site/{host}": [f"/site/{host_of(url)}" for url in accepted],
        "/d/{id}": [f"/d/{url_id(url) & _MASK:016x}" for url in accepted],
        "/search": [f"/search?q={quote(query)}" for query in queries(asked, 2)],
        "/new.json": ["/new.json"] * asked,
    }


def _asked(address: str, path: str) -> tuple[float, float]:
    """Return the milliseconds until the first and the last byte of a response."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)
    try:
        started = time.perf_counter()
        connection.request("GET", path)
        answer = connection.getresponse()
        taken = 1000 * (time.perf_counter() - started)
        while answer.read(_READ):
            pass
        whole = 1000 * (time.perf_counter() - started)
    finally:
        connection.close()
    if answer.status >= 400:
        raise RuntimeError(f"{path}: {answer.status}")
    return taken, whole


def _cpu_seconds(server: psutil.Process) -> float:
    """Return the CPU time of a server and its child processes."""
    times = [process.cpu_times() for process in (server, *server.children(recursive=True))]
    return float(sum(time.user + time.system for time in times))


@contextmanager
def _served(portal: Path) -> Iterator[tuple[str, psutil.Process]]:
    """Serve a portal from a separate process, and yield its address and the process."""
    command: Sequence[str] = [sys.executable, "-m", "thresher", "serve", str(portal), "--port", "0", "--json"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE)  # noqa: S603 - our own program
    try:
        line = server.stdout.readline() if server.stdout else b""
        yield str(msgspec.json.decode(line)["address"]), psutil.Process(server.pid)
    finally:
        server.terminate()
        server.wait()
