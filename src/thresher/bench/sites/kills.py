"""Kills crawls for websites over HTTP repeatedly, and compares them with two uninterrupted ones and the server's log.

Crawls over a network depend on what arrives first, so the killed one is compared with both others, and these with each
other. All three continue from the same portal, which has already sampled its sites and learned from them.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from thresher.bench.crash import ANSWERED, Served
from thresher.errors import ThresherError
from thresher.portals import create_portal
from thresher.simweb.access_log import Access, read_log
from thresher.simweb.robots_files import PATH
from thresher.site_types import SiteRow, SiteState
from thresher.store.crawl_history import newest_of
from thresher.store.records import CrawlKind, CrawlState
from thresher.store.repository import open_store
from thresher.taxonomy.from_bookmarks import from_bookmarks

SLACK: Final = 0.02
"""Seconds by which the network may delay a request."""

PER_HOST: Final = 2
"""Maximum number of requests in progress per host."""


class SiteDifference(Struct, frozen=True):
    """The difference between two crawls: sites examined by both or only one, and differing verdicts."""

    both: int
    first_only: int
    second_only: int
    verdicts: int


class SiteKillFigures(Struct, frozen=True, kw_only=True):
    """The results of the crawls.

    `whole` compares the two crawls without kills, `killed` the killed one with the first of them. `lost` counts
    committed pages and decisions that were missing after a kill, `wrongly` committed pages that were fetched again, and
    `changed` decisions that were made again with a different result. `most_open` is the largest number of sites being
    read at once. The others count violations of manners in all crawls: requests `before_robots` was answered, requests
    made `too_early`, and hosts with too many requests at once (`too_parallel`).
    """

    sites: int
    pages: int
    kills: int
    whole: SiteDifference
    killed: SiteDifference
    lost: int
    wrongly: int
    changed: int
    most_open: int
    before_robots: int
    too_early: int
    too_parallel: int


class KillTrial(Struct, frozen=True):
    """What all crawls of a comparison share: the web, the budget, and the seconds between requests to a host."""

    web: Served
    pages: int
    delay: float


def kill_sites(
    directory: Path, *, sites: int = 2000, pages: int = 3000, kills: int = 10, delay: float = 1.0, seed: int = 0
) -> SiteKillFigures:
    """Crawl a generated web for sites three times, once with kills at random moments."""
    draw = random.Random(seed)
    with _served(directory, sites, seed) as (web, marks):
        trial = KillTrial(web, pages, delay)
        first = directory / "whole0"
        _make_portal(first, trial, marks)
        _finish(first, 1)
        portals = [first, directory / "whole1", directory / "killed"]
        for portal in portals[1:]:
            shutil.copytree(first, portal)
        ends, began = [len(_seen(trial))], time.monotonic()
        for portal in portals[:2]:
            _finish(portal, pages)
            ends.append(len(_seen(trial)))
        length = (time.monotonic() - began) / 2
        told = _killed(portals[2], trial, [draw.uniform(0.5, 1.5) * length / (kills + 1) for _ in range(kills)])
        seen, ends = _seen(trial), [*ends, len(_seen(trial))]
        # The robots files of the sampled sites were fetched before the portal was copied.
        crawls = [seen[: ends[0]] + seen[start:end] for start, end in pairwise(ends)]
        decided = [_decided(portal) for portal in portals]
        return SiteKillFigures(
            sites=sites,
            pages=pages,
            kills=kills,
            whole=_difference(decided[0], decided[1]),
            killed=_difference(decided[0], decided[2]),
            lost=told.lost,
            wrongly=told.wrongly,
            changed=told.changed,
            most_open=max(told.most_open, *(_open(portal) for portal in portals)),
            before_robots=sum(before_robots(own) for own in crawls),
            too_early=sum(too_early(own, delay) for own in crawls),
            too_parallel=sum(too_parallel(own) for own in crawls),
        )


class _Told(Struct):
    lost: int = 0
    wrongly: int = 0
    changed: int = 0
    most_open: int = 0


def _killed(portal: Path, trial: KillTrial, moments: Sequence[float]) -> _Told:
    """Kill a crawl some seconds after each start, let it finish, and return what the kills undid."""
    told = _Told()
    fetched, decided = _fetched(portal), _decided(portal)
    for moment in [*moments, None]:
        before = len(_seen(trial))
        if moment is None or _is_over(portal, trial.pages):
            _finish(portal, trial.pages)
        else:
            _kill_after(portal, trial.pages, moment)
        asked = {f"http://{one.host}{one.target}" for one in _seen(trial, before)}
        now, rows = _fetched(portal), _decided(portal)
        told.lost += len(fetched - now) + len(decided.keys() - rows.keys())
        told.wrongly += len(fetched & asked)
        told.changed += sum(rows[name] != row for name, row in decided.items() if name in rows)
        told.most_open = max(told.most_open, _open(portal))
        fetched, decided = now, rows
    return told


@contextmanager
def _served(directory: Path, sites: int, seed: int) -> Iterator[tuple[Served, bytes]]:
    """Serve a generated web of sites from a separate process; yields it with a bookmark file."""
    marks, log = directory / "sites.html", directory / "access.jsonl"
    command = _thresher("web", "sites", "--sites", sites, "--seed", seed, "--port", 0, "--json")
    command += ["--bookmarks", str(marks), "--log", str(log)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE)  # noqa: S603 - our own program
    try:
        line = server.stdout.readline() if server.stdout else b""
        yield Served(msgspec.json.decode(line)["port"], log, []), marks.read_bytes()
    finally:
        server.terminate()
        server.wait()


def _make_portal(portal: Path, trial: KillTrial, marks: bytes) -> None:
    settings = (
        f'\n[network.map]\n"*.test" = "127.0.0.1:{trial.web.port}"\n[manners]\ndelay = {trial.delay}\n'
        "[engine]\nparallel = 100\nworkers = 0\n[store]\nmin_free_mb = 0\n"
        "[strategy.websites]\nwindow = 0\nat_once = 50\n"
    )
    create_portal(portal, None, from_bookmarks(marks).taxonomy, contact="bench@localhost", settings=settings)


def _finish(portal: Path, pages: int) -> None:
    if _is_over(portal, pages):
        return
    done = subprocess.run(_run(portal, pages), capture_output=True, check=False)  # noqa: S603 - our own program
    if done.returncode != 0:
        raise ThresherError(f"The crawl could not be finished: {done.stderr.decode()[-500:]}")


def _is_over(portal: Path, pages: int) -> bool:
    """Return whether a crawl has spent its pages or has nothing left."""
    with closing(open_store(portal, read_only=True)) as store:
        crawl = newest_of(store, CrawlKind.SITES)
    if crawl is None:
        return False
    return crawl.progress.state is CrawlState.FINISHED or 0 < pages <= crawl.progress.pages


def _kill_after(portal: Path, pages: int, seconds: float) -> None:
    crawl = subprocess.Popen(  # noqa: S603 - our own program
        _run(portal, pages), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        crawl.wait(seconds)
    except subprocess.TimeoutExpired:
        os.killpg(crawl.pid, signal.SIGKILL)
        crawl.wait()


def _run(portal: Path, pages: int) -> list[str]:
    return _thresher("sites", portal, "run", "--want", 0, "--pages", pages, "--json")


def _thresher(*words: object) -> list[str]:
    return [sys.executable, "-m", "thresher", *map(str, words)]


def _seen(trial: KillTrial, before: int = 0) -> list[Access]:
    """Return the server's accesses after the first `before` requests."""
    return read_log(trial.web.log)[before:] if trial.web.log.exists() else []


def _rows(portal: Path) -> list[SiteRow]:
    with closing(open_store(portal, read_only=True)) as store:
        crawl = newest_of(store, CrawlKind.SITES)
        return [] if crawl is None else store.sites.of_crawl(crawl.id)


def _decided(portal: Path) -> dict[str, SiteRow]:
    return {row.site: row for row in _rows(portal) if row.state is not SiteState.OPEN}


def _open(portal: Path) -> int:
    return sum(row.state is SiteState.OPEN for row in _rows(portal))


def _fetched(portal: Path) -> set[str]:
    with closing(open_store(portal, read_only=True)) as store:
        crawl = newest_of(store, CrawlKind.SITES)
        entries = store.log.entries(0, crawl.id) if crawl is not None else ()
        return {entry.url for entry in entries if entry.url and entry.kind in ANSWERED}


def _difference(first: Mapping[str, SiteRow], second: Mapping[str, SiteRow]) -> SiteDifference:
    both = first.keys() & second.keys()
    return SiteDifference(
        both=len(both),
        first_only=len(first) - len(both),
        second_only=len(second) - len(both),
        verdicts=sum(first[name].state is not second[name].state for name in both),
    )


def before_robots(accesses: Sequence[Access]) -> int:
    """Return how many requests came before the robots file of their host was answered."""
    known: dict[str, float] = {}
    for one in accesses:
        if one.target == PATH and one.answered is not None:
            known[one.host] = min(one.answered, known.get(one.host, one.answered))
    return sum(one.received < known.get(one.host, float("inf")) for one in accesses if one.target != PATH)


def too_early(accesses: Sequence[Access], delay: float) -> int:
    """Return how many requests came sooner than `delay` after the previous one to the host, except for robots files."""
    times: dict[str, list[float]] = {}
    for one in accesses:
        if one.target != PATH:
            times.setdefault(one.host, []).append(one.received)
    return sum(later - earlier < delay - SLACK for own in times.values() for earlier, later in pairwise(sorted(own)))


def too_parallel(accesses: Sequence[Access]) -> int:
    """Return how many hosts had too many requests in progress at once."""
    most = Counter[str]()
    for one in accesses:
        most[one.host] = max(most[one.host], one.in_progress + 1)
    return sum(number > PER_HOST for number in most.values())
