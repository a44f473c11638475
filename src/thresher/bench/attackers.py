"""Runs the hostile server in a separate process, and watches the memory of a crawl."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
import psutil
from msgspec import Struct

from thresher.simweb.hostile.server import Ports, ServerLog

SANDBOXED = "thresher.documents.sandboxed"
"""The module run by the process that reads files."""


@contextmanager
def hostile_server(pages: int, *options: str) -> "Iterator[tuple[Ports, StopServer]]":
    """Run a hostile server in a separate process."""
    command = [sys.executable, "-m", "thresher.simweb.hostile.server", str(pages), *options]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603 - our own program
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        ports = msgspec.json.decode(process.stdout.readline(), type=Ports)
        yield ports, StopServer(process)
    finally:
        process.stdin.close()
        process.terminate()
        process.wait()


class StopServer:
    """Stops a server and returns what it recorded."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process

    def __call__(self) -> ServerLog:
        """Stop the server and return its record."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        return msgspec.json.decode(self._process.stdout.readline(), type=ServerLog)


class Peaks(Struct, frozen=True, kw_only=True):
    """Peak memory of a crawl in bytes, and the processes it left behind.

    `together` is the peak of all processes together, `files` that of the processes that read files, `rest` that of the
    others, and `one` that of the largest process; `left` counts processes that outlived the crawl.
    """

    together: int
    files: int
    rest: int
    one: int
    left: int


class Meter(threading.Thread):
    """Monitors a process and its children: their total memory, and which of them outlive it."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._root = psutil.Process(pid)
        self._family: set[psutil.Process] = {self._root}
        self._readers: set[psutil.Process] = set()
        self._together = self._files = self._rest = self._one = 0
        self._done = threading.Event()

    def run(self) -> None:
        """Sample memory twenty times a second."""
        while not self._done.wait(0.05):
            try:
                new = set(self._root.children(recursive=True)) - self._family
            except psutil.Error:
                continue
            self._family |= new
            self._readers |= {process for process in self._family - self._readers if _reads_files(process)}
            sizes = {process: _memory(process) for process in self._family}
            files = sum(sizes[process] for process in self._readers)
            together = sum(sizes.values())
            self._together = max(self._together, together)
            self._files = max(self._files, files)
            self._rest = max(self._rest, together - files)
            self._one = max(self._one, *sizes.values())

    def finish(self) -> Peaks:
        """Return the peaks; waits a moment for processes that are about to end."""
        self._done.set()
        self.join()
        _, left = psutil.wait_procs([process for process in self._family if process != self._root], timeout=3.0)
        return Peaks(together=self._together, files=self._files, rest=self._rest, one=self._one, left=len(left))


def _reads_files(process: psutil.Process) -> bool:
    try:
        return SANDBOXED in process.cmdline()
    except psutil.Error:
        return False


def _memory(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0
