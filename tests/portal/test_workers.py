"""Several processes serve one portal: they share the socket, the brakes and the end."""

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator

import psutil
import pytest

from thresher.portal.workers import LARGE, MOST, usual_workers
from thresher.portals import create_portal

PATIENCE = 60.0


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[psutil.Process, str]]:
    portal = tmp_path_factory.mktemp("workers") / "portal"
    create_portal(portal, "http://www.a.test/\n")
    command = [sys.executable, "-m", "thresher", "serve", str(portal), "--port", "0", "--workers", "2", "--json"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ)
    assert server.stdout is not None
    yield psutil.Process(server.pid), json.loads(server.stdout.readline())["address"]
    server.send_signal(signal.SIGINT)
    server.wait(PATIENCE)


@pytest.mark.slow
def test_two_processes_answer_and_end_with_the_one_that_started_them(served: tuple[psutil.Process, str]) -> None:
    server, address = served
    workers = server.children()
    assert len(workers) == 2
    with urllib.request.urlopen(address + "healthz", timeout=PATIENCE) as answer:
        assert json.load(answer) == {"status": "ok"}
    server.kill()
    gone, alive = psutil.wait_procs(workers, timeout=PATIENCE)
    assert len(gone) == 2
    assert not alive


def test_small_portals_are_served_by_one_process() -> None:
    assert usual_workers(LARGE - 1) == 1
    assert 1 <= usual_workers(LARGE) <= MOST
