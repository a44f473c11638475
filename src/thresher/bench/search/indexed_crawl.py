"""Measures the share of a crawl's CPU time that its index takes: the same crawl with and without it.

A crawl runs in a separate process: `python -m thresher.bench.search.indexed_crawl PLAN SECONDS`. PLAN is the plan of a
crawl that stores everything on disk, SECONDS the time between index updates, 0 for none.
"""

import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Final

import msgspec
from msgspec import Struct

from thresher.bench.loopback import loopback
from thresher.bench.tier_crawl import CrawlPlan, crawl
from thresher.bench.tiers import SPARE
from thresher.config.load import load
from thresher.crawl.clock import run_real
from thresher.runs.indexing import CrawlIndexing
from thresher.simweb.parameters import WebParameters

_HOSTS: Final = 250
_PARALLEL: Final = 64
_PER_HOST: Final = 8


class IndexShare(Struct, frozen=True, kw_only=True):
    """The CPU time of a crawl per page, in milliseconds, and the share of it that the index takes.

    Medians of several crawls.
    """

    pages: int
    cpu_ms: float
    cpu_ms_without: float
    share: float


def index_share(pages: int, repeats: int, on_progress: Callable[[str], None] = lambda _: None) -> IndexShare:
    """Crawl a generated web on loopback with and without an index, alternately."""
    times: dict[float, list[float]] = {load().settings.search.index_seconds: [], 0.0: []}
    parameters = WebParameters(pages=int(pages * SPARE), hosts=min(_HOSTS, pages // 2), profile="clean")
    with loopback(parameters) as web:
        plan = CrawlPlan(start_pages=web.start_pages, pages=pages, parallel=_PARALLEL, per_host=_PER_HOST, tier="c")
        for number in range(repeats):
            for seconds, taken in times.items():
                on_progress(f"Crawl {number + 1} of {repeats}, {'with' if seconds else 'without'} an index")
                taken.append(1000 * _crawled(plan, seconds) / pages)
    with_index, without = (median(taken) for taken in times.values())
    return IndexShare(
        pages=pages,
        cpu_ms=round(with_index, 3),
        cpu_ms_without=round(without, 3),
        share=round(1.0 - without / with_index, 4),
    )


def _crawled(plan: CrawlPlan, seconds: float) -> float:
    """Crawl in a separate process, and return its CPU seconds."""
    command = [sys.executable, "-m", __name__, msgspec.json.encode(plan).decode(), str(seconds)]
    done = subprocess.run(command, capture_output=True, check=True)  # noqa: S603 - our own program
    return float(done.stdout)


def _processor_time() -> float:
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in spent)


def main() -> None:
    """Crawl according to the command line, and print the CPU seconds."""
    plan, seconds = msgspec.json.decode(sys.argv[1], type=CrawlPlan), float(sys.argv[2])
    before = _processor_time()
    with tempfile.TemporaryDirectory(prefix="thresher-bench-") as folder, CrawlIndexing(Path(folder), seconds):
        run_real(crawl(plan, Path(folder)))
    sys.stdout.write(f"{_processor_time() - before}\n")


if __name__ == "__main__":
    main()
