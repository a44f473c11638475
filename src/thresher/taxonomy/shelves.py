"""Bookmarks and folders as in the file, before they become topics."""

import re
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

MAX_DEPTH: Final = 64
"""Folders inside one another; deeper ones are cut."""

_SPACES: Final = re.compile(r"\s+")
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


class PageMark(Struct, frozen=True, omit_defaults=True):
    """What Thresher wrote of an entry besides: fields a reader of bookmarks would change stand here as they were.

    `seed` marks a start page of no topic, `file` a document of this machine.
    """

    seed: bool = False
    file: bool = False
    title: str | None = None
    note: str | None = None
    tags: tuple[str, ...] | None = None
    added: int | None = None


class TopicMark(Struct, frozen=True, omit_defaults=True):
    """What Thresher wrote of a folder besides; `others` marks the folder of negative examples."""

    others: bool = False
    indicators: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    query: str = ""
    note: str | None = None
    added: int | None = None


class Bookmark(Struct, frozen=True):
    """An entry of a bookmark file: `folders` from the outermost inwards, `added` in seconds since the epoch."""

    url: str
    title: str
    folders: tuple[str, ...] = ()
    added: int | None = None
    note: str = ""
    tags: tuple[str, ...] = ()
    mark: PageMark | None = None

    def with_note(self, note: str) -> "Bookmark":
        """Return the entry with a description."""
        return replace(self, note=note)


class Folder(Struct):
    """A folder with its path, its own name included; `made_by_browser` if the file says so.

    `added` is in seconds since the epoch; `mark` is what Thresher wrote of it.
    """

    name: str
    path: tuple[str, ...]
    made_by_browser: bool = False
    note: str = ""
    added: int | None = None
    mark: TopicMark | None = None


class Shelf(Struct):
    """What a bookmark file holds, both in its order; `too_deep` counts folders below `MAX_DEPTH`, which are no topics.

    What lies in such a folder belongs to the deepest one that is kept.
    """

    bookmarks: list[Bookmark]
    folders: list[Folder]
    too_deep: int = 0

    def shelve(self, folder: Folder) -> bool:
        """Add a folder that lies in another of `MAX_DEPTH` levels at most; else count it and return False."""
        if len(folder.path) > MAX_DEPTH:
            self.too_deep += 1
            return False
        self.folders.append(folder)
        return True


def tidy(text: str) -> str:
    """Return a title or name on one line, without control characters.

    >>> tidy("  two\\n lines\\x00 ")
    'two lines'
    """
    return _SPACES.sub(" ", _CONTROLS.sub("", text)).strip()


def described(text: str) -> str:
    """Return a description as it is read: lines without the spaces around them.

    >>> described(" one \\n two\\n")
    'one\\ntwo'
    """
    return "\n".join(line.strip() for line in text.strip().splitlines()).strip()


def tags_of(written: str, separator: str | None = ",") -> tuple[str, ...]:
    """Return tags that are written with a separator between them, by default a comma, each once; None is white space.

    >>> tags_of("sea, boats,,sea"), tags_of("sea boats", None)
    (('sea', 'boats'), ('sea', 'boats'))
    """
    return tuple(dict.fromkeys(tag for part in written.split(separator) if (tag := part.strip())))
