"""Crawls healthy hosts alone and among hostile ones, and checks what the servers saw."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from thresher.bench.attackers import Meter, hostile_server
from thresher.portals import create_portal
from thresher.simweb.hostile.server import BEHAVIOURS, COPY, HEALTHY, Ports
from thresher.store.explain import explain
from thresher.store.repository import open_store
from thresher.store.url_records import UrlState
from thresher.web.urls import canonical

SLOW = ("silent", "slow-body", "slow-head", "endless", "interim")
"""Behaviours that hold a connection as long as they can."""

MAX_BODY = 10_000_000
BUFFER = 8 << 20
"""Assumed size of both socket buffers in bytes, if the system does not say."""

_BUFFERS = [Path(f"/proc/sys/net/ipv4/tcp_{side}mem") for side in "rw"]


class Siege(Struct, frozen=True, kw_only=True):
    """The size of an attack.

    `healthy` hosts have `pages` pages each, with `delay` seconds between requests to a host. `copies` is the number of
    hosts per slow behaviour, `deadline` the time limit of a fetch in seconds, and `tries` the number of attempts.
    """

    healthy: int = 20
    pages: int = 100
    delay: float = 0.25
    copies: int = 12
    deadline: float = 10.0
    tries: int = 2
    parallel: int = 64
    workers: int = 1


class HostileFigures(Struct, frozen=True, kw_only=True):
    """The results according to the servers and the repository.

    Rates are healthy pages per second. `memory_growth_mb` is the peak memory of all our processes under attack minus
    that without, excluding processes that read files, whose peak is `files_mb`. `escaped` lists files that an archive
    managed to write outside the portal; `over_limit` behaviours that sent more bytes than a fetch may read;
    `unexplained` URLs of attackers that ended without a reason. `left` counts processes that outlived the crawl, and
    `last_words` is its error output if it failed.
    """

    healthy_pages: int
    alone_per_second: float
    attacked_per_second: float
    rate_kept: float
    exit_code: int
    last_words: str
    left: int
    forbidden_connects: int
    memory_growth_mb: float
    files_mb: float
    escaped: list[str]
    attackers: int
    over_limit: list[str]
    unexplained: list[str]
    reasons: dict[str, int]


class _Crawl(Struct, frozen=True):
    """A finished crawl: exit code and error output, leftover processes, peak memory in bytes, and healthy pages.

    `files` is the peak of the processes that read files, `peak` that of all others.
    """

    code: int
    told: str
    left: int
    peak: int
    files: int
    rate: float
    pages: int


def measure_hostile(directory: Path, siege: Siege | None = None) -> HostileFigures:
    """Crawl healthy hosts alone, then among attackers, and compare."""
    size = siege or Siege()
    with hostile_server(size.pages) as (good, _), hostile_server(size.pages, "--bombs") as (bad, stop):
        _portal(directory / "alone", size, good, bad, [])
        alone = _crawl(directory / "alone", size)
        attackers = [*BEHAVIOURS, *(f"{name}{COPY}{number}" for name in SLOW for number in range(size.copies))]
        _portal(directory / "siege", size, good, bad, attackers)
        siege_crawl = _crawl(directory / "siege", size)
        seen = stop()
    unexplained, reasons = _judged(directory / "siege")
    return HostileFigures(
        healthy_pages=siege_crawl.pages,
        alone_per_second=round(alone.rate, 1),
        attacked_per_second=round(siege_crawl.rate, 1),
        rate_kept=round(siege_crawl.rate / alone.rate, 3) if alone.rate else 0.0,
        exit_code=siege_crawl.code or alone.code,
        last_words=siege_crawl.told or alone.told,
        left=siege_crawl.left,
        forbidden_connects=seen.forbidden,
        memory_growth_mb=round((siege_crawl.peak - alone.peak) / 1e6, 1),
        files_mb=round(siege_crawl.files / 1e6, 1),
        escaped=_escaped(directory),
        attackers=len(attackers),
        over_limit=sorted(name for name, sent in seen.most_bytes.items() if sent > MAX_BODY + _buffered()),
        unexplained=unexplained,
        reasons=reasons,
    )


def _portal(portal: Path, size: Siege, good: Ports, bad: Ports, attackers: Sequence[str]) -> None:
    healthy = [f"{HEALTHY}{number}.test" for number in range(size.healthy)]
    mapped = "\n".join(f'"{name}" = "127.0.0.1:{good.port}"' for name in healthy)
    settings = f'\n[network.map]\n{mapped}\n"*.test" = "127.0.0.1:{bad.port}"\n'
    # Attackers come first, so they are requested before any healthy host.
    seeds = [*(f"http://{name}.test/" for name in attackers), *(f"http://{name}/" for name in healthy)]
    create_portal(portal, "\n".join(seeds), contact="bench@localhost", settings=settings)


def _settings(size: Siege) -> list[str]:
    values = {
        "network.connect_timeout": 2,
        "network.read_timeout": size.deadline / 2,
        "network.deadline": size.deadline,
        "network.max_body": MAX_BODY,
        "manners.delay": size.delay,
        "manners.backoff": 0.1,
        "manners.retry": 0.1,
        "manners.max_tries": size.tries,
        "manners.max_delay": 2,
        "traps.patience": 30,
        "engine.parallel": size.parallel,
        "engine.workers": size.workers,
        "crawl.pages": 0,
        "store.min_free_mb": 0,
    }
    return [word for key, value in values.items() for word in ("--set", f"{key}={value}")]


def _crawl(portal: Path, size: Siege) -> _Crawl:
    """Crawl a portal to its end and measure."""
    command = [sys.executable, "-m", "thresher", "crawl", str(portal), *_settings(size), "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # noqa: S603 - our own program
    meter = Meter(process.pid)
    meter.start()
    _, errors = process.communicate()
    peaks = meter.finish()
    pages, rate = _rate(portal)
    told = errors.decode(errors="replace")[-500:] if process.returncode else ""
    return _Crawl(process.returncode, told, peaks.left, peaks.rest, peaks.files, rate, pages)


def _escaped(directory: Path) -> list[str]:
    """Return the files that archives wrote where they must not: next to the portals, here, or elsewhere."""
    places = [directory, *directory.parents, Path.cwd(), Path.cwd().parent]
    return sorted({str(file) for place in places for file in place.glob("*was-here*")})


def _rate(portal: Path) -> tuple[int, float]:
    """Return the number of healthy pages, and the rate per second from the start to the last one."""
    store = open_store(portal, read_only=True)
    try:
        entries = list(store.log.entries())
    finally:
        store.close()
    start = next(entry.at for entry in entries if entry.kind == "started")
    times = [entry.at for entry in entries if entry.kind == "fetched" and f"//{HEALTHY}" in (entry.url or "")]
    return len(times), len(times) / (max(times) - start) if times else 0.0


def _judged(portal: Path) -> tuple[list[str], dict[str, int]]:
    """Return the attackers' URLs that ended without a page or a reason, and the number of URLs per reason."""
    store = open_store(portal, read_only=True)
    unexplained: list[str] = []
    reasons: dict[str, int] = {}
    try:
        crawl = store.crawls.get()
        assert crawl is not None
        seen = {url for url in store.start_urls.urls() if f"//{HEALTHY}" not in url}
        for entry in store.log.entries():
            if entry.url and f"//{HEALTHY}" not in entry.url:
                seen |= {entry.url, *filter(None, [canonical(str(entry.detail.get("to") or ""))])}
        for url in sorted(seen):
            told = explain(store, url)
            if told is None or told.row is None:
                # A robots file is not a page of the crawl; its visit has the result.
                continue
            if told.row.reason is not None:
                reasons[told.row.reason.value] = reasons.get(told.row.reason.value, 0) + 1
            elif told.row.state not in (UrlState.DONE, UrlState.REDIRECTED):
                unexplained.append(url)
    finally:
        store.close()
    return unexplained, reasons


def _buffered() -> int:
    """Return how many bytes a server may have sent that were never read: the maximum of both sockets' buffers."""
    try:
        return sum(int(path.read_text().split()[-1]) for path in _BUFFERS)
    except (OSError, ValueError, IndexError):
        return BUFFER
