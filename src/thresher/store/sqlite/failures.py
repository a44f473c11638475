"""Turns SQLite errors into plain messages: a full disk, a damaged file, a file that cannot be used."""

from collections.abc import Iterator
from contextlib import contextmanager

import apsw

from thresher.errors import PortalError
from thresher.faults import PortalUnusable
from thresher.store.disk_failures import NO_ROOM, disk_failures, no_room, unusable


@contextmanager
def plain_failures(connection: apsw.Connection | None = None) -> Iterator[None]:
    """Raise PortalFull for a full disk and PortalError for unusable files, instead of SQLite's exceptions."""
    try:
        with disk_failures():
            yield
    except (apsw.NotADBError, apsw.CorruptError) as error:
        raise no_database() from error
    except (apsw.FullError, apsw.IOError, apsw.CantOpenError, apsw.ReadOnlyError) as error:
        raise (no_room() if _full(error, connection) else unusable(error)) from error


def no_database() -> PortalError:
    """Return the error for a file that cannot be read as a database."""
    return PortalError(
        "The file portal.db is damaged or not a database.",
        "Restore a backup, or the portal.db.before-N that the last upgrade kept.",
        PortalUnusable(),
    )


def _full(error: BaseException, connection: apsw.Connection | None) -> bool:
    """Return whether an error means that no space is left: a full disk, a quota, a file size limit."""
    # SQLite itself recognises only ENOSPC while writing; the index of the write-ahead log has its own code.
    if isinstance(error, apsw.FullError) or getattr(error, "extendedresult", 0) == apsw.SQLITE_IOERR_SHMSIZE:
        return True
    return isinstance(error, apsw.IOError) and connection is not None and connection.system_errno in NO_ROOM
