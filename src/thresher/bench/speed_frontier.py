"""Measures the frontier with durable writes: offers and takes per second, memory per URL, time to resume."""

import gc
import tempfile
import time
from pathlib import Path
from statistics import median

import psutil
from msgspec import Struct

from thresher.crawl.clock import RealClock
from thresher.crawl.journal import note_changes
from thresher.shard.make import make_shard
from thresher.shard.protocol import Shard
from thresher.shard.rules import Manners, ShardRules
from thresher.shard.values import Offer, Outcome
from thresher.store.protocol import Store
from thresher.store.records import Batch, CrawlKind
from thresher.store.repository import open_store
from thresher.store.url_records import UrlState
from thresher.types import Candidate

BATCH = 64


class FrontierFigures(Struct, frozen=True):
    """The figures with `queued` URLs waiting on `hosts` hosts in `queues` queues.

    `operations_per_second` counts one offer and one take, each written durably, as one operation.
    """

    queued: int
    hosts: int
    queues: int
    operations_per_second: float
    cpu_us_per_operation: float
    bytes_per_url: float
    disk_bytes_per_url: float
    resume_seconds: float


def measure_frontier(
    queued: int, *, hosts: int = 100_000, queues: int = 1, operations: int = 20_000, runs: int = 3
) -> FrontierFigures:
    """Fill a frontier, run offers and takes through it, and restore it from the store; medians of all runs."""
    figures = [_measure(queued, hosts, queues, operations, seed) for seed in range(runs)]
    values = {name: median(getattr(figure, name) for figure in figures) for name in FrontierFigures.__struct_fields__}
    return FrontierFigures(**values)


def _measure(queued: int, hosts: int, queues: int, operations: int, seed: int) -> FrontierFigures:
    with tempfile.TemporaryDirectory(prefix="thresher-bench-") as folder:
        directory = Path(folder)
        store = open_store(directory, create=True)
        try:
            crawl = store.crawls.start(CrawlKind.CRAWL, "bench", {}, time.time()).id
            before = _memory()
            shard = _shard(store, crawl, queued)
            for start in range(0, queued, 3200):
                numbers = range(start, min(start + 3200, queued))
                shard.offer([Offer([_candidate(number, hosts, queues, seed) for number in numbers])])
                _commit(shard, store, crawl)
            memory = (_memory() - before) / queued
            rate, cpu = _run(shard, store, crawl, queued, operations, hosts, queues, seed)
            disk = sum(path.stat().st_size for path in directory.iterdir()) / queued
            del shard
            gc.collect()
            started = time.perf_counter()
            again = _shard(store, crawl, queued)
            again.restore()
            resumed = time.perf_counter() - started
        finally:
            store.close()
    return FrontierFigures(queued, hosts, queues, rate, cpu, memory, disk, resumed)


def _shard(store: Store, crawl: int, bound: int) -> Shard:
    rules = ShardRules(manners=Manners(per_host=2, per_domain=1_000_000), bound=10 * bound + 1_000_000)
    return make_shard(store, crawl, RealClock(), rules)


def _candidate(number: int, hosts: int, queues: int, seed: int) -> Candidate:
    mixed = (number * 2654435761 + seed * 40503) & 0xFFFFFFFF
    # Hosts follow a power law: the square of a uniform draw favours the first ones.
    host = int((mixed / 2**32) ** 2 * hosts)
    return Candidate(
        url=f"http://www.host{host}.test/section/page-{number}.html",
        priority=(((mixed * 48271) & 0xFFFF) / 65536,),
        queue=f"topic-{mixed % queues}",
        depth=3,
        parent=f"http://www.host{host}.test/",
        anchor=f"anchor text {number % 1000}",
    )


def _run(
    shard: Shard, store: Store, crawl: int, queued: int, operations: int, hosts: int, queues: int, seed: int
) -> tuple[float, float]:
    number = queued
    started, cpu = time.perf_counter(), time.process_time()
    for _ in range(0, operations, BATCH):
        shard.offer([Offer([_candidate(number + step, hosts, queues, seed) for step in range(BATCH)])])
        number += BATCH
        errands = shard.take(BATCH).errands
        shard.settle([Outcome(errand=errand, state=UrlState.REDIRECTED) for errand in errands])
        _commit(shard, store, crawl)
    return (
        operations / (time.perf_counter() - started),
        (time.process_time() - cpu) / operations * 1e6,
    )


def _commit(shard: Shard, store: Store, crawl: int) -> None:
    batch = Batch(crawl=crawl, at=time.time())
    note_changes(batch, shard.drain())
    store.commit(batch)


def _memory() -> int:
    gc.collect()
    return int(psutil.Process().memory_info().rss)
