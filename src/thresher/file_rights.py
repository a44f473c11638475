"""File permissions of a portal: only its owner has access, or also the group that its directory is shared with.

The directory decides: if it is writable for its group, so is every file in it. Others never have access, because
settings contain a contact, and bookmarked URLs often contain tokens.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

_PRIVATE: Final = 0o600
_SHARED: Final = 0o660
_SEARCH: Final = {_PRIVATE: 0o100, _SHARED: 0o2110}
"""Additional permissions of a folder: execute, and setgid, so that new files inherit its group."""


def make_private(directory: Path) -> None:
    """Create a directory that only its owner can access; an existing one is left unchanged."""
    with suppress(FileExistsError):
        directory.parent.mkdir(parents=True, exist_ok=True)
        directory.mkdir(0o700)


def make_folder(folder: Path) -> None:
    """Create a folder of a portal with the permissions of its parent directory; an existing one is left unchanged."""
    with suppress(FileExistsError):
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(0o700)
        follow(folder)


def follow(path: Path) -> None:
    """Give a file or folder the permissions of its directory; files of other owners are left unchanged."""
    _set(path, _SHARED if path.parent.stat().st_mode & stat.S_IWGRP else _PRIVATE)


def share(directory: Path) -> None:
    """Give the group of a directory access to it and everything in it."""
    _set(directory, _SHARED)
    for folder, _, files in os.walk(directory):
        for path in (Path(folder), *(Path(folder, name) for name in files)):
            _set(path, _SHARED)


def _set(path: Path, rights: int) -> None:
    with suppress(PermissionError, FileNotFoundError):
        status = path.lstat()
        if stat.S_ISDIR(status.st_mode):
            rights |= _SEARCH[rights]
        elif not stat.S_ISREG(status.st_mode):
            return
        if stat.S_IMODE(status.st_mode) != rights:
            path.chmod(rights)
