"""The process that does the work started from the web portal: runs the commands and records start and end.

Started as `python -m thresher.portal_work PORTAL NUMBER`.
"""

import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, redirect_stdout, suppress
from pathlib import Path

import msgspec
import psutil

from thresher.cli import steps
from thresher.cli.main import INTERRUPTED, call
from thresher.errors import ThresherError
from thresher.file_rights import follow
from thresher.portal.work_commands import commands_of
from thresher.store.repository import open_store
from thresher.store.work_records import WITH_RESULT, WorkRow, error_file, result_file, step_file


def main(portal: Path, number: int) -> int:
    """Do the work of a row in this process and return the exit code."""
    # Ctrl-C may be ignored in a background server, and that is inherited.
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, signal.default_int_handler)
    return do_work(portal, number)


def do_work(portal: Path, number: int) -> int:
    """Do the work of a row, record its start and end, and return the exit code."""
    with closing(open_store(portal)) as store:
        row = store.works.get(number)
        if row is None or row.ended is not None:
            return 1
        store.works.begin(number, os.getpid(), socket.gethostname(), psutil.Process().create_time())
        row = store.works.get(number) or row
        if row.stopped_by:
            store.works.end(number, time.time(), INTERRUPTED)
            return INTERRUPTED
        commands = commands_of(row, portal, store)
    code = 0
    os.environ[steps.FILE] = str(step_file(portal, number))
    with _result_of(row, portal):
        for command in commands:
            code = call(command, lambda error: _leave(error, error_file(portal, number)))
            if code:
                break
    step_file(portal, number).unlink(missing_ok=True)
    with closing(open_store(portal)) as store:
        store.works.end(number, time.time(), code)
    return code


def _leave(error: ThresherError, file: Path) -> None:
    """Write why work failed to the file where the portal looks; if that fails, the log still says so."""
    with suppress(OSError, UnicodeEncodeError):
        with open(file, "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as out:
            out.write(msgspec.json.encode(error.told()))
        follow(file)


@contextmanager
def _result_of(row: WorkRow, portal: Path) -> Iterator[None]:
    """Redirect output to the result file if this kind of work has one; other output goes to the log."""
    if row.kind not in WITH_RESULT:
        yield
        return
    file = result_file(portal, row.id)
    with open(file, "w", encoding="utf-8", opener=lambda path, flags: os.open(path, flags, 0o600)) as out:
        follow(file)
        with redirect_stdout(out):
            yield


if __name__ == "__main__":
    try:
        sys.exit(main(Path(sys.argv[1]), int(sys.argv[2])))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
