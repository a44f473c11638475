"""Opening a file: the document that it is, or the documents that an archive holds, one after the other."""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from thresher.documents.encodings import decode
from thresher.documents.formats.archives import Stored, stored_files
from thresher.documents.formats.epub import read_epub
from thresher.documents.formats.extract import Extract
from thresher.documents.formats.kinds import (
    ARCHIVES,
    DOCUMENTS,
    DOCX,
    EPUB,
    HTML,
    ODP,
    ODS,
    ODT,
    PDF,
    PLAIN,
    PPTX,
    RTF,
    XLSX,
    kind_of,
)
from thresher.documents.formats.limits import Limits, Purse, Refusal
from thresher.documents.formats.member_names import INSIDE, is_hidden, is_silent, label_of, quoted, safe_name
from thresher.documents.formats.open_document import read_open_document
from thresher.documents.formats.pdf import read_pdf
from thresher.documents.formats.rtf import read_rtf
from thresher.documents.formats.sheets import read_sheets
from thresher.documents.formats.slides import read_slides
from thresher.documents.formats.word import read_word
from thresher.documents.formats.zipped import Zipped
from thresher.documents.html import read_html
from thresher.documents.nesting import cut_tags, is_too_deep
from thresher.documents.plain import read_plain
from thresher.reasons import Reason
from thresher.web.sniff import SNIFFED, sniff

_PACKAGES: Final[dict[str, Callable[[Zipped, str, Limits], Extract]]] = {
    DOCX: read_word,
    PPTX: read_slides,
    XLSX: read_sheets,
    ODT: read_open_document,
    ODS: read_open_document,
    ODP: read_open_document,
    EPUB: read_epub,
}
_PLAIN: Final[dict[str, Callable[[bytes, str, Limits], Extract]]] = {PDF: read_pdf, RTF: read_rtf}
_MARKUP: Final = frozenset([HTML, "application/xhtml+xml"])


class Entry(NamedTuple):
    """A document that can be read: its address inside the file, "" for the file itself, and a function that reads it.

    The function may raise Refusal, and whatever a broken file makes a parser raise.
    """

    address: str
    read: Callable[[], Extract]


class Opening:
    """The documents of one file; `note` says, once all were given, what was left out."""

    def __init__(self, body: bytes, mime: str, url: str, limits: Limits) -> None:
        self._body = body
        self._mime = mime
        self._url = url
        self._limits = limits
        self._purse = Purse(limits.unpacked)
        self._given = self._silent = 0
        self._unsafe = 0
        self._beyond = 0

    @property
    def note(self) -> str:
        """What was left out, "" where nothing was."""
        left = [f"{self._beyond} members beyond the limit of {self._limits.members}"] if self._beyond else []
        left += [f"{self._unsafe} members with unsafe names"] if self._unsafe else []
        return ", ".join(left)

    def entries(self) -> Iterator[Entry]:
        """Give the documents of the file; raises Refusal where it cannot be opened at all."""
        kind = kind_of(self._body, self._mime)
        if kind in ARCHIVES:
            yield from self._members(self._body, kind, self._url, "", 1)
        else:
            yield Entry("", lambda: self._document(self._body, kind or self._mime, self._url))

    def _members(self, body: bytes, kind: str, name: str, prefix: str, level: int) -> Iterator[Entry]:
        for stored in stored_files(body, kind, name, self._purse):
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
        """Give a member, or the members of a member that is an archive itself."""
        if is_silent(name) or label_of(name) not in ARCHIVES:
            yield Entry(address, lambda: self._typed(stored, name, address))
            return
        try:
            body = stored.unpack()
            kind = kind_of(body, label_of(name))
            if kind not in ARCHIVES:
                yield Entry(address, lambda: self._document(body, kind, self._at(address)))
                return
            if level >= self._limits.nesting:
                raise Refusal(Reason.OVER_LIMITS, "archives are nested deeper than documents.nesting allows")
            yield from self._members(body, kind, name, f"{address}{INSIDE}", level + 1)
        except Refusal as refusal:
            yield Entry(address, _refusing(refusal))

    def _typed(self, stored: Stored, name: str, address: str) -> Extract:
        if is_silent(name):
            raise Refusal(Reason.TYPE_REFUSED, f"{name.rpartition('.')[2][:20]} files have no text")
        body = stored.unpack()
        mime = kind_of(body, label_of(name)) or sniff(body[:SNIFFED], label_of(name) or None)
        if self._limits.types and mime not in self._limits.types:
            raise Refusal(Reason.TYPE_REFUSED, mime)
        if mime in ARCHIVES:
            raise Refusal(Reason.OVER_LIMITS, "an archive under a name that does not say so is not opened")
        return self._document(body, mime, self._at(address))

    def _at(self, address: str) -> str:
        return f"{self._url}{INSIDE}{address}"

    def _document(self, body: bytes, mime: str, url: str) -> Extract:
        """Read a document of a known type; raises Refusal where it cannot be read."""
        limits = self._limits
        if mime in _PACKAGES:
            found = _PACKAGES[mime](Zipped(body, self._purse), url, limits)
        elif mime in _PLAIN:
            found = _PLAIN[mime](body, url, limits)
        elif mime in _MARKUP or mime == PLAIN:
            found = _text(body, mime, url, limits)
        else:
            if mime in DOCUMENTS:
                raise Refusal(Reason.UNREADABLE, "it is not what its label says")
            raise Refusal(Reason.TYPE_REFUSED, mime)
        if not found.markup.words:
            raise Refusal(Reason.NO_TEXT, "it has no words")
        return Extract(found.markup, found.about, found.encoding, mime, len(body))


def _text(body: bytes, mime: str, url: str, limits: Limits) -> Extract:
    text, encoding = decode(body, mime)
    if mime == PLAIN:
        return Extract(read_plain(text, limits.words), encoding=encoding)
    text = cut_tags(text)
    if is_too_deep(text):
        raise Refusal(Reason.NESTED_TOO_DEEP)
    return Extract(read_html(text, url, limits.words, limits.links), encoding=encoding)


def _refusing(refusal: Refusal) -> Callable[[], Extract]:
    def refuse() -> Extract:
        raise Refusal(refusal.reason, refusal.detail)

    return refuse
