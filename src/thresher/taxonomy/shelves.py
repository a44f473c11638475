"""Bookmarks and folders as in the file, before they become topics."""

import re
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

MAX_DEPTH: Final = 64
"""Maximum nesting of folders; deeper ones are flattened."""

_SPACES: Final = re.compile(r"\s+")
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


class PageMark(Struct, frozen=True, omit_defaults=True):
    """Extra fields that Thresher wrote for an entry: values that other bookmark readers would change are kept here.

    `seed` marks a start page without a topic, `file` a document on this machine.
    """

    seed: bool = False
    file: bool = False
    title: str | None = None
    note: str | None = None
    tags: tuple[str, ...] | None = None
    added: int | None = None


class TopicMark(Struct, frozen=True, omit_defaults=True):
    """Extra fields that Thresher wrote for a folder; `others` marks the folder of negative examples."""

    others: bool = False
    indicators: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    query: str = ""
    note: str | None = None
    added: int | None = None


class Bookmark(Struct, frozen=True):
    """An entry of a bookmark file: `folders` from outermost to innermost, `added` in seconds since the epoch."""

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
    """A folder with its path, including its own name; `made_by_browser` if the file says so.

    `added` is in seconds since the epoch; `mark` has extra fields that Thresher wrote.
    """

    name: str
    path: tuple[str, ...]
    made_by_browser: bool = False
    note: str = ""
    added: int | None = None
    mark: TopicMark | None = None


class BookmarkFile(Struct):
    """The contents of a bookmark file, in order; `too_deep` counts folders below `MAX_DEPTH`, which are not topics.

    The contents of such a folder belong to its deepest ancestor that is kept.
    """

    bookmarks: list[Bookmark]
    folders: list[Folder]
    too_deep: int = 0

    def shelve(self, folder: Folder) -> bool:
        """Add a folder; if it is nested deeper than `MAX_DEPTH`, count it and return False instead."""
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
    """Return a description as it is read back: each line stripped.

    >>> described(" one \\n two\\n")
    'one\\ntwo'
    """
    return "\n".join(line.strip() for line in text.strip().splitlines()).strip()


def tags_of(written: str, separator: str | None = ",") -> tuple[str, ...]:
    """Return distinct tags split at a separator, by default a comma; None splits at white space.

    >>> tags_of("sea, boats,,sea"), tags_of("sea boats", None)
    (('sea', 'boats'), ('sea', 'boats'))
    """
    return tuple(dict.fromkeys(tag for part in written.split(separator) if (tag := part.strip())))
