"""Ctrl-C: once stops cleanly, twice at once."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from thresher.bench.crash import Served, make_portal, served
from thresher.simweb.parameters import WebParameters
from thresher.store.sqlite.store import open_store


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Served:
    with served(tmp_path_factory.mktemp("web"), WebParameters(pages=3000, hosts=60, seed=5, profile="clean")) as found:
        yield found


def started(portal: Path, *arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "thresher", "crawl", str(portal), "--json", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        store = open_store(portal, read_only=True)
        crawl = store.crawls.get()
        store.close()
        if crawl is not None and crawl.progress.pages > 20:
            return process
        time.sleep(0.1)
    raise AssertionError("the crawl did not get going")


def test_once_stops_cleanly_within_five_seconds_and_resume_goes_on(tmp_path: Path, web: Served) -> None:
    portal = tmp_path / "p"
    make_portal(portal, web)
    process = started(portal)
    pressed = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert time.monotonic() - pressed < 5
    assert process.returncode == 130, err
    summary = json.loads(out)
    assert summary["stopped_because"] == "interrupted"
    assert summary["state"] == "stopped"
    goes_on = subprocess.run(
        [sys.executable, "-m", "thresher", "resume", str(portal), "--pages", str(summary["pages"] + 50), "--json"],
        capture_output=True,
        check=True,
    )
    assert json.loads(goes_on.stdout)["pages"] == summary["pages"] + 50


def test_twice_stops_at_once(tmp_path: Path, web: Served) -> None:
    portal = tmp_path / "p"
    make_portal(portal, web)
    process = started(portal)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    pressed = time.monotonic()
    process.wait(timeout=20)
    assert time.monotonic() - pressed < 3
    assert process.returncode == 130


def test_second_crawl_on_one_portal_is_refused_while_readers_are_not(tmp_path: Path, web: Served) -> None:
    portal = tmp_path / "p"
    make_portal(portal, web)
    process = started(portal)
    try:
        second = subprocess.run(
            [sys.executable, "-m", "thresher", "crawl", str(portal), "--json"], capture_output=True, check=False
        )
        assert second.returncode == 5
        error = json.loads(second.stderr)
        assert str(process.pid) in error["error"]
        assert error["reason"] == "portal-busy"
        status = subprocess.run(
            [sys.executable, "-m", "thresher", "status", str(portal), "--json"], capture_output=True, check=True
        )
        assert json.loads(status.stdout)["state"] == "running"
    finally:
        process.kill()
        process.wait()
    killed = subprocess.run(
        [sys.executable, "-m", "thresher", "status", str(portal), "--json"], capture_output=True, check=True
    )
    assert json.loads(killed.stdout)["stopped_because"] == "killed"
