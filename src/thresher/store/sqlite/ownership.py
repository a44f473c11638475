"""Checks that a database file is Thresher's own before it is opened for writing."""

import stat
from pathlib import Path
from typing import Final

from thresher.errors import PortalError
from thresher.faults import PortalUnusable
from thresher.store.sqlite.connection import READER_CACHE, connect
from thresher.store.sqlite.failures import no_database

APPLICATION: Final = 0x54687273
"""Marks a database file as Thresher's; recognised by `file` and by SQLite's tools."""

_MAGIC: Final = b"SQLite format 3\0"
_HEADER: Final = 100
_MARK: Final = slice(68, 72)


def refuse_foreign(database: Path) -> None:
    """Raise PortalError unless a file is a Thresher database; the file is not changed.

    Only its first bytes are read, and anything but a regular file, such as a pipe, is not opened at all.
    """
    if not stat.S_ISREG(database.stat().st_mode):
        raise PortalError(f"{database} is not a file.", "Move it away, or choose another directory.", PortalUnusable())
    with database.open("rb") as file:
        header = file.read(_HEADER)
    if len(header) < _HEADER or not header.startswith(_MAGIC):
        raise no_database()
    if int.from_bytes(header[_MARK], "big") != APPLICATION and _mark_in_log(database) != APPLICATION:
        raise PortalError(
            "The file portal.db is a database of another program.",
            "Move it away, or choose another directory.",
            PortalUnusable(),
        )


def _mark_in_log(database: Path) -> int:
    """Return the mark of a database whose newest pages are still in its write-ahead log, 0 without a log."""
    if not database.with_name(f"{database.name}-wal").exists():
        return 0
    connection = connect(database, cache_bytes=READER_CACHE, read_only=True)
    try:
        return int(connection.pragma("application_id"))
    finally:
        connection.close()
