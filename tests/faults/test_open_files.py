"""Wide crawls under low limits of open files, over loopback: nothing is lost, and what is wrong is said."""

import asyncio
import errno
import json
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import aiohttp
import pytest

from thresher.bench.attackers import hostile_server
from thresher.config.load import load
from thresher.crawl.clock import RealClock
from thresher.crawl.open_files import needed
from thresher.doctor import examine
from thresher.errors import PortalError
from thresher.portals import create_portal
from thresher.reasons import BLAMES_HOST, RETRIED, UNCOUNTED, Reason
from thresher.simweb.hostile.server import HostileServer
from thresher.store.disk_failures import disk_failures
from thresher.store.repository import open_store
from thresher.types import Candidate, Fetched
from thresher.web.failures import reason_for
from thresher.web.fetcher import HttpFetcher
from thresher.web.guard import AddressGuard

HOSTS = 300
QUICK = ("manners.delay=0", "engine.workers=1", "engine.reading_deadline=60", "store.min_free_mb=0", "crawl.pages=0")


def crawl(portal: Path, soft: int, hard: int, *settings: str) -> "subprocess.CompletedProcess[str]":
    """Crawl in a process with these limits of open files."""
    words = [word for setting in (*QUICK, *settings) for word in ("--set", setting)]
    return subprocess.run(
        [sys.executable, "-m", "thresher", "crawl", str(portal), *words, "--json"],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard)),
    )


@contextmanager
def wide_portal(directory: Path, hosts: int = HOSTS) -> Iterator[Path]:
    """Make a portal whose start pages are on so many hosts, each with a page under two addresses."""
    portal = directory / "portal"
    with hostile_server(1) as (ports, _):
        settings = f'\n[network.map]\n"*.test" = "127.0.0.1:{ports.port}"\n'
        starts = "\n".join(f"http://good{number}.test/" for number in range(hosts))
        create_portal(portal, starts, contact="test@localhost", settings=settings)
        yield portal


def pages(portal: Path) -> int:
    store = open_store(portal, read_only=True)
    try:
        return len({entry.url for entry in store.log.entries() if entry.kind == "fetched"})
    finally:
        store.close()


@pytest.mark.slow
def test_a_wide_crawl_adapts_to_a_low_limit_of_open_files(tmp_path: Path) -> None:
    with wide_portal(tmp_path) as portal:
        done = crawl(portal, 160, 160)
    assert done.returncode == 0, done.stderr
    assert pages(portal) == 2 * HOSTS
    assert json.loads(done.stdout)["errors"] == {}
    assert "can open 160 files" in " ".join(done.stderr.split())
    assert "engine.parallel" in done.stderr


@pytest.mark.slow
def test_a_crawl_raises_the_soft_limit_where_it_may(tmp_path: Path) -> None:
    with wide_portal(tmp_path, 20) as portal:
        done = crawl(portal, 64, 2048)
    assert done.returncode == 0, done.stderr
    assert pages(portal) == 2 * 20
    assert "files open" not in done.stderr


@pytest.mark.slow
def test_a_limit_too_low_for_any_crawl_is_said_in_one_sentence(tmp_path: Path) -> None:
    with wide_portal(tmp_path, 1) as portal:
        done = crawl(portal, 64, 64)
    assert done.returncode == 2
    told = " ".join((done.stdout + done.stderr).split())
    assert "files, but a crawl needs" in told
    assert "ulimit -n" in told
    assert "Traceback" not in told


async def test_idle_connections_are_bounded() -> None:
    server = HostileServer(1, bombs=False)
    await server.start()
    guard = AddressGuard(mapped={"*.test": f"127.0.0.1:{server.ports.port}"})
    fetcher = HttpFetcher(clock=RealClock(), guard=guard, idle=5)
    try:
        for number in range(40):
            answer = await fetcher.fetch(Candidate(url=f"http://good{number}.test/", priority=()))
            assert isinstance(answer, Fetched)
        await asyncio.sleep(0)
        connector = fetcher._open().connector
        assert connector is not None
        assert sum(map(len, connector._conns.values())) == 5
        # What is kept is used again.
        assert isinstance(await fetcher.fetch(Candidate(url="http://good0.test/", priority=())), Fetched)
        assert sum(map(len, connector._conns.values())) == 5
    finally:
        await fetcher.close()
        await server.stop()


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE])
def test_too_many_open_files_are_held_against_no_host(number: int) -> None:
    inside = OSError(number, "Too many open files")
    key = aiohttp.client_reqrep.ConnectionKey("a.test", 80, False, True, None, None, None)
    assert reason_for(inside) is Reason.NO_ROOM
    assert reason_for(aiohttp.ClientConnectorError(key, inside)) is Reason.NO_ROOM
    assert Reason.NO_ROOM in RETRIED & UNCOUNTED - BLAMES_HOST


def test_too_many_open_files_are_not_blamed_on_the_disk() -> None:
    with pytest.raises(PortalError, match="Too many files are open") as told, disk_failures():
        raise OSError(errno.EMFILE, "Too many open files")
    assert "ulimit" in told.value.remedy


def test_the_doctor_holds_the_limit_against_the_settings(tmp_path: Path) -> None:
    portal = tmp_path / "portal"
    create_portal(portal, "http://a.test/", settings="\n[engine]\nparallel = 1_000_000\n")
    files = next(check for check in examine(portal) if check.name == "open files")
    assert files.state == "warn"
    assert "engine.parallel is 1,000,000" in files.detail
    assert f"ulimit -n {needed(1_000_000, 1)}"[:12] in files.remedy
    assert next(check for check in examine() if check.name == "open files").state == "ok"
    assert load().settings.engine.parallel == 64
