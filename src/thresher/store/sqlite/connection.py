"""The connections of one process to a portal's database: one for writing, and one per thread for reading.

Durability: batches are written with `synchronous = NORMAL`, so a killed process loses nothing and a power loss at most
the newest batches; people's decisions are written with FULL and survive that too. Automatic checkpoints are off: the
writer makes them itself under the write lock.
"""

import os
import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import apsw

from thresher.errors import PortalError
from thresher.store.locks import WriteLock
from thresher.store.sqlite.failures import plain_failures

PAGE_BYTES: Final = 8192
WRITER_CACHE: Final = 32 << 20
READER_CACHE: Final = 8 << 20

_BUSY_MS = 10_000
_STARVED = 4
"""A log this many times its normal length means that readers prevent checkpoints from finishing: wait for them."""
_STARVED_WAIT_MS = 50


def connect(path: Path, *, cache_bytes: int, read_only: bool = False) -> apsw.Connection:
    """Open a database with the settings that all connections of a portal share; `cache_bytes` limits its page cache."""
    flags = apsw.SQLITE_OPEN_READONLY if read_only else apsw.SQLITE_OPEN_READWRITE
    connection = apsw.Connection(str(path), flags=flags)
    connection.set_busy_timeout(_BUSY_MS)
    # Otherwise the last connection to close would make a checkpoint outside the write lock.
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    # Otherwise the plans of some statements are made again for every value they are given.
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    connection.wal_autocheckpoint(0)
    connection.pragma("cache_size", -(cache_bytes >> 10))
    connection.pragma("mmap_size", 0)
    return connection


def fetch(connection: apsw.Connection, sql: str, bindings: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """Return all rows of a query, leaving no cursor open."""
    return connection.execute(sql, bindings).fetchall()


class Database:
    """A portal's database as seen by one process; a log of `checkpoint_bytes` triggers a checkpoint.

    Any thread may read, each through its own connection; any thread may write, one at a time.
    """

    def __init__(self, path: Path, *, read_only: bool = False, checkpoint_bytes: int = 16 << 20) -> None:
        self._path = path
        self._read_only = read_only
        self._checkpoint_frames = max(1, checkpoint_bytes // PAGE_BYTES)
        self._lock = WriteLock(path.parent)
        self._writer: apsw.Connection | None = None
        self._frames = 0
        self._local = threading.local()
        self._readers: weakref.WeakSet[apsw.Connection] = weakref.WeakSet()
        self._closed = False

    @property
    def lock(self) -> WriteLock:
        """The portal's write lock, for database work outside transactions."""
        return self._lock

    def writer(self) -> apsw.Connection:
        """Return the writing connection, opening it if necessary; the caller holds the write lock."""
        self._refuse_closed()
        if self._read_only:
            raise PortalError("This portal was opened read-only.", "Open it for writing.")
        if self._writer is None:
            connection = connect(self._path, cache_bytes=WRITER_CACHE)
            connection.pragma("journal_mode", "wal")
            connection.pragma("synchronous", "normal")
            # Truncate a log that readers made long.
            connection.pragma("journal_size_limit", self._checkpoint_frames * PAGE_BYTES * _STARVED)
            connection.set_wal_hook(self._measure)
            self._writer = connection
        return self._writer

    def reader(self) -> apsw.Connection:
        """Return this thread's reading connection."""
        self._refuse_closed()
        connection: apsw.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = connect(self._path, cache_bytes=READER_CACHE, read_only=True)
            self._local.connection = connection
            self._readers.add(connection)
        return connection

    @contextmanager
    def snapshot(self) -> Iterator[apsw.Connection]:
        """Let several reads of this thread see the same state of the portal; keep it short."""
        connection = self.reader()
        if connection.in_transaction:
            yield connection
            return
        connection.execute("BEGIN")
        try:
            yield connection
        finally:
            connection.execute("COMMIT")

    @contextmanager
    def writing(self, *, durable: bool = False) -> Iterator[apsw.Connection]:
        """Run a write transaction under the write lock; with `durable` it survives power loss once this returns.

        An exception rolls everything back. A full disk raises PortalFull.
        """
        with self._lock, plain_failures():
            connection = self.writer()
            with plain_failures(connection):
                if durable:
                    connection.pragma("synchronous", "full")
                try:
                    with _transaction(connection):
                        yield connection
                finally:
                    if durable:
                        connection.pragma("synchronous", "normal")
        self._checkpoint_if_due()

    def _measure(self, _connection: apsw.Connection, _database: str, frames: int) -> int:
        self._frames = frames
        return apsw.SQLITE_OK

    def _checkpoint_if_due(self) -> None:
        if self._frames < self._checkpoint_frames:
            return
        # Most of the waiting for the disk happens here, where nobody else has to wait for it.
        _sync(self._path.with_name(self._path.name + "-wal"))
        starved = self._frames > self._checkpoint_frames * _STARVED
        mode = apsw.SQLITE_CHECKPOINT_RESTART if starved else apsw.SQLITE_CHECKPOINT_PASSIVE
        # The previous transaction is safe in the log, whatever happens here; the next one tries again.
        with suppress(PortalError, apsw.BusyError, apsw.FullError, apsw.IOError), self._lock:
            connection = self.writer()
            connection.set_busy_timeout(_STARVED_WAIT_MS)
            try:
                connection.wal_checkpoint(mode=mode)
            finally:
                connection.set_busy_timeout(_BUSY_MS)

    def close(self) -> None:
        """Close all connections; the writer first moves its log into the database.

        A connection that another thread is reading from is closed when that thread drops it.
        """
        self._closed = True
        for connection in list(self._readers):
            with suppress(apsw.ThreadingViolationError):
                connection.close()
        if self._writer is None:
            return
        with self._lock:
            # Readers in other processes, or a full disk, may keep part of the log for later.
            with suppress(apsw.BusyError, apsw.FullError, apsw.IOError):
                self._writer.set_busy_timeout(_STARVED_WAIT_MS)
                self._writer.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            self._writer.close()
            self._writer = None
        self._lock.close()

    def _refuse_closed(self) -> None:
        if self._closed:
            raise PortalError("This portal is closed.", "Open it again.")


def _sync(path: Path) -> None:
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def _transaction(connection: apsw.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # After some failures, such as a full disk, SQLite has already rolled back.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
