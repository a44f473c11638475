"""Turns file errors into plain messages: a full disk, or a file that cannot be used."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from thresher.errors import PortalError, PortalFull
from thresher.faults import DiskReadOnly, FilesUnusable

NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""System errors that mean a full disk, a spent quota or a limit on the size of files."""

NO_FILES: Final = frozenset({errno.EMFILE, errno.ENFILE})
"""System errors that mean that this process, or the whole system, has too many files open."""


@contextmanager
def disk_failures() -> Iterator[None]:
    """Raise PortalFull for a full disk and PortalError for unusable files, instead of OSError.

    >>> with disk_failures():
    ...     raise OSError(errno.ENOSPC, "No space left on device")
    Traceback (most recent call last):
    thresher.errors.PortalFull: The portal's disk is full.
    Free some space; a paused crawl continues by itself.
    """
    try:
        yield
    except OSError as error:
        raise (no_room() if error.errno in NO_ROOM else unusable(error)) from error


def no_room() -> PortalFull:
    """Return the error for a full disk."""
    return PortalFull("The portal's disk is full.", "Free some space; a paused crawl continues by itself.")


def unusable(error: BaseException) -> PortalError:
    """Return the error for files that cannot be opened, read or written."""
    if isinstance(error, OSError) and error.errno == errno.EROFS:
        return PortalError(
            f"The portal is on a read-only disk{_named(error)}.",
            "Copy the portal to a disk you may write to, or mount its disk for writing.",
            DiskReadOnly(),
        )
    if isinstance(error, OSError) and error.errno in NO_FILES:
        return PortalError(
            "Too many files are open, so the portal's files cannot be opened.",
            "Raise the limit, e.g. with ulimit -n 4096, or lower engine.parallel, and try again.",
            FilesUnusable(),
        )
    return PortalError(
        f"The portal's files cannot be opened, read or written ({error}).",
        "Check that you may read and write them and their directory, and that the disk works.",
        FilesUnusable(),
    )


def _named(error: OSError) -> str:
    return f" ({error.filename})" if error.filename else ""
