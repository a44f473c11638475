"""Ctrl-C: once stops cleanly, twice at once, in the first second as later."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_display import screen_after
from tests.crawl.scripted import Bench
from tests.machine import PATIENCE, slowness, until
from thresher.bench.crash import Served, make_portal, served
from thresher.build import make_analyser
from thresher.cli.display import Display
from thresher.cli.interrupts import run_until_interrupted, stopping_on_signals
from thresher.cli.main import call
from thresher.cli.screen import Screen
from thresher.simweb.parameters import WebParameters
from thresher.store.repository import open_store


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Served:
    with served(tmp_path_factory.mktemp("web"), WebParameters(pages=3000, hosts=60, seed=5, profile="clean")) as found:
        yield found


def started(portal: Path, *arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "thresher", "crawl", str(portal), "--json", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def going() -> bool:
        store = open_store(portal, read_only=True)
        crawl = store.crawls.get()
        store.close()
        return crawl is not None and crawl.progress.pages > 20

    until(going, "the crawl did not get going")
    return process


@pytest.mark.slow
def test_once_stops_cleanly_within_seconds_and_resume_goes_on(tmp_path: Path, web: Served) -> None:
    portal = tmp_path / "p"
    make_portal(portal, web)
    process = started(portal)
    busy = slowness()
    pressed = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert time.monotonic() - pressed < 20 * max(busy, slowness())
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


@pytest.mark.slow
def test_twice_stops_at_once(tmp_path: Path, web: Served) -> None:
    portal = tmp_path / "p"
    make_portal(portal, web)
    process = started(portal)
    busy = slowness()
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    pressed = time.monotonic()
    process.wait(timeout=PATIENCE)
    assert time.monotonic() - pressed < 20 * max(busy, slowness())
    assert process.returncode == 130


@pytest.mark.slow
@pytest.mark.parametrize("times", [1, 2])
def test_the_terminal_is_given_back_without_stale_lines(tmp_path: Path, web: Served, times: int) -> None:
    portal = tmp_path / "p"
    make_portal(portal, web)
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "thresher", "crawl", str(portal), "--set", "engine.workers=1"]
    with subprocess.Popen(command, stdout=theirs, stderr=theirs, env={**os.environ, "TERM": "xterm"}) as process:
        os.close(theirs)
        said = b""
        while b"queued" not in said:
            said += os.read(ours, 4096)
        for _ in range(times):
            process.send_signal(signal.SIGINT)
        with suppress(OSError):
            while more := os.read(ours, 4096):
                said += more
    os.close(ours)
    shown = screen_after(said.decode().replace("\r\n", "\n"))
    assert said.rindex(b"\x1b[?25h") > said.rindex(b"\x1b[?25l")
    assert not any("elapsed" in line or "following links" in line for line in shown), shown
    # Two signals may reach the program as one.
    assert times == 2 or any("interrupted" in line for line in shown)


def test_a_crawl_interrupted_while_it_is_prepared_ends_like_any_other(
    tmp_path: Path, web: Served, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    portal = tmp_path / "p"
    make_portal(portal, web)

    async def pressed(*arguments: Any, **named: Any) -> Any:
        os.kill(os.getpid(), signal.SIGINT)
        return await make_analyser(*arguments, **named)

    with monkeypatch.context() as patched:
        patched.setattr("thresher.runs.world.make_analyser", pressed)
        assert call(["crawl", str(portal), "--json"]) == 130
    told = capsys.readouterr()
    stopped = json.loads(told.out)
    assert (stopped["state"], stopped["stopped_because"], stopped["pages"]) == ("stopped", "interrupted", 0)
    assert told.err.splitlines() == ["Stopping: finishing pages in flight. Press Ctrl-C again to stop immediately."]
    assert call(["resume", str(portal), "--pages", "5", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pages"] == 5


def test_ctrl_c_outside_of_crawls_ends_at_once_and_means_the_same_afterwards() -> None:
    usual = signal.getsignal(signal.SIGINT)

    async def work() -> None:
        with stopping_on_signals(Display(Screen())):
            pass
        os.kill(os.getpid(), signal.SIGINT)
        raise AssertionError("it went on")

    with pytest.raises(KeyboardInterrupt):
        run_until_interrupted(work())
    assert signal.getsignal(signal.SIGINT) is usual


@pytest.mark.parametrize("last", [True, False])
def test_a_signal_that_comes_when_the_crawl_is_over_stops_what_follows_it(last: bool) -> None:
    went_on = False

    async def crawled() -> None:
        nonlocal went_on
        with stopping_on_signals(Display(Screen()), last=last) as on_engine:
            engine = Bench({}).engine()
            on_engine(engine)
            await engine.run()
            os.kill(os.getpid(), signal.SIGINT)
        went_on = True

    if last:
        run_until_interrupted(crawled())
    else:
        with pytest.raises(KeyboardInterrupt):
            run_until_interrupted(crawled())
    assert went_on is last


@pytest.mark.parametrize("where", ["thresher.cli.status.OpenPortal.open", "thresher.cli.main.commands"])
def test_an_interrupted_command_ends_with_one_sentence(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def pressed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(where, pressed)
    assert call(["status", str(tmp_path)]) == 130
    assert capfd.readouterr().err == "Interrupted; completed work is kept.\n"


def test_ctrl_c_while_the_program_is_loaded_ends_with_one_sentence() -> None:
    pressed = (
        "import os, signal, sys, thresher.__main__ as program\n"
        "class Pressed:\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        if name == 'thresher.cli.main': os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Pressed())\n"
        "program.run()\n"
    )
    done = subprocess.run([sys.executable, "-c", pressed], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (130, b"")
    assert done.stderr == b"Interrupted before anything was done.\n"


@pytest.mark.slow
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
