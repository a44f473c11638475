"""The locks of a portal: one for every write, one for the crawl, one for imports, one for edits of topics.

They are `flock` locks on small files next to the database and in the archive. The system releases them when their
process dies, however it dies, so a leftover file means nothing: only a held lock counts.
"""

import fcntl
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple, Protocol, Self, runtime_checkable

import msgspec

from thresher.errors import PortalBusy
from thresher.file_rights import follow, make_folder
from thresher.store.disk_failures import disk_failures

WRITE_LOCK: Final = "portal.lock"
CRAWL_LOCK: Final = "crawl.lock"
IMPORT_LOCK: Final = "import.lock"
EDIT_LOCK: Final = "edit.lock"

_PAUSE = 0.002
_MOMENT = 0.5
"""Seconds to try for a crawl or import lock; asking for the holder of a crawl lock takes it for an instant."""


class Holder(msgspec.Struct, frozen=True, kw_only=True):
    """The holder of a crawl lock: process id, host name, and wall time in seconds when it was taken."""

    pid: int = 0
    host: str = ""
    since: float = 0.0

    def is_me(self) -> bool:
        """Return whether the holder is this process."""
        return self.pid == os.getpid() and self.host == socket.gethostname()


def _open(path: Path) -> int:
    with disk_failures():
        made = not path.exists()
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK, 0o600)
        if made:
            follow(path)
        return descriptor


def _take(descriptor: int, kind: int, patience: float) -> bool:
    """Try for `patience` seconds to take a lock of a kind (LOCK_EX or LOCK_SH); return whether it was taken."""
    deadline = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(_PAUSE)
        else:
            return True


class LockUse(NamedTuple):
    """How often a lock was held, for how many seconds in total, and for how long at most."""

    holds: int
    seconds: float
    longest: float


@runtime_checkable
class LocksWriters(Protocol):
    """The ability of a store whose writers wait for one another to say how long it held the lock."""

    def lock_use(self) -> LockUse:
        """Return how this store has held the portal's write lock so far."""


class WriteLock:
    """The lock around every write transaction and checkpoint of a portal, in any thread or process.

    Hold it for at most 100 ms: others wait `patience` seconds before they give up. `use` says how this object has held
    it.
    """

    def __init__(self, portal: Path, *, patience: float = 60.0) -> None:
        self._path = portal / WRITE_LOCK
        self._patience = patience
        self._thread = threading.Lock()
        self._descriptor: int | None = None
        self._taken = 0.0
        self.use = LockUse(0, 0.0, 0.0)

    def __enter__(self) -> Self:
        if not self._thread.acquire(timeout=self._patience):
            raise self._busy()
        try:
            if self._descriptor is None:
                self._descriptor = _open(self._path)
            if not _take(self._descriptor, fcntl.LOCK_EX, self._patience):
                raise self._busy()
        except BaseException:
            self._thread.release()
            raise
        self._taken = time.monotonic()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._descriptor is not None:
            fcntl.flock(self._descriptor, fcntl.LOCK_UN)
        seconds = time.monotonic() - self._taken
        use = self.use
        self.use = LockUse(use.holds + 1, use.seconds + seconds, max(use.longest, seconds))
        self._thread.release()

    def close(self) -> None:
        """Close the lock file; it is reopened when the lock is next taken."""
        with self._thread:
            if self._descriptor is not None:
                os.close(self._descriptor)
                self._descriptor = None

    def _busy(self) -> PortalBusy:
        return PortalBusy(
            f"Something has been writing to the portal {self._path.parent} for {self._patience:g} seconds.",
            "Find the Thresher process that hangs, end it and try again.",
        )


class CrawlLock:
    """The lock that limits a portal to one crawler; `since` is wall time in seconds, by default now.

    A second crawl is refused with `PortalBusy`; the leftover file of a dead crawl is taken over. Child processes must
    be spawned, not forked: a forked child would hold the lock as long as it lives.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as portal, CrawlLock(Path(portal)):
    ...     holder(Path(portal)).is_me()
    True
    """

    def __init__(self, portal: Path, *, since: float | None = None) -> None:
        self._portal = portal
        self._since = since
        self._descriptor: int | None = None

    def __enter__(self) -> Self:
        descriptor = _open(self._portal / CRAWL_LOCK)
        if not _take(descriptor, fcntl.LOCK_EX, _MOMENT):
            os.close(descriptor)
            raise _crawling(self._portal, holder(self._portal) or Holder())
        since = time.time() if self._since is None else self._since
        note = Holder(pid=os.getpid(), host=socket.gethostname(), since=since)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, msgspec.json.encode(note), 0)
        self._descriptor = descriptor
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def release(self) -> None:
        """Release the lock; safe to call twice."""
        if self._descriptor is not None:
            os.ftruncate(self._descriptor, 0)
            os.close(self._descriptor)
            self._descriptor = None


def holder(portal: Path) -> Holder | None:
    """Return the holder of a portal's crawl lock, or None if no crawl is running."""
    if not (portal / CRAWL_LOCK).exists():
        return None
    with disk_failures():
        descriptor = os.open(portal / CRAWL_LOCK, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        if _take(descriptor, fcntl.LOCK_SH, 0.0):
            return None
        try:
            return msgspec.json.decode(os.pread(descriptor, 4096, 0), type=Holder)
        except msgspec.DecodeError:
            return Holder()
    finally:
        os.close(descriptor)


@contextmanager
def import_lock(archive: Path) -> Iterator[None]:
    """Limit an archive folder, created if missing, to one import; raise PortalBusy for a second one."""
    with disk_failures():
        make_folder(archive)
    descriptor = _open(archive / IMPORT_LOCK)
    try:
        if not _take(descriptor, fcntl.LOCK_EX, _MOMENT):
            raise PortalBusy(f"Another import into {archive} is under way.", "Wait until it ends, then import again.")
        yield
    finally:
        os.close(descriptor)


@contextmanager
def edit_lock(portal: Path, *, patience: float = 10.0) -> Iterator[None]:
    """Limit edits of a portal's topics and settings to one at a time; raise PortalBusy after `patience` seconds."""
    descriptor = _open(portal / EDIT_LOCK)
    try:
        if not _take(descriptor, fcntl.LOCK_EX, patience):
            raise PortalBusy(f"Somebody else is changing the topics or settings of {portal}.", "Try again in a moment.")
        yield
    finally:
        os.close(descriptor)


def refuse_if_crawled(portal: Path) -> None:
    """Raise PortalBusy if another process is crawling the portal."""
    other = holder(portal)
    if other is not None and not other.is_me():
        raise _crawling(portal, other)


def _crawling(portal: Path, other: Holder) -> PortalBusy:
    if not other.pid:
        return PortalBusy(f"Another crawl of {portal} is just starting or stopping.", "Try again in a moment.")
    since = datetime.fromtimestamp(other.since).astimezone().isoformat(sep=" ", timespec="seconds")
    return PortalBusy(
        f"Another crawl is using {portal}: process {other.pid} on {other.host}, since {since}.",
        f"Wait until it ends, or stop it with Ctrl-C in its terminal or with `kill {other.pid}`.",
    )
