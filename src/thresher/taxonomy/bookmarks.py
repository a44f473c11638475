"""Reads bookmark files of browsers and bookmark services into one flat list.

The Netscape format only looks like HTML: folders are headings, their content is the `<DL>` that follows, end tags may
be missing, and a `<DD>` describes what precedes it. So it is read as a stream of tags, not as a tree.
`native_bookmarks` reads the browsers' own files.
"""

import codecs
import contextlib
import re
from html import unescape
from typing import Final

from msgspec.structs import replace

from thresher.taxonomy.bookmark_dates import moment
from thresher.taxonomy.marks import ATTRIBUTE, read_mark
from thresher.taxonomy.native_bookmarks import read_native
from thresher.taxonomy.netscape_tags import Token, attributes, tokens
from thresher.taxonomy.shelves import (
    MAX_DEPTH,
    Bookmark,
    BookmarkFile,
    Folder,
    PageMark,
    TopicMark,
    described,
    tags_of,
    tidy,
)

__all__ = ["Bookmark", "read", "read_shelf"]

_CHARSET: Final = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?([\w.:-]{1,40})""", re.IGNORECASE)
_STRUCTURE: Final = frozenset(["a", "dd", "dl", "dt", "h3", "hr", "ul", "ol", "li"])
_LISTS: Final = frozenset(["dl", "ul", "ol"])
_HEADINGS: Final = frozenset(["h2", "h3", "h4", "h5", "h6"])
_DATES: Final = ("add_date", "time_added", "time")
"""Attributes with the date of an entry: of browsers, of Pocket, of Scuttle."""
_NOTES: Final = ("description", "note")
"""Attributes for a person's note, used by services that write no `<DD>`."""


def read(data: bytes) -> list[Bookmark]:
    """Read a bookmark file of any kind; return all entries in file order, including those that are not web pages.

    Never raises: a file that cannot be understood has no entries.

    >>> found = read(b'<DL><DT><H3>Boats</H3><DL><DT><A HREF="http://a.test/" ADD_DATE="9" TAGS="x,y">A</A><DD>Good')
    >>> found[0].url, found[0].folders, found[0].added, found[0].note, found[0].tags
    ('http://a.test/', ('Boats',), 9, 'Good', ('x', 'y'))
    """
    return read_shelf(data).bookmarks


def read_shelf(data: bytes) -> BookmarkFile:
    """Read a bookmark file with its folders; empty folders have no entry in the list of bookmarks."""
    native = read_native(data)
    return native if native is not None else _Reading().of(decoded(data))


def decoded(data: bytes) -> str:
    """Decode a file: by its byte order mark, as UTF-8, by the encoding it declares, or as Windows-1252."""
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    with contextlib.suppress(UnicodeDecodeError):
        return data.decode("utf-8")
    named = _CHARSET.search(data[:4096])
    if named is not None:
        # Unknown names, and codecs that do not decode bytes to text, fall through to the last resort.
        with contextlib.suppress(LookupError, UnicodeError):
            found = codecs.lookup(named[1].decode("ascii"))
            if found._is_text_encoding and found.name != "utf-8":
                return data.decode(found.name, "replace")
    return data.decode("cp1252", "replace")


class _Reading:
    """One pass over a Netscape file.

    `_stack` has the path of each open list; `_pending` is a folder whose list has not begun; `_texts` collects the text
    of the open entry, heading or description, whose kind is `_open`; `_tags` are the tags of each bookmark as written.
    """

    def __init__(self) -> None:
        self._shelf = BookmarkFile([], [])
        self._stack: list[tuple[str, ...]] = []
        self._pending: Folder | None = None
        self._open = ""
        self._entry: dict[str, str] = {}
        self._texts: list[str] = []
        self._described: str = ""
        self._lists = 0
        self._tags: list[str] = []

    def of(self, text: str) -> BookmarkFile:
        for token in tokens(text):
            if not token.tag:
                if self._open:
                    self._texts.append(token.text)
            elif token.tag == "br" and self._open:
                self._texts.append("\n")
            elif token.tag in _STRUCTURE or token.tag in _HEADINGS:
                self._structure(token)
        self._close()
        self._tag()
        return self._shelf

    def _structure(self, token: Token) -> None:
        """Process a structural tag; each of them ends the text before it."""
        if self._open == "dd" and token.tag in ("a", "li", "ul", "ol") and not self._begins_entry(token):
            return
        self._close()
        if token.tag in _LISTS:
            self._list(token.closing)
        elif token.closing:
            return
        elif token.tag in _HEADINGS:
            self._begin("folder", token)
        elif token.tag == "a":
            self._begin("a", token)
        elif token.tag == "dd":
            self._begin("dd", token)

    def _begins_entry(self, token: Token) -> bool:
        """Return whether a link inside a description is a separate entry: only those of browsers have a date."""
        return token.tag == "a" and not token.closing and "add_date" in attributes(token.attributes)

    def _begin(self, what: str, token: Token) -> None:
        self._open, self._entry, self._texts = what, attributes(token.attributes), []

    def _close(self) -> None:
        """End the open entry, heading or description."""
        what, self._open = self._open, ""
        text = unescape("".join(self._texts))
        if what == "a" and "href" in self._entry:
            self._bookmark(tidy(text))
        elif what == "folder":
            self._folder(tidy(text))
        elif what == "dd":
            self._describe(described(text))

    def _list(self, closing: bool) -> None:
        if closing:
            if self._stack:
                self._stack.pop()
            self._pending = None
            return
        self._lists += 1
        outer = self._stack[-1] if self._stack else ()
        self._stack.append(outer if self._pending is None else self._pending.path[:MAX_DEPTH])
        self._pending = None

    def _path(self) -> tuple[str, ...]:
        if self._pending is not None and not self._lists:
            # In a file without lists, a heading holds what follows it.
            return self._pending.path[:MAX_DEPTH]
        return self._stack[-1] if self._stack else ()

    def _bookmark(self, title: str) -> None:
        given = self._entry
        bookmark = Bookmark(
            url=given["href"].strip(),
            title=title,
            folders=self._path(),
            added=next((moment(given[name]) for name in _DATES if name in given), None),
            note=next((described(given[name]) for name in _NOTES if name in given), ""),
            mark=read_mark(given.get(ATTRIBUTE.lower()), PageMark),
        )
        self._shelf.bookmarks.append(bookmark)
        self._tags.append(given.get("tags", ""))
        self._described = "bookmark"

    def _folder(self, name: str) -> None:
        made = any(key.endswith("_folder") and value.lower() == "true" for key, value in self._entry.items())
        self._pending = None
        path = (*self._path(), name)
        added, mark = moment(self._entry.get("add_date", "")), self._entry.get(ATTRIBUTE.lower())
        self._pending = Folder(name, path, made, added=added, mark=read_mark(mark, TopicMark))
        self._described = "folder" if self._shelf.shelve(self._pending) else ""

    def _describe(self, note: str) -> None:
        if self._described == "bookmark" and note:
            self._shelf.bookmarks[-1] = self._shelf.bookmarks[-1].with_note(note)
        elif self._described == "folder" and note:
            self._shelf.folders[-1].note = note
        self._described = ""

    def _tag(self) -> None:
        """Set the tags of the bookmarks: if the file has no commas in tags, they are separated by spaces."""
        separator = "," if any("," in written for written in self._tags) else None
        for place, written in enumerate(self._tags):
            if written:
                bookmark = self._shelf.bookmarks[place]
                self._shelf.bookmarks[place] = replace(bookmark, tags=tags_of(written, separator))
