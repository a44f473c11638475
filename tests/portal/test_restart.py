"""Work outlives the web server: a killed server leaves it alone, and the next one can stop it."""

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from thresher.accounts import Accounts
from thresher.portal.form_tokens import form_token
from thresher.portals import create_portal
from thresher.store.portal_records import Role
from thresher.store.repository import open_store
from thresher.taxonomy.topic_tree import Taxonomy, Topic, TrainingPage, put

PATIENCE = 120.0


class Slow(BaseHTTPRequestHandler):
    """Pages that take their time, and link to more of them."""

    def do_GET(self) -> None:
        time.sleep(0.5)
        body = b"" if self.path == "/robots.txt" else b"<title>Tea</title><p>Tea and more tea. <a href='/next'>next</a>"
        self.send_response(200)
        self.send_header("content-type", "text/plain" if self.path == "/robots.txt" else "text/html")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture
def slow_web() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Slow)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()


@contextmanager
def serving(portal: Path) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """Serve a portal by a process of its own; give it and its address."""
    command = [sys.executable, "-m", "thresher", "serve", str(portal), "--port", "0", "--json"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        yield server, msgspec.json.decode(server.stdout.readline())["address"].rstrip("/")
    finally:
        server.kill()
        server.wait()


def eventually(holds: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + PATIENCE
    while not (found := holds()) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert found
    return found


@pytest.mark.slow
def test_work_goes_on_after_the_server_was_killed_and_the_next_server_stops_it(tmp_path: Path, slow_web: int) -> None:
    portal = tmp_path / "portal"
    pages = tuple(TrainingPage(f"http://t{number}.test/", "") for number in range(200))
    settings = f'[network.map]\n"*.test" = "127.0.0.1:{slow_web}"\n[engine]\nparallel = 1\n'
    topics = put(Taxonomy(), ("Tea",), Topic(name="Tea", pages=pages))
    create_portal(portal, topics=topics, contact="ann@example.org", settings="\n" + settings)
    with closing(open_store(portal)) as store:
        accounts = Accounts(store)
        user = accounts.add("ann", "a long enough password", Role.ADMIN)
        assert user is not None
        session = accounts.sign_in(user)
        cookies = {"thresher_session": session}
        token = {"token": form_token(session)}
        with serving(portal) as (server, base):
            started = httpx.post(f"{base}/crawl/start", data={"kind": "train", **token}, cookies=cookies)
            assert started.status_code == 303
            (row,) = eventually(lambda: [row for row in store.works.open() if row.pid])
            server.send_signal(signal.SIGKILL)
            server.wait()
        with serving(portal) as (_, base):
            told = httpx.get(f"{base}/crawl.json", cookies=cookies).json()
            assert [(work["kind"], work["id"]) for work in told["work"]] == [("train", row.id)]
            assert httpx.get(f"{base}/crawl/work/{row.id}", cookies=cookies).status_code == 200
            stopped = httpx.post(f"{base}/crawl/stop", data={"work": str(row.id), **token}, cookies=cookies)
            assert stopped.status_code == 303
            eventually(lambda: not store.works.open())
        found = store.works.get(row.id)
        assert found is not None
        assert (found.code, found.stopped_by) == (130, "ann")
