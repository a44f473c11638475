"""Fairness: the share of their rate that healthy hosts keep while others send very costly pages."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from thresher.bench.attackers import Meter, hostile_server
from thresher.portals import create_portal
from thresher.simweb.hostile.costly import COSTLY
from thresher.simweb.hostile.server import COPY, HEALTHY, Ports
from thresher.store.repository import open_store

ENDLESS = 1_000_000
"""Pages of a healthy host: more than any crawl here can fetch."""


class FairnessSize(Struct, frozen=True, kw_only=True):
    """The size of the measurement: `seconds` per crawl, and `healthy` hosts with `delay` seconds between pages.

    `siege` is the number of costly hosts in the largest attack. If `workers` is below 0, the default of the settings
    applies.
    """

    seconds: float = 40.0
    healthy: int = 4
    delay: float = 0.25
    siege: int = 58
    workers: int = -1


class FairCrawl(Struct, frozen=True, kw_only=True):
    """One crawl: the number and kinds of costly hosts, healthy pages per second, and the share of the undisturbed rate.

    `memory_mb` is the peak of all processes together, `largest_mb` that of the largest; `costly_pages` is the number of
    costly pages read; `last_words` is the error output of a failed crawl.
    """

    costly: int
    kinds: list[str]
    healthy_per_second: float
    kept: float
    costly_pages: int
    memory_mb: float
    largest_mb: float
    exit_code: int = 0
    last_words: str = ""


class FairnessFigures(Struct, frozen=True, kw_only=True):
    """Crawls of healthy hosts alone and under attack; `least_kept` and `most_memory_mb` are the worst values."""

    workers: int
    crawls: list[FairCrawl]
    least_kept: float
    most_memory_mb: float


def measure_fairness(directory: Path, size: FairnessSize | None = None) -> FairnessFigures:
    """Crawl healthy hosts alone, next to one costly host of each kind, and next to many of all kinds."""
    measured = size or FairnessSize()
    kinds = list(COSTLY)
    attacks = [[], *([kind] for kind in kinds)]
    attacks.append([f"{kinds[number % len(kinds)]}{COPY}{number}" for number in range(measured.siege)])
    crawls: list[FairCrawl] = []
    with hostile_server(ENDLESS) as (good, _), hostile_server(1, "--costly") as (bad, _):
        for number, attackers in enumerate(attacks):
            alone = crawls[0].healthy_per_second if crawls else None
            crawls.append(_crawl(directory / f"portal-{number}", measured, good, bad, attackers, alone))
    return FairnessFigures(
        workers=measured.workers,
        crawls=crawls,
        least_kept=min(crawl.kept for crawl in crawls),
        most_memory_mb=max(crawl.memory_mb for crawl in crawls),
    )


def _crawl(
    portal: Path, size: FairnessSize, good: Ports, bad: Ports, attackers: Sequence[str], alone: float | None
) -> FairCrawl:
    """Run one crawl; `alone` is the rate without attackers, None if this crawl measures it."""
    _portal(portal, size, good, bad, attackers)
    command = [sys.executable, "-m", "thresher", "crawl", str(portal), *_settings(size), "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # noqa: S603 - our own program
    meter = Meter(process.pid)
    meter.start()
    _, errors = process.communicate()
    peaks = meter.finish()
    healthy, costly = _fetched(portal, size.seconds)
    rate = healthy / size.seconds
    return FairCrawl(
        costly=len(attackers),
        kinds=sorted({name.partition(COPY)[0] for name in attackers}),
        healthy_per_second=round(rate, 2),
        kept=1.0 if alone is None else round(rate / alone, 3) if alone else 0.0,
        costly_pages=costly,
        memory_mb=round(peaks.together / 1e6, 1),
        largest_mb=round(peaks.one / 1e6, 1),
        exit_code=process.returncode,
        last_words=errors.decode(errors="replace")[-500:] if process.returncode else "",
    )


def _portal(portal: Path, size: FairnessSize, good: Ports, bad: Ports, attackers: Sequence[str]) -> None:
    healthy = [f"{HEALTHY}{number}.test" for number in range(size.healthy)]
    mapped = "\n".join(f'"{name}" = "127.0.0.1:{good.port}"' for name in healthy)
    settings = f'\n[network.map]\n{mapped}\n"*.test" = "127.0.0.1:{bad.port}"\n'
    # Attackers come first, so they are requested before any healthy host.
    seeds = [*(f"http://{name}.test/" for name in attackers), *(f"http://{name}/" for name in healthy)]
    create_portal(portal, "\n".join(seeds), contact="bench@localhost", settings=settings)


def _settings(size: FairnessSize) -> list[str]:
    values = {
        "manners.delay": size.delay,
        "engine.workers": size.workers,
        "crawl.pages": 0,
        "crawl.hours": size.seconds / 3600,
        "store.min_free_mb": 0,
    }
    return [word for key, value in values.items() for word in ("--set", f"{key}={value}")]


def _fetched(portal: Path, seconds: float) -> tuple[int, int]:
    """Return how many healthy and costly pages arrived within the first `seconds` of a crawl."""
    store = open_store(portal, read_only=True)
    try:
        entries = list(store.log.entries())
    finally:
        store.close()
    start = next((entry.at for entry in entries if entry.kind == "started"), 0.0)
    inside = [entry for entry in entries if entry.kind == "fetched" and entry.at <= start + seconds]
    healthy = sum(f"//{HEALTHY}" in (entry.url or "") for entry in inside)
    return healthy, len(inside) - healthy
