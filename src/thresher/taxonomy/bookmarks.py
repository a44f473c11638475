"""Bookmark files as browsers and bookmark services write them, read into one flat list.

The Netscape format is HTML by its looks only: folders are headings, their content is the `<DL>` that follows, end tags
are missing at will and a `<DD>` describes what stands before it. It is therefore read as a stream of tags, not as a
tree. The files browsers keep for themselves are read by `native_bookmarks`.
"""

import codecs
import contextlib
import re
from collections.abc import Iterator
from html import unescape
from typing import Final

from msgspec import Struct

from thresher.taxonomy.marks import ATTRIBUTE, read_mark
from thresher.taxonomy.native_bookmarks import read_native
from thresher.taxonomy.shelves import (
    MAX_DEPTH,
    Bookmark,
    Folder,
    PageMark,
    Shelf,
    TopicMark,
    described,
    moment,
    tags_of,
    tidy,
)

__all__ = ["Bookmark", "read", "read_shelf"]

# A quoted value may hold a bracket; an unclosed quote must not swallow the rest of the file.
_TAG: Final = re.compile(
    r"""<!--.*?(?:-->|\Z)|<(/?)([a-zA-Z][a-zA-Z0-9]*+)((?:\s++[^\s>"'=]++(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"']*+))?+)*+)[^>]*+>""",
    re.DOTALL,
)
_ATTRIBUTE: Final = re.compile(r"""([^\s>"'=]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>"']++)))?+""")
_CHARSET: Final = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?([\w.:-]{1,40})""", re.IGNORECASE)
_STRUCTURE: Final = frozenset(["a", "dd", "dl", "dt", "h3", "hr", "ul", "ol", "li"])
_LISTS: Final = frozenset(["dl", "ul", "ol"])
_HEADINGS: Final = frozenset(["h2", "h3", "h4", "h5", "h6"])


def read(data: bytes) -> list[Bookmark]:
    """Read a bookmark file of any kind; entries come in the order of the file, also those that are no web pages.

    Never raises: what cannot be understood gives no entries.

    >>> found = read(b'<DL><DT><H3>Boats</H3><DL><DT><A HREF="http://a.test/" ADD_DATE="9" TAGS="x,y">A</A><DD>Good')
    >>> found[0].url, found[0].folders, found[0].added, found[0].note, found[0].tags
    ('http://a.test/', ('Boats',), 9, 'Good', ('x', 'y'))
    """
    return read_shelf(data).bookmarks


def read_shelf(data: bytes) -> Shelf:
    """Read a bookmark file with its folders, of which empty ones have no entry in the list."""
    native = read_native(data)
    return native if native is not None else _Reading().of(decoded(data))


def decoded(data: bytes) -> str:
    """Return a file as text: by its mark, as UTF-8, by the encoding it names, or as the Latin of Windows."""
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
        # Unknown names and codecs that do not make text of bytes leave the choice to the last resort.
        with contextlib.suppress(LookupError, UnicodeError):
            found = codecs.lookup(named[1].decode("ascii"))
            if found._is_text_encoding and found.name != "utf-8":
                return data.decode(found.name, "replace")
    return data.decode("cp1252", "replace")


class _Token(Struct, frozen=True):
    """A tag, or a text where `tag` is empty."""

    tag: str
    closing: bool = False
    attributes: str = ""
    text: str = ""


def _tokens(text: str) -> Iterator[_Token]:
    end = 0
    for match in _TAG.finditer(text):
        if match.start() > end:
            yield _Token("", text=text[end : match.start()])
        end = match.end()
        if match[2]:
            yield _Token(match[2].lower(), bool(match[1]), match[3] or "")
    if end < len(text):
        yield _Token("", text=text[end:])


def _attributes(written: str) -> dict[str, str]:
    """Return attributes by their names in lower case; of two with one name the first counts."""
    found: dict[str, str] = {}
    for name, double, single, bare in _ATTRIBUTE.findall(written):
        found.setdefault(name.lower(), unescape(double or single or bare))
    return found


class _Reading:
    """One reading of a Netscape file.

    `_pending` is a folder whose list has not begun; `_texts` collect the text of the open entry, heading or
    description, told by `_open`.
    """

    def __init__(self) -> None:
        self._shelf = Shelf([], [])
        self._stack: list[Folder | None] = []
        self._pending: Folder | None = None
        self._open = ""
        self._entry: dict[str, str] = {}
        self._texts: list[str] = []
        self._described: str = ""
        self._lists = 0

    def of(self, text: str) -> Shelf:
        for token in _tokens(text):
            if not token.tag:
                if self._open:
                    self._texts.append(token.text)
            elif token.tag == "br" and self._open:
                self._texts.append("\n")
            elif token.tag in _STRUCTURE or token.tag in _HEADINGS:
                self._structure(token)
        self._close()
        return self._shelf

    def _structure(self, token: _Token) -> None:
        """Take a tag that gives the file its form; each of them ends the text before it."""
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

    def _begins_entry(self, token: _Token) -> bool:
        """Tell whether a link inside a description is an entry of its own: only those of browsers have a date."""
        return token.tag == "a" and not token.closing and "add_date" in _attributes(token.attributes)

    def _begin(self, what: str, token: _Token) -> None:
        self._open, self._entry, self._texts = what, _attributes(token.attributes), []

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
        self._stack.append(self._pending)
        self._pending = None

    def _path(self) -> tuple[str, ...]:
        names = tuple(folder.name for folder in self._stack if folder is not None)
        if self._pending is not None and not self._lists:
            # A file without any list: a heading holds what follows it.
            names = (*names, self._pending.name)
        return names[:MAX_DEPTH]

    def _bookmark(self, title: str) -> None:
        given = self._entry
        bookmark = Bookmark(
            url=given["href"].strip(),
            title=title,
            folders=self._path(),
            added=moment(given.get("add_date", "")),
            note="",
            tags=tags_of(given.get("tags", "")),
            mark=read_mark(given.get(ATTRIBUTE.lower()), PageMark),
        )
        self._shelf.bookmarks.append(bookmark)
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
