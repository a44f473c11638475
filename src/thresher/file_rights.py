"""Who may use the files of a portal: their owner alone, or the group as well that its directory is shared with.

The directory decides: where its group may write to it, the group may use every file in it. Others never may, for
settings hold a contact, and addresses of bookmarks often hold tokens.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

_PRIVATE: Final = 0o600
_SHARED: Final = 0o660
_SEARCH: Final = {_PRIVATE: 0o100, _SHARED: 0o2110}
"""What a folder needs besides: to be entered, and to hand its group down to what is made in it."""


def make_private(directory: Path) -> None:
    """Make a directory that its owner alone may use; one that is there already stays as it is."""
    with suppress(FileExistsError):
        directory.parent.mkdir(parents=True, exist_ok=True)
        directory.mkdir(0o700)


def make_folder(folder: Path) -> None:
    """Make a folder of a portal, with the rights of the directory it lies in; one that is there stays as it is."""
    with suppress(FileExistsError):
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(0o700)
        follow(folder)


def follow(path: Path) -> None:
    """Give a file or folder the rights of the directory it lies in; what belongs to somebody else stays as it is."""
    _set(path, _SHARED if path.parent.stat().st_mode & stat.S_IWGRP else _PRIVATE)


def share(directory: Path) -> None:
    """Let the group of a directory use it with all that is in it."""
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
