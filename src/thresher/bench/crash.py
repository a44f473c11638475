"""Crash trials: kills and resumes a crawl over HTTP many times, and checks it against the server's log."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from thresher.errors import ThresherError
from thresher.portals import create_portal
from thresher.simweb.access_log import read_log
from thresher.simweb.manifest import write
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web
from thresher.store.archive.archive_files import ARCHIVE, RecordPosition
from thresher.store.archive.stored import read_record
from thresher.store.page_records import VisitRow
from thresher.store.protocol import Store
from thresher.store.repository import is_portal, open_store
from thresher.web.urls import url_id

PARALLEL = 16
BATCH = 64
ANSWERED = ("fetched", "redirected")
"""Visits that must not be repeated; failed ones may be."""
KILLS = 5
"""Kills per portal before its crawl is resumed to the end."""


class CrashFigures(Struct, frozen=True, kw_only=True):
    """The results of the trials.

    `lost` counts committed visits that were missing after a kill; `refetched` URLs that were requested again, and
    `wrongly` those of them that had been committed; `most_in_flight` is the largest number of visits undone by one
    kill, at most `bound`; `differing` counts page sets that differ from that of an uninterrupted crawl; `damaged`
    counts databases that failed their integrity check, or archives without a readable response for every visit that
    names one.
    """

    kills: int
    pages: int
    lost: int
    refetched: int
    wrongly: int
    most_in_flight: int
    bound: int
    differing: int
    damaged: int


class Served(Struct, frozen=True):
    """A generated web on its own port, with its access log."""

    port: int
    log: Path
    start_pages: list[str]


@contextmanager
def served(directory: Path, parameters: WebParameters) -> Iterator[Served]:
    """Serve a generated web from a separate process."""
    write(Web(parameters), directory / "web")
    log = directory / "access.jsonl"
    command = [*_thresher(), "web", "serve", str(directory / "web"), "--port", "0", "--log", str(log), "--json"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE)  # noqa: S603 - our own program
    try:
        line = server.stdout.readline() if server.stdout else b""
        ready: dict[str, Any] = msgspec.json.decode(line)
        yield Served(ready["port"], log, ready["start_pages"])
    finally:
        server.terminate()
        server.wait()


def make_portal(portal: Path, web: Served, *, pages: int = 0) -> None:
    """Create a portal whose crawl fetches from a served web: `pages` pages, or all."""
    settings = (
        f'\n[network.map]\n"*.test" = "127.0.0.1:{web.port}"\n[manners]\ndelay = 0\nbackoff = 0.05\n'
        f"[engine]\nparallel = {PARALLEL}\nworkers = 0\n[crawl]\npages = {pages}\n[store]\nmin_free_mb = 0\n"
    )
    create_portal(portal, "\n".join(web.start_pages), contact="bench@localhost", settings=settings)


def crash_trials(directory: Path, *, kills: int = 100, pages: int = 600, seed: int = 0) -> CrashFigures:
    """Kill crawls of a finite web at random moments and compare them with an uninterrupted one."""
    draw = random.Random(seed)
    parameters = WebParameters(pages=pages, hosts=max(8, pages // 30), seed=seed, profile="finite")
    with served(directory, parameters) as web:
        whole = directory / "whole"
        make_portal(whole, web)
        started = time.monotonic()
        finish_crawl(whole)
        length = time.monotonic() - started
        expected = stored_pages(whole)
        found = [
            _trial(directory / f"trial{number}", web, draw, length, min(KILLS, kills - number), expected)
            for number in range(0, kills, KILLS)
        ]
    return CrashFigures(
        kills=kills,
        pages=len(expected),
        lost=sum(trial.lost for trial in found),
        refetched=sum(trial.refetched for trial in found),
        wrongly=sum(trial.wrongly for trial in found),
        most_in_flight=max(trial.most_in_flight for trial in found),
        bound=PARALLEL + 2 * BATCH,
        differing=sum(trial.differing for trial in found),
        damaged=sum(trial.damaged for trial in found),
    )


class _Trial(Struct, frozen=True, kw_only=True):
    lost: int
    refetched: int
    wrongly: int
    most_in_flight: int
    differing: bool
    damaged: bool


def _trial(portal: Path, web: Served, draw: random.Random, length: float, kills: int, expected: set[str]) -> _Trial:
    make_portal(portal, web)
    begin = log_length(web)
    committed: list[str] = []
    lost = wrongly = most = 0
    damaged = False
    for run in range(kills + 1):
        before = log_length(web)
        if run < kills:
            # The kills of one portal are spread over the length of a whole crawl, including startup.
            kill_crawl_when(portal, _after(draw.uniform(0.0, length * 0.7)))
        else:
            finish_crawl(portal)
        asked, now = requests_since(web, before), visited(portal, ANSWERED)
        lost += len(set(committed) - set(now))
        wrongly += len(set(committed) & set(asked))
        if run < kills:
            most = max(most, len(set(asked) - set(visited(portal))))
        committed = now
        damaged = damaged or not is_sound(portal)
    everything = [url for url in requests_since(web, begin) if url in set(committed)]
    result = _Trial(
        lost=lost,
        refetched=len(everything) - len(set(everything)),
        wrongly=wrongly,
        most_in_flight=most,
        differing=stored_pages(portal) != expected,
        damaged=damaged,
    )
    shutil.rmtree(portal)
    return result


def kill_crawl_when(portal: Path, due: Callable[[], bool]) -> None:
    """Start or resume the crawl and kill it with its workers when it is due or has ended."""
    crawl = subprocess.Popen(  # noqa: S603 - our own program
        [*_thresher(), _verb(portal), str(portal), "--json"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    while crawl.poll() is None and not due():
        time.sleep(0.002)
    if crawl.poll() is None:
        os.killpg(crawl.pid, signal.SIGKILL)
        crawl.wait()


def _after(seconds: float) -> Callable[[], bool]:
    moment = time.monotonic() + seconds
    return lambda: time.monotonic() >= moment


def finish_crawl(portal: Path) -> None:
    """Start or resume the crawl and wait for it to end."""
    verb = _verb(portal)
    if verb == "finished":
        return
    done = subprocess.run([*_thresher(), verb, str(portal), "--json"], capture_output=True, check=False)  # noqa: S603
    if done.returncode != 0:
        raise ThresherError(f"The crawl could not be finished: {done.stderr.decode()[-500:]}")


def _verb(portal: Path) -> str:
    store = open_store(portal, read_only=True)
    try:
        crawl = store.crawls.get()
    finally:
        store.close()
    if crawl is None:
        return "crawl"
    return "finished" if crawl.progress.state == "finished" else "resume"


def _thresher() -> list[str]:
    return [sys.executable, "-m", "thresher"]


def stored_pages(portal: Path) -> set[str]:
    """Return the URLs of all stored pages."""
    store = open_store(portal, read_only=True)
    try:
        return set(store.documents.urls())
    finally:
        store.close()


def visited(portal: Path, kinds: Container[str] | None = None) -> list[str]:
    """Return the URLs of all committed visits, optionally of some kinds only."""
    store = open_store(portal, read_only=True)
    try:
        return [entry.url for entry in store.log.entries() if entry.url and (kinds is None or entry.kind in kinds)]
    finally:
        store.close()


def is_sound(portal: Path) -> bool:
    """Return whether the database is intact and the archive has a readable response for every visit that names one."""
    if not is_portal(portal):
        return False
    store = open_store(portal, read_only=True)
    try:
        return not store.check() and all(_readable(portal, visit) for visit in _archived(store))
    finally:
        store.close()


def _archived(store: Store) -> Iterator[VisitRow]:
    """Yield the visits whose responses are in the archive."""
    for entry in store.log.entries():
        if entry.url is not None:
            yield from (visit for visit in store.documents.visits(url_id(entry.url)) if visit.archive)


def _readable(portal: Path, visit: VisitRow) -> bool:
    try:
        return read_record(portal / ARCHIVE, RecordPosition(visit.archive, visit.offset)).url == visit.url
    except ThresherError:
        return False


def log_length(web: Served) -> int:
    """Return the number of requests to a served web."""
    return len(read_log(web.log)) if web.log.exists() else 0


def requests_since(web: Served, since: int) -> list[str]:
    """Return the URLs that were requested after the first `since` requests."""
    return [f"http://{access.host}{access.target}" for access in read_log(web.log)[since:]]
