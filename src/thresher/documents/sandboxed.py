"""The process that reads files: no writing, limited memory and time, and it ends with its parent.

Started as `python -m thresher.documents.sandboxed MEGABYTES`. The kernel enforces the limits: address space, CPU time
per document, no writes to files, no core dumps and, if permitted, an isolated network. A document that exceeds a limit
kills only this process.
"""

import ctypes
import os
import resource
import signal
import sys
from contextlib import suppress
from typing import BinaryIO, Final

from thresher.documents.formats.extract import Extract
from thresher.documents.formats.kinds import FORMATS
from thresher.documents.formats.limits import ReaderGaveUp
from thresher.documents.formats.opening import Entry, FileDocuments
from thresher.documents.sandbox_frames import (
    Begun,
    Ended,
    ReadRequest,
    Unreadable,
    decode_job,
    encode_said,
    read_frame,
    write_frame,
)
from thresher.reasons import Reason

_NEW_USER: Final = 0x10000000
_NEW_NETWORK: Final = 0x40000000
_DIE_WITH_PARENT: Final = 1
_FILES: Final = 64


def confine(megabytes: int) -> None:
    """Drop everything that reading files does not need."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for kind, limit in (
        (resource.RLIMIT_AS, megabytes << 20),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, _FILES),
    ):
        with suppress(ValueError, OSError):
            resource.setrlimit(kind, (limit, limit))
    leave_network()
    # The kernel resets this when a process changes its credentials, as leaving the network may do.
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)


def leave_network() -> bool:
    """Move this process into an isolated network namespace; return whether that was permitted.

    A privileged process may do so directly; others only with a user namespace, which some systems forbid.
    """
    try:
        unshare = ctypes.CDLL(None).unshare
    except (OSError, AttributeError):
        return False
    return any(unshare(rights) == 0 for rights in (_NEW_NETWORK, _NEW_USER | _NEW_NETWORK))


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Read file after file until the input ends."""
    while (frame := read_frame(source)) is not None:
        # The bytes are sent separately, so a large file is in memory only once while it is read.
        _do(decode_job(frame), read_frame(source) or b"", sink)


def _do(job: ReadRequest, body: bytes, sink: BinaryIO) -> None:
    documents = FileDocuments(body, job.mime, job.url, job.limits)
    _allow_seconds(job.seconds)
    try:
        for number, entry in enumerate(documents.entries()):
            if number < job.skip:
                continue
            write_frame(sink, encode_said(Begun(entry.address)))
            _allow_seconds(job.seconds)
            write_frame(sink, encode_said(_read(entry)))
    except Exception as error:
        # If no document was begun, the failure belongs to the file itself.
        write_frame(sink, encode_said(Begun("")))
        write_frame(sink, encode_said(_refused(error)))
    write_frame(sink, encode_said(Ended(documents.note)))


def _read(entry: Entry) -> Extract | Unreadable:
    try:
        return entry.read()
    except Exception as error:
        return _refused(error)


def _refused(error: Exception) -> Unreadable:
    match error:
        case ReaderGaveUp():
            return Unreadable(error.reason, error.detail)
        case MemoryError():
            return Unreadable(Reason.OVER_LIMITS, "it takes more memory than documents.memory_mb allows")
        case RecursionError():
            return Unreadable(Reason.NESTED_TOO_DEEP, "it is nested too deeply")
    return Unreadable(Reason.UNREADABLE, f"{type(error).__name__}: {error}"[:200])


def _allow_seconds(seconds: float) -> None:
    """Let the kernel kill this process after the given CPU time, give or take a second."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(used.ru_utime + used.ru_stime + seconds) + 1
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))


def main() -> None:
    """Serve on the standard streams."""
    source = os.fdopen(os.dup(0), "rb")
    sink = os.fdopen(os.dup(1), "wb")
    # Output printed by libraries must not end up between two frames.
    os.dup2(2, 1)
    FORMATS.all()
    confine(int(sys.argv[1]))
    write_frame(sink, b"")
    serve(source, sink)


if __name__ == "__main__":
    main()
