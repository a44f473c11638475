"""The process that reads files: what a file does to it costs that file, and nothing is left behind."""

import gzip
import os
import signal
import socket
import subprocess
import sys
import threading

import psutil
import pytest

from tests.documents.made_files import packed, pdf
from tests.machine import until
from thresher.documents.formats.extract import Extract
from thresher.documents.sandbox import FilePart, Sandbox, SandboxLimits
from thresher.documents.sandbox_frames import Unreadable
from thresher.reasons import Reason
from thresher.simweb.hostile.files import FILES, hostile_file

URL = "http://a.test/file"


def pid(sandbox: Sandbox) -> int:
    assert sandbox.pid is not None
    return sandbox.pid


def read_one(sandbox: Sandbox, body: bytes, mime: str) -> Extract | Unreadable:
    (part,) = sandbox.read(body, mime, URL).parts
    return part.found


@pytest.fixture(scope="module")
def sandbox() -> Sandbox:
    return Sandbox()


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(FILES))
def test_hostile_files_end_in_reasons(sandbox: Sandbox, name: str) -> None:
    mime, _ = FILES[name]
    parts = sandbox.read(hostile_file(name), mime, URL).parts
    assert parts
    for part in parts:
        assert isinstance(part.found, Extract) == (
            part.address == "good.txt" or name in ("pdf-objects", "sheet-endless")
        )
    assert not [left for left in os.listdir(".") + os.listdir("/tmp") if "was-here" in left]


def test_the_process_reaches_no_network() -> None:
    inside = (
        "import socket, sys\n"
        "from thresher.documents.sandboxed import leave_network\n"
        "left = leave_network()\n"
        "reached = socket.socket().connect_ex(('127.0.0.1', int(sys.argv[1]))) == 0\n"
        "print(left, reached)\n"
    )
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        done = subprocess.run([sys.executable, "-c", inside, str(port)], capture_output=True, text=True, check=True)
    left, reached = done.stdout.split()
    if left == "False":
        pytest.skip("this system does not permit network namespaces")
    assert reached == "False"


def test_a_file_that_holds_itself_is_opened_as_deep_as_allowed_and_no_deeper(sandbox: Sandbox) -> None:
    quine = hostile_file("gzip-quine")
    assert gzip.decompress(quine) == quine
    (part,) = sandbox.read(quine, "application/gzip", URL).parts
    assert part.address == "r.gz!/r.gz"
    assert isinstance(part.found, Unreadable)
    assert (part.found.reason, "documents.nesting" in part.found.detail) == (Reason.OVER_LIMITS, True)


@pytest.mark.slow
def test_a_file_that_takes_too_long_is_given_up_and_the_next_is_read() -> None:
    sandbox = Sandbox(SandboxLimits(seconds=1.0))
    sandbox.read(pdf(), "application/pdf", URL)
    first = pid(sandbox)
    os.kill(first, signal.SIGSTOP)
    found = read_one(sandbox, pdf(), "application/pdf")
    assert isinstance(found, Unreadable)
    assert found.reason is Reason.READING_TIMEOUT
    assert not psutil.pid_exists(first)
    assert isinstance(read_one(sandbox, pdf(), "application/pdf"), Extract)
    sandbox.close()


@pytest.mark.slow
def test_a_file_that_takes_too_much_processor_time_is_given_up() -> None:
    sandbox = Sandbox(SandboxLimits(seconds=1.0))
    sandbox.read(pdf(), "application/pdf", URL)
    slow = b"{\\rtf1 " + b"\\'e9\\i0 " * 3_000_000 + b"}"
    found = read_one(sandbox, slow, "application/rtf")
    assert isinstance(found, Unreadable)
    assert found.reason is Reason.READING_TIMEOUT
    assert isinstance(read_one(sandbox, pdf(), "application/pdf"), Extract)
    sandbox.close()


def test_a_process_that_is_killed_costs_one_document_of_an_archive() -> None:
    sandbox = Sandbox(SandboxLimits(seconds=5.0))
    sandbox.read(pdf(), "application/pdf", URL)
    os.kill(pid(sandbox), signal.SIGSTOP)
    members = {f"{number}.pdf": pdf() for number in range(5)}
    threading.Timer(0.3, os.kill, (pid(sandbox), signal.SIGKILL)).start()
    parts = sandbox.read(packed(members), "application/zip", URL).parts
    lost = [part for part in parts if isinstance(part.found, Unreadable)]
    assert len(lost) == 1
    assert isinstance(lost[0].found, Unreadable)
    assert lost[0].found.reason is Reason.UNREADABLE
    assert "SIGKILL" in lost[0].found.detail
    assert isinstance(read_one(sandbox, pdf(), "application/pdf"), Extract)
    sandbox.close()


def test_memory_is_limited() -> None:
    sandbox = Sandbox(SandboxLimits(memory_mb=160))
    (part,) = sandbox.read(hostile_file("sheet-endless"), FILES["sheet-endless"][0], URL).parts
    assert isinstance(part, FilePart)
    assert isinstance(part.found, Unreadable)
    assert part.found.reason in (Reason.OVER_LIMITS, Reason.UNREADABLE)
    sandbox.close()


def test_the_process_can_write_no_file_and_dies_with_its_reader() -> None:
    sandbox = Sandbox()
    sandbox.read(pdf(), "application/pdf", URL)
    process = psutil.Process(pid(sandbox))
    assert process.rlimit(psutil.RLIMIT_FSIZE) == (0, 0)
    assert process.rlimit(psutil.RLIMIT_CORE)[0] == 0
    del sandbox
    until(lambda: not process.is_running(), "the process went on")


def test_a_worn_process_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thresher.documents.sandbox._USES", 2)
    sandbox = Sandbox()
    seen = set()
    for _ in range(5):
        sandbox.read(pdf(), "application/pdf", URL)
        seen.add(pid(sandbox))
    assert len(seen) == 3
    sandbox.close()
