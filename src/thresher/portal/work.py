"""Long-running work in separate processes: it outlives the web server, can be stopped, and leaves a log."""

import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec
import psutil
from msgspec import Struct

from thresher.errors import ErrorData, ThresherError
from thresher.file_rights import follow, make_folder
from thresher.portal.work_faults import WorkFault, error_in, fault_of
from thresher.store.disk_failures import disk_failures
from thresher.store.locks import Holder, holder
from thresher.store.protocol import Store
from thresher.store.work_records import ALONE, FOLDER, WorkRow, error_file, result_file, step_file
from thresher.work_steps import StepProgress

KEPT_LOGS: Final = 50
STARTING: Final = 30.0
"""Seconds a process may take to start."""

_LOST: Final = 86_400.0
_SAME: Final = 2.0
"""Maximum difference in seconds between two readings of a process's start time."""

_END: Final = 4000
"""Bytes at the end of a log in which an error is looked for."""


class InTheWay(Struct, frozen=True):
    """Why work was not started: other `work` of the portal, a crawl started elsewhere, or an `error`."""

    work: WorkRow | None = None
    crawl: Holder | None = None
    error: ErrorData | None = None

    @property
    def fault(self) -> WorkFault | None:
        """How the error is shown."""
        return fault_of(self.error) if self.error is not None else None


class Workbench:
    """Starts, watches and stops the work of a portal."""

    def __init__(self, portal: Path, store: Store) -> None:
        self._portal = portal
        self._store = store

    def start(self, row: WorkRow) -> WorkRow | InTheWay:
        """Start work in a new process and return it, or what is in its way."""
        self.running(row.asked)
        crawl = holder(self._portal) if row.kind in ALONE else None
        added = self._store.works.add(row, ALONE if row.kind in ALONE else [row.kind]) if crawl is None else None
        if added is None:
            alone = row.kind in ALONE
            open_ = [one for one in self._store.works.open() if one.kind is row.kind or (alone and one.kind in ALONE)]
            return InTheWay(open_[0] if open_ else None, crawl)
        try:
            with disk_failures():
                self._spawn(added)
        except ThresherError as error:
            self._store.works.end(added.id, row.asked, None)
            return InTheWay(error=error.told())
        return added

    def running(self, now: float) -> list[WorkRow]:
        """Return the running work; rows whose process is gone are ended first."""
        alive = []
        for row in self._store.works.open():
            if self._is_alive(row, now):
                alive.append(row)
            else:
                self._store.works.end(row.id, now, None)
        return alive

    def stop(self, row: WorkRow, user: str) -> bool:
        """Stop work as Ctrl-C does; return False if it has not started or has already ended.

        Work that has not started ends as soon as it does.
        """
        self._store.works.stop(row.id, user)
        process = _process(self._store.works.get(row.id) or row)
        if process is None:
            return False
        with suppress(psutil.Error, ProcessLookupError):
            os.kill(process.pid, signal.SIGINT)
            return True
        return False

    def log(self, id_: int, limit: int = 20_000) -> str:
        """Return the last `limit` bytes that work has printed, or "" if there is nothing."""
        try:
            with open(self._log_file(id_), "rb") as file:
                file.seek(0, os.SEEK_END)
                start = max(0, file.tell() - limit)
                file.seek(start)
                text = file.read().decode("utf-8", "replace")
        except OSError:
            return ""
        return text.partition("\n")[2] if start else text

    def step(self, id_: int) -> StepProgress | None:
        """Return the progress of work, or None if it reports none."""
        try:
            return msgspec.json.decode(step_file(self._portal, id_).read_bytes(), type=StepProgress)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            return None

    def result(self, id_: int) -> dict[str, Any] | None:
        """Return the result of work as data, or None if there is none or the work only keeps a log."""
        try:
            return msgspec.json.decode(result_file(self._portal, id_).read_bytes(), type=dict[str, Any])
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            return None

    def error(self, id_: int) -> ErrorData | None:
        """Return why work failed; None if it did not, or if the reason is unknown."""
        try:
            return msgspec.json.decode(error_file(self._portal, id_).read_bytes(), type=ErrorData)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            return error_in(self.log(id_, _END))

    def _log_file(self, id_: int) -> Path:
        return self._portal / FOLDER / f"{id_}.log"

    def _spawn(self, row: WorkRow) -> None:
        folder = self._portal / FOLDER
        make_folder(folder)
        self._log_file(row.id - KEPT_LOGS).unlink(missing_ok=True)
        for file in (result_file, step_file, error_file):
            file(self._portal, row.id - KEPT_LOGS).unlink(missing_ok=True)
        descriptor = os.open(self._log_file(row.id), os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            follow(self._log_file(row.id))
            command = [sys.executable, "-m", "thresher.portal_work", str(self._portal.resolve()), str(row.id)]
            process = subprocess.Popen(  # noqa: S603 - our own program
                command,
                stdin=subprocess.DEVNULL,
                stdout=descriptor,
                stderr=descriptor,
                start_new_session=True,
                env={**os.environ, "PYTHONUNBUFFERED": "1", "NO_COLOR": "1"},
            )
        finally:
            os.close(descriptor)
        threading.Thread(target=process.wait, name=f"work {row.id}", daemon=True).start()

    def _is_alive(self, row: WorkRow, now: float) -> bool:
        if not row.pid:
            return now - row.asked < STARTING
        if row.host != socket.gethostname():
            # Another machine, or this one under another name: check the lock, or else assume the work ends within a
            # day.
            return holder(self._portal) is not None if row.kind in ALONE else now - row.asked < _LOST
        return _process(row) is not None


def _process(row: WorkRow) -> psutil.Process | None:
    """Return the process that does the work, or None if it is gone or not on this machine."""
    if not row.pid or row.host != socket.gethostname():
        return None
    try:
        process = psutil.Process(row.pid)
        same = abs(process.create_time() - row.born) < _SAME
        return process if same and process.status() != psutil.STATUS_ZOMBIE else None
    except psutil.Error:
        return None
