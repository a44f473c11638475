"""`thresher.serve`, as scripts and notebooks call it."""

import asyncio
import json
import os
import signal
import socket
import threading
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import thresher
from tests.machine import PATIENCE
from thresher.errors import InputError, UsageError
from thresher.portal.serving import Website
from thresher.portals import create_portal


@pytest.fixture(autouse=True)
def usual_interrupts() -> Iterator[None]:
    """Let Ctrl-C mean what it usually does; where tests run in the background of a shell it is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def portal(tmp_path: Path) -> Path:
    create_portal(tmp_path / "portal", "http://www.a.test/\n")
    return tmp_path / "portal"


class Visitor:
    """Asks for a page in a thread of its own once the website answers, and then interrupts the server."""

    def __init__(self, path: str = "healthz") -> None:
        self.path = path
        self.served: Website | None = None
        self.told = ""

    def __call__(self, served: Website) -> None:
        self.served = served
        threading.Thread(target=self._visit, args=(served,), daemon=True).start()

    def _visit(self, served: Website) -> None:
        with urllib.request.urlopen(served.address + self.path, timeout=PATIENCE) as answer:
            self.told = answer.read().decode()
        os.kill(os.getpid(), signal.SIGINT)


def in_a_notebook(call: Callable[[], None]) -> None:
    """Call something while the thread runs an event loop, as a notebook does."""

    async def cell() -> None:
        call()

    loop = asyncio.new_event_loop()
    try:
        loop.run_until_complete(cell())
    finally:
        loop.close()


@pytest.mark.parametrize("within", [lambda call: call(), in_a_notebook], ids=["script", "notebook"])
def test_a_portal_is_served_until_it_is_interrupted(portal: Path, within: Callable[[Callable[[], None]], None]) -> None:
    visitor = Visitor()
    with pytest.raises(KeyboardInterrupt):
        within(lambda: thresher.serve(portal, port=0, ready=visitor))
    assert json.loads(visitor.told) == {"status": "ok"}
    assert visitor.served is not None
    assert str(visitor.served.first_account).startswith(f"{visitor.served.address}first?key=")
    host, port = visitor.served.address.removeprefix("http://").rstrip("/").split(":")
    with pytest.raises(OSError), socket.create_connection((host, int(port)), timeout=PATIENCE):
        pass


def test_a_folder_is_served_with_its_portals(portal: Path) -> None:
    visitor = Visitor(f"p/{portal.name}/")
    with pytest.raises(KeyboardInterrupt):
        thresher.serve(folder=portal.parent, port=0, ready=visitor)
    assert "</html>" in visitor.told


def test_another_port_is_used_only_if_any_will_do(portal: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match="cannot be used"):
            thresher.serve(portal, port=port)
        visitor = Visitor()
        with pytest.raises(KeyboardInterrupt):
            thresher.serve(portal, port=port, any_port=True, ready=visitor)
    assert visitor.served is not None
    assert f":{port}/" not in visitor.served.address


def test_it_needs_a_portal_or_a_folder(portal: Path) -> None:
    for portals in ({}, {"portal": portal, "folder": portal.parent}):
        with pytest.raises(UsageError):
            thresher.serve(**portals)


def test_the_address_is_printed_by_default(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from thresher.portal.serving import show

    show(Website("http://127.0.0.1:8080/", None))
    show(Website("http://127.0.0.1:8080/", "http://127.0.0.1:8080/first?key=k"))
    told = capsys.readouterr().out
    assert told.count("http://127.0.0.1:8080/; interrupt to stop") == 2
    assert told.count("first?key=k") == 1
