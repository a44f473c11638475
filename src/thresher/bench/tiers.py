"""Compares crawl tiers with other crawlers: same pre-rendered web, same budget, alternating runs.

Every run is a separate process that reports its pages, seconds, CPU time and memory; the server runs on the same cores,
and its CPU time is reported separately.
"""

import subprocess
import sys
from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path
from statistics import median

import msgspec
from msgspec import Struct

from thresher.bench.loopback import Loopback, loopback
from thresher.bench.tier_crawl import CrawlCost, CrawlPlan, Tier
from thresher.errors import InputError
from thresher.simweb.parameters import WebParameters

TIERS: tuple[Tier, ...] = ("a", "b", "c")
RIVALS = ("scrapy", "crawlee")
SPARE = 1.5
"""Pages of the web per page of the budget, so no crawler runs out of pages."""


class TierRow(Struct, frozen=True, kw_only=True):
    """The medians of one crawler, a tier of ours or a rival; `runs` holds the costs behind them.

    `server_cpu_ms` is the server's CPU time per page, which is not part of the crawler's.
    """

    crawler: str
    pages: int
    pages_per_second: float
    cpu_ms_per_page: float
    memory_mb: float
    requests: int
    server_cpu_ms: float
    runs: list[CrawlCost]


class TierRatio(Struct, frozen=True):
    """How much better one crawler is than another: pages per second, and pages per CPU second."""

    crawler: str
    against: str
    wall: float
    cpu: float


class TierFigures(Struct, frozen=True):
    """Rows and ratios of one measurement."""

    rows: list[TierRow]
    ratios: list[TierRatio]


class _Runner:
    """Starts crawls of one web; `python` is the interpreter of the rivals' environment."""

    def __init__(self, web: Loopback, plan: CrawlPlan, python: Path | None) -> None:
        self._web = web
        self._plan = plan
        self._python = python
        self._costs: dict[str, list[CrawlCost]] = {}
        self._seen: dict[str, list[tuple[int, float]]] = {}

    def run(self, crawler: str) -> None:
        """Run one crawl and record its cost; raises InputError if the crawler fails."""
        self._web.seen()
        done = subprocess.run(self._command(crawler), capture_output=True, check=False)  # noqa: S603 - our own scripts
        if done.returncode:
            told = done.stderr.decode(errors="replace").strip().splitlines() or ["nothing was said"]
            raise InputError(f"The crawl by {crawler} failed: {told[-1][:200]}", "Try it alone to see more.")
        cost = msgspec.json.decode(done.stdout.splitlines()[-1], type=CrawlCost)
        seen = self._web.seen()
        self._costs.setdefault(crawler, []).append(cost)
        self._seen.setdefault(crawler, []).append((seen.requests, seen.cpu_seconds / max(1, cost.pages) * 1000))

    def _command(self, crawler: str) -> list[str]:
        if crawler in TIERS:
            plan = msgspec.structs.replace(self._plan, tier=crawler)
            return [sys.executable, "-m", "thresher.bench.tier_crawl", msgspec.json.encode(plan).decode()]
        script = files("thresher.bench").joinpath("rivals", f"{crawler}_crawl.py")
        return [str(self._python), str(script), msgspec.json.encode(self._plan).decode()]

    def row(self, crawler: str) -> TierRow:
        """Return the medians of a crawler."""
        costs, seen = self._costs[crawler], self._seen[crawler]
        return TierRow(
            crawler=f"thresher ({crawler})" if crawler in TIERS else crawler,
            pages=int(median(cost.pages for cost in costs)),
            pages_per_second=median(cost.pages / cost.seconds for cost in costs),
            cpu_ms_per_page=median(cost.cpu_seconds / cost.pages * 1000 for cost in costs),
            memory_mb=median(cost.memory_mb for cost in costs),
            requests=int(median(requests for requests, _ in seen)),
            server_cpu_ms=median(cpu for _, cpu in seen),
            runs=costs,
        )


def measure_tiers(
    *,
    pages: int = 3000,
    repeats: int = 5,
    hosts: int = 250,
    parallel: int = 64,
    per_host: int = 8,
    workers: int = -1,
    tiers: Sequence[Tier] = TIERS,
    rivals: Path | None = None,
) -> TierFigures:
    """Crawl with every tier in turn, and with the rivals if the Python of their environment is given.

    `pages` is the budget of each crawl, `repeats` the number of rounds, `workers` our worker processes as in the
    settings. Raises InputError if that Python does not exist.
    """
    if rivals is not None and not rivals.exists():
        raise InputError(f"There is no {rivals}.", "Create the environment of the other crawlers: make bench-rivals")
    crawlers = [*tiers, *(RIVALS if rivals is not None else ())]
    parameters = WebParameters(pages=int(pages * SPARE), hosts=min(hosts, pages // 2), profile="clean")
    with loopback(parameters) as web:
        plan = CrawlPlan(
            start_pages=web.start_pages, pages=pages, parallel=parallel, per_host=per_host, workers=workers
        )
        runner = _Runner(web, plan, rivals)
        for _ in range(repeats):
            for crawler in crawlers:
                runner.run(crawler)
    rows = [runner.row(crawler) for crawler in crawlers]
    return TierFigures(rows, list(_ratios(rows[: len(tiers)], rows[len(tiers) :])))


def _ratios(ours: Iterable[TierRow], theirs: Sequence[TierRow]) -> Iterable[TierRatio]:
    for own in ours:
        for rival in theirs:
            wall = own.pages_per_second / rival.pages_per_second
            yield TierRatio(own.crawler, rival.crawler, wall, rival.cpu_ms_per_page / own.cpu_ms_per_page)
