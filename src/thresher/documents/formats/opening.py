"""Opens a file: yields its document, or the documents of an archive one after another."""

import posixpath
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from thresher.documents.encodings import decode
from thresher.documents.formats.extract import Extract
from thresher.documents.formats.format import Format, Stored
from thresher.documents.formats.kinds import HTML, PLAIN, XHTML, by_ending, by_type, kind_of
from thresher.documents.formats.limits import Limits, ReaderGaveUp, UnpackBudget
from thresher.documents.formats.member_names import is_hidden, is_silent, quoted, safe_name
from thresher.documents.formats.zipped import Zipped
from thresher.documents.html import read_html
from thresher.documents.nesting import cut_tags, is_too_deep
from thresher.documents.plain import read_plain
from thresher.reasons import Reason
from thresher.web.sniff import SNIFFED, sniff
from thresher.web.urls import INSIDE

_MARKUP: Final = frozenset([HTML, XHTML])


class Entry(NamedTuple):
    """A readable document: its address inside the file, "" for the file itself, and a function that reads it.

    The function may raise Refusal, or whatever a parser raises for a broken file.
    """

    address: str
    read: Callable[[], Extract]


class FileDocuments:
    """The documents of one file; after the last one, `note` says what was left out."""

    def __init__(self, body: bytes, mime: str, url: str, limits: Limits) -> None:
        self._body = body
        self._mime = mime
        self._url = url
        self._limits = limits
        self._kinds = by_type()
        self._endings = by_ending()
        self._budget = UnpackBudget(limits.unpacked)
        self._given = self._silent = 0
        self._unsafe = 0
        self._beyond = 0

    @property
    def note(self) -> str:
        """What was left out; empty if nothing was."""
        left = [f"{_members(self._beyond)} beyond the limit of {self._limits.members}"] if self._beyond else []
        left += [f"{_members(self._unsafe)} with unsafe names"] if self._unsafe else []
        return ", ".join(left)

    def entries(self) -> Iterator[Entry]:
        """Yield the documents of the file; raise Refusal if it cannot be opened at all."""
        kind = kind_of(self._body, self._mime)
        if kind is not None and kind.files is not None:
            yield from self._members(kind.files(self._body, self._url, self._budget), "", 1)
        else:
            yield Entry("", lambda: self._document(self._body, kind or self._mime, self._url))

    def _members(self, files: Iterator[Stored], prefix: str, level: int) -> Iterator[Entry]:
        for stored in files:
            plain = safe_name(stored.name)
            if plain is None:
                self._unsafe += 1
            elif is_hidden(plain) or (is_silent(plain) and self._silent >= self._limits.members):
                continue
            elif is_silent(plain):
                self._silent += 1
                yield from self._member(stored, plain, f"{prefix}{quoted(plain)}", level)
            elif self._given >= self._limits.members:
                self._beyond += 1
            else:
                self._given += 1
                yield from self._member(stored, plain, f"{prefix}{quoted(plain)}", level)

    def _member(self, stored: Stored, name: str, address: str, level: int) -> Iterator[Entry]:
        """Yield a member, or the members of a nested archive."""
        label = self._label(name)
        promised = self._kinds.get(label)
        if is_silent(name) or promised is None or promised.files is None:
            yield Entry(address, lambda: self._typed(stored, name, address))
            return
        try:
            body = stored.unpack()
            kind = kind_of(body, label)
            if kind is None or kind.files is None:
                yield Entry(address, lambda: self._document(body, kind or "", self._at(address)))
                return
            if level >= self._limits.nesting:
                raise ReaderGaveUp(Reason.OVER_LIMITS, "archives are nested deeper than documents.nesting allows")
            yield from self._members(kind.files(body, name, self._budget), f"{address}{INSIDE}", level + 1)
        except ReaderGaveUp as refusal:
            yield Entry(address, _refusing(refusal))

    def _typed(self, stored: Stored, name: str, address: str) -> Extract:
        if is_silent(name):
            raise ReaderGaveUp(Reason.TYPE_REFUSED, f"{name.rpartition('.')[2][:20]} files have no text")
        body = stored.unpack()
        label = self._label(name)
        kind = kind_of(body, label)
        mime = kind.name if kind is not None else sniff(body[:SNIFFED], label or None)
        if self._limits.types and mime not in self._limits.types:
            raise ReaderGaveUp(Reason.TYPE_REFUSED, mime)
        if kind is not None and kind.files is not None:
            raise ReaderGaveUp(Reason.OVER_LIMITS, "an archive under a name that does not say so is not opened")
        return self._document(body, kind or mime, self._at(address))

    def _label(self, name: str) -> str:
        """Return the MIME type suggested by a name, "" if there is none."""
        return self._endings.get(posixpath.splitext(name)[1].lower(), "")

    def _at(self, address: str) -> str:
        return f"{self._url}{INSIDE}{address}"

    def _document(self, body: bytes, kind: Format | str, url: str) -> Extract:
        """Read a document of a known format or type; raise Refusal if that is not possible."""
        limits = self._limits
        mime = kind if isinstance(kind, str) else kind.name
        if isinstance(kind, Format) and kind.package is not None:
            found = kind.package(Zipped(body, self._budget), url, limits)
        elif isinstance(kind, Format) and kind.text is not None:
            found = kind.text(body, url, limits)
        elif mime in _MARKUP or mime == PLAIN:
            found = _text(body, mime, url, limits)
        else:
            if mime in self._kinds:
                raise ReaderGaveUp(Reason.UNREADABLE, "it is not what its label says")
            raise ReaderGaveUp(Reason.TYPE_REFUSED, mime)
        if not found.markup.words:
            raise ReaderGaveUp(Reason.NO_TEXT, "it has no words")
        return Extract(found.markup, found.about, found.encoding, mime, len(body))


def _text(body: bytes, mime: str, url: str, limits: Limits) -> Extract:
    text, encoding = decode(body, mime)
    if mime == PLAIN:
        return Extract(read_plain(text, limits.words), encoding=encoding)
    text = cut_tags(text)
    if is_too_deep(text):
        raise ReaderGaveUp(Reason.NESTED_TOO_DEEP)
    return Extract(read_html(text, url, limits.words, limits.links), encoding=encoding)


def _refusing(refusal: ReaderGaveUp) -> Callable[[], Extract]:
    def refuse() -> Extract:
        raise ReaderGaveUp(refusal.reason, refusal.detail)

    return refuse


def _members(number: int) -> str:
    return "1 member" if number == 1 else f"{number} members"
