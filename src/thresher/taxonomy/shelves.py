"""Bookmarks and folders as they stand in a file, before they become topics."""

import re
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

MAX_DEPTH: Final = 64
"""Folders inside one another; deeper ones are cut."""

_SPACES: Final = re.compile(r"\s+")
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_MICROSECONDS: Final = 10**14
_MILLISECONDS: Final = 10**11


class Bookmark(Struct, frozen=True):
    """An entry of a bookmark file: `folders` from the outermost inwards, `added` in seconds since the epoch."""

    url: str
    title: str
    folders: tuple[str, ...] = ()
    added: int | None = None
    note: str = ""
    tags: tuple[str, ...] = ()

    def with_note(self, note: str) -> "Bookmark":
        """Return the entry with a description."""
        return replace(self, note=note)


class Folder(Struct):
    """A folder with its path, its own name included; `made_by_browser` where the file says so."""

    name: str
    path: tuple[str, ...]
    made_by_browser: bool = False
    note: str = ""


class Shelf(Struct, frozen=True):
    """What a bookmark file holds, both in its order."""

    bookmarks: list[Bookmark]
    folders: list[Folder]


def tidy(text: str) -> str:
    """Return a title or name on one line, without control characters.

    >>> tidy("  two\\n lines\\x00 ")
    'two lines'
    """
    return _SPACES.sub(" ", _CONTROLS.sub("", text)).strip()


def moment(written: str | int) -> int | None:
    """Return a date in seconds since the epoch; written in seconds, milli- or microseconds, None where it is none.

    >>> moment("1195142400"), moment("1195142400000"), moment("yesterday"), moment("0")
    (1195142400, 1195142400, None, None)
    """
    try:
        number = int(written)
    except ValueError:
        return None
    if number >= _MICROSECONDS:
        number //= 1_000_000
    elif number >= _MILLISECONDS:
        number //= 1000
    return number if 0 < number < _MILLISECONDS else None
