"""Runs one crawl of a tier in a separate process: `python -m thresher.bench.tier_crawl PLAN`, where PLAN is JSON.

The tiers are settings of the same engine: (a) fetches pages and follows their links, (b) also reads their text,
classifies pages and scores links, (c) also stores frontier, pages and responses on disk. Robots files, the network
guard and all limits are those of any other crawl.
"""

import re
import resource
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec
import psutil
from msgspec import Struct

from thresher.bench.fixed_model import judging_analyser
from thresher.build import make_analyser, make_engine, make_fetcher, recipe_of, worker_number
from thresher.config.load import load
from thresher.config.settings import Settings
from thresher.crawl.clock import RealClock, run_real
from thresher.reading.analysis import Analyser
from thresher.reading.workers import WorkerPool
from thresher.store.memory import MemoryStore
from thresher.store.records import CrawlKind, Progress
from thresher.store.repository import open_store
from thresher.types import Link

Tier: TypeAlias = Literal["a", "b", "c"]
FACTORY = "thresher.bench.fixed_model:judging_analyser"
SCORED = "thresher.bench.fixed_model:FixedScores"


class CrawlPlan(Struct, frozen=True, kw_only=True):
    """What to crawl: `pages` to store, the parallel fetches in total and per host, and `workers` as in the settings."""

    start_pages: list[str]
    pages: int
    parallel: int
    per_host: int
    tier: Tier = "a"
    workers: int = -1


class CrawlCost(Struct, frozen=True):
    """The cost of a crawl: `cpu_seconds` of all its processes, and their peak memory in megabytes."""

    pages: int
    seconds: float
    cpu_seconds: float
    memory_mb: float


def tier_settings(plan: CrawlPlan) -> Settings:
    """Return the settings of a tier; all others are the defaults."""
    judged = plan.tier != "a"
    return load(
        overrides=[
            f'crawl.strategy="{SCORED if judged else "breadth-first"}"',
            f"crawl.pages={plan.pages}",
            f"engine.parallel={plan.parallel}",
            f"engine.workers={plan.workers}",
            f"manners.per_host={plan.per_host}",
            f"manners.per_domain={plan.per_host}",
            "manners.delay=0",
            f"reading.text={'true' if judged else 'false'}",
            f"archive.enabled={'true' if plan.tier == 'c' else 'false'}",
            'network.contact="bench@localhost"',
            'network.allow=["127.0.0.0/8"]',
        ]
    ).settings


async def crawl(plan: CrawlPlan, directory: Path | None) -> CrawlCost:
    """Crawl as planned, into a directory or into memory."""
    clock, settings = RealClock(), tier_settings(plan)
    store = open_store(directory, create=True) if directory is not None else MemoryStore()
    row = store.crawls.start(CrawlKind.CRAWL, settings.crawl.strategy, settings.model_dump(mode="json"), clock.wall())
    analyser = await _analyser(plan, settings, clock)
    fetcher = make_fetcher(settings, clock)
    memory = _Memory()
    engine = make_engine(
        store=store,
        crawl=row,
        settings=settings,
        fetcher=fetcher,
        analyser=analyser,
        clock=clock,
        seeds=plan.start_pages,
        directory=directory,
        archived=settings.archive.enabled,
        on_progress=memory.note,
    )
    started, before = time.perf_counter(), _processor_time()
    progress = await engine.run([Link(url, "", 0, 0) for url in plan.start_pages])
    seconds = time.perf_counter() - started
    memory.note()
    await analyser.close()
    await fetcher.close()
    cost = CrawlCost(progress.pages, seconds, _processor_time() - before, memory.total_mb())
    store.close()
    return cost


async def _analyser(plan: CrawlPlan, settings: Settings, clock: RealClock) -> Analyser:
    """Return the analyser for the settings, with the fixed model as classifier in tiers that have one."""
    if plan.tier == "a":
        return await make_analyser(settings, settings.crawl.strategy, clock)
    recipe = msgspec.json.encode(recipe_of(settings, settings.crawl.strategy))
    size = worker_number(settings)
    if size == 0:
        return judging_analyser(recipe)
    pool = WorkerPool(FACTORY, recipe, clock=clock, size=size, deadline=settings.engine.reading_deadline)
    await pool.start()
    return pool


def _processor_time() -> float:
    """Return the CPU time of this process and of ended workers, in seconds."""
    own, ended = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + ended.ru_utime + ended.ru_stime


class _Memory:
    """Peak memory of this process and its workers.

    It is read while they run, since a worker that is busy when the crawl ends is gone afterwards, and the system's
    `ru_maxrss` of an ended process starts with the memory of its parent.
    """

    def __init__(self) -> None:
        this = psutil.Process()
        self._peaks = dict.fromkeys([this.pid, *(worker.pid for worker in this.children())], 0.0)

    def note(self, progress: Progress | None = None) -> None:
        """Take a reading of the living processes."""
        for process in self._peaks:
            with suppress(FileNotFoundError, ProcessLookupError):
                found = re.search(r"VmHWM:\s*([0-9]+) kB", Path(f"/proc/{process}/status").read_text())
                if found is not None:
                    self._peaks[process] = int(found[1]) / 1000

    def total_mb(self) -> float:
        """Return the sum of the highest readings, in megabytes."""
        return sum(self._peaks.values())


def main() -> None:
    """Crawl according to the command line and print the cost."""
    plan = msgspec.json.decode(sys.argv[1], type=CrawlPlan)
    with tempfile.TemporaryDirectory(prefix="thresher-bench-") as folder:
        cost = run_real(crawl(plan, Path(folder) if plan.tier == "c" else None))
    sys.stdout.write(msgspec.json.encode(cost).decode() + "\n")


if __name__ == "__main__":
    main()
