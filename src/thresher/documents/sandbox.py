"""Reads files in a separate process, so a malicious file can only harm its own reading.

Parsers of such files are large and old, and some are written in C++. The process is started for the first file and
replaced if a file kills it or takes too long, or if it has grown too large. Worker processes, crawls without workers
and training all use it, so no file is ever parsed in a process that has access to a portal.
"""

import os
import select
import signal
import subprocess
import sys
import time
import weakref
from typing import Final

from msgspec import Struct

from thresher.documents.formats.extract import Extract
from thresher.documents.formats.limits import Limits
from thresher.documents.sandbox_frames import (
    FRAME,
    Begun,
    Ended,
    ReadRequest,
    Said,
    Unreadable,
    decode_said,
    encode_job,
)
from thresher.reasons import Reason

OVERALL: Final = 2
"""Wall time allowed for a file, as a multiple of the CPU time of one document."""

_USES: Final = 500
_MAX_FRAME: Final = 256 << 20
_READ: Final = 1 << 16
_START: Final = 30.0


class SandboxLimits(Struct, frozen=True, kw_only=True):
    """What one file may use: `memory_mb` megabytes, and the limits of reading.

    Each document may take `seconds` of CPU time, and the whole file `OVERALL` times as much wall time, because even
    good documents take longer on a busy machine.
    """

    seconds: float = 8.0
    memory_mb: int = 1024
    reading: Limits = Limits()


class FilePart(Struct, frozen=True):
    """One document of a file: its address within it, "" for the file itself, and the result of reading it."""

    address: str
    found: Extract | Unreadable


class Parts(Struct, frozen=True):
    """All documents of a file, and a note about what was left out."""

    parts: list[FilePart]
    note: str = ""


class Sandbox:
    """Reads files in a disposable process.

    >>> sandbox = Sandbox()
    >>> sandbox.read(rb"{\\rtf1 Boats float.}", "application/rtf", "http://a.test/boats.rtf").parts[0].found.markup.words
    ['Boats', 'float']
    >>> sandbox.close()
    """

    def __init__(self, limits: SandboxLimits | None = None) -> None:
        self._limits = limits or SandboxLimits()
        self._process: _Process | None = None

    def read(self, body: bytes, mime: str, url: str) -> Parts:
        """Return the documents of a file, read or refused; raise OSError only if no process can be started."""
        found: list[FilePart] = []
        seconds = self._limits.seconds
        # Starting a process does not count as time of the file.
        self._ready()
        end = time.monotonic() + OVERALL * seconds
        while True:
            job = ReadRequest(mime, url, self._limits.reading, seconds, len(found))
            note = self._go_on(job, body, found, end)
            if note is not None:
                return Parts(found, note)

    @property
    def pid(self) -> int | None:
        """The process id, or None while there is no process."""
        return None if self._process is None else self._process.pid

    def close(self) -> None:
        """End the process; the next file starts another."""
        if self._process is not None:
            self._process.end()
            self._process = None

    def _go_on(self, job: ReadRequest, body: bytes, found: list[FilePart], end: float) -> str | None:
        """Read documents from `job.skip` on; return the note at the end of the file, or None if the process was lost.

        A document that kills the process is refused, and a new process continues with the next one.
        """
        process = self._ready()
        address: str | None = None
        try:
            process.send(encode_job(job), body)
            while True:
                match said := process.hear(end):
                    case Begun():
                        address = said.address
                    case Ended():
                        return said.note
                    case Extract() | Unreadable():
                        found.append(FilePart(address or "", said))
                        address = None
        except _TooSlowError:
            self.close()
            lost = Unreadable(Reason.READING_TIMEOUT, f"more than {OVERALL * job.seconds:g} seconds")
        except (EOFError, OSError, ValueError) as error:
            cause = process.cause() or str(error)
            self.close()
            lost = _lost(cause)
        if address is None and job.skip == len(found):
            # No document was started: the file itself is the cause.
            found.append(FilePart("", lost))
            return "it could not be opened to its end"
        if address is not None:
            found.append(FilePart(address, lost))
        if address == "" or time.monotonic() >= end:
            return "" if address == "" else "it takes too long to read all of it"
        return None

    def _ready(self) -> "_Process":
        if self._process is not None and self._process.worn:
            self.close()
        if self._process is None:
            self._process = _Process(self._limits.memory_mb)
            try:
                self._process.start()
            except (_TooSlowError, EOFError) as error:
                cause = self._process.cause()
                self.close()
                raise OSError(f"The process that reads files did not start: {cause}") from error
        return self._process


def _lost(cause: str) -> Unreadable:
    if cause == signal.Signals.SIGXCPU.name:
        return Unreadable(Reason.READING_TIMEOUT, "it takes too much processor time")
    return Unreadable(Reason.UNREADABLE, f"it killed the process that read it: {cause}"[:200])


class _TooSlowError(Exception):
    """No answer came in time."""


class _Process:
    """The process and its pipes; `worn` says that it has done enough and should be replaced."""

    def __init__(self, memory_mb: int) -> None:
        command = [sys.executable, "-m", "thresher.documents.sandboxed", str(memory_mb)]
        # In a separate session, Ctrl-C at the terminal does not reach it while it is still loading.
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
            start_new_session=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in = self._process.stdin
        self._out = self._process.stdout.fileno()
        self._heard = bytearray()
        self._uses = 0
        self._end = weakref.finalize(self, _end, self._process)

    def start(self) -> None:
        """Wait until the process can read; raise EOFError or _TooSlowError if it cannot."""
        self._take(FRAME.size, time.monotonic() + _START)

    @property
    def worn(self) -> bool:
        """Whether another process should continue; libraries leak a little with every file."""
        return self._uses >= _USES or self._process.poll() is not None

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def send(self, job: bytes, body: bytes) -> None:
        """Send a job and its bytes; raise OSError if the process is dead."""
        self._uses += 1
        for frame in (job, body):
            self._in.write(FRAME.pack(len(frame)))
            self._in.write(frame)
        self._in.flush()

    def hear(self, end: float) -> Said:
        """Return the next message; raise EOFError if the process has died, or _TooSlowError at the time `end`."""
        (length,) = FRAME.unpack(self._take(FRAME.size, end))
        if length > _MAX_FRAME:
            raise ValueError("it says too much")
        return decode_said(self._take(length, end))

    def cause(self) -> str:
        """Return why the process died, "" if it has not."""
        try:
            code = self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            return ""
        return signal.Signals(-code).name if code < 0 else f"it ended with {code}"

    def end(self) -> None:
        """End the process at once."""
        self._end()

    def _take(self, size: int, end: float) -> bytes:
        poll = select.poll()
        poll.register(self._out, select.POLLIN)
        while len(self._heard) < size:
            left = end - time.monotonic()
            if left <= 0 or not poll.poll(left * 1000):
                raise _TooSlowError
            block = os.read(self._out, _READ)
            if not block:
                raise EOFError("it died")
            self._heard += block
        taken = bytes(self._heard[:size])
        del self._heard[:size]
        return taken


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except OSError:
                continue
    process.wait()


def _environment() -> dict[str, str]:
    """Return the environment of the process: only where Python finds its modules."""
    names = ("PATH", "PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH", "LANG", "LC_ALL", "TZ", "SYSTEMROOT")
    return {name: os.environ[name] for name in names if name in os.environ} | {"PYTHONDONTWRITEBYTECODE": "1"}
