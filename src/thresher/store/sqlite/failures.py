"""Tells a full disk, a damaged file and a closed door from one another, in plain words."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

import apsw

from thresher.errors import PortalError, PortalFull

_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


@contextmanager
def plain_failures(connection: apsw.Connection | None = None) -> Iterator[None]:
    """Raise PortalFull for no room and PortalError for a file that cannot be used, in place of SQLite's exceptions."""
    try:
        yield
    except (apsw.NotADBError, apsw.CorruptError) as error:
        raise PortalError(
            "The file portal.db is damaged or no database.",
            "Put back a copy of it: a backup, or the portal.db.before-N that the last upgrade kept.",
        ) from error
    except (apsw.FullError, apsw.IOError, apsw.CantOpenError, apsw.ReadOnlyError, OSError) as error:
        if _full(error, connection):
            raise PortalFull(
                "There is no room left on the portal's disk.", "Make room; a paused crawl goes on by itself."
            ) from error
        raise PortalError(
            f"The portal's files cannot be opened, read or written ({error}).",
            "Check that you may read and write them and their directory, and that the disk is in order.",
        ) from error


def _full(error: BaseException, connection: apsw.Connection | None) -> bool:
    """Tell whether an error means that there is no room: a full disk, a quota, a limit on the size of files."""
    if isinstance(error, OSError):
        return error.errno in _NO_ROOM
    # SQLite itself only knows ENOSPC while writing; the index of the write-ahead log has a code of its own.
    if isinstance(error, apsw.FullError) or getattr(error, "extendedresult", 0) == apsw.SQLITE_IOERR_SHMSIZE:
        return True
    return isinstance(error, apsw.IOError) and connection is not None and connection.system_errno in _NO_ROOM
