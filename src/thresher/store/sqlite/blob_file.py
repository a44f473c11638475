"""Blobs by key, in a separate database file."""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import apsw

_PATIENCE: Final = 60.0
_PAUSE: Final = 0.01
_TABLE = "CREATE TABLE IF NOT EXISTS blobs (key BLOB PRIMARY KEY, blob BLOB NOT NULL) WITHOUT ROWID"


class SqliteBlobFile:
    """A file of blobs that several processes may write to at once."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._connection = apsw.Connection(str(path))
        self._connection.set_busy_timeout(round(_PATIENCE * 1000))
        self._prepare()

    def _prepare(self) -> None:
        """Create the table and switch to a write-ahead log.

        SQLite does not wait for another process that does the same: it fails at once.
        """
        deadline = time.monotonic() + _PATIENCE
        while True:
            try:
                # Anything lost in a crash can be recomputed.
                self._connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF")
                self._connection.execute(_TABLE)
            except apsw.BusyError:
                if time.monotonic() >= deadline:
                    raise
                time.sleep(_PAUSE)
            else:
                return

    def get(self, key: bytes) -> bytes | None:
        """Return the blob of a key, or None if there is none."""
        row = self._connection.execute("SELECT blob FROM blobs WHERE key = ?", (key,)).fetchone()
        return None if row is None else bytes(row[0])

    def put(self, blobs: Mapping[bytes, bytes]) -> None:
        """Add blobs by key; existing ones are not replaced."""
        with self._connection:
            self._connection.executemany("INSERT OR IGNORE INTO blobs VALUES (?, ?)", blobs.items())
