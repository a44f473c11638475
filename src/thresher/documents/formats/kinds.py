"""Looks up file formats by MIME type, file extension and content.

Each format (`Format`) is declared in a file of this folder, or in another package by an entry point in the group
`thresher.formats`.
"""

from typing import Final

from thresher.documents.formats.format import Format
from thresher.documents.formats.limits import ReaderGaveUp, UnpackBudget
from thresher.documents.formats.zipped import Zipped
from thresher.reasons import Reason
from thresher.registry import Registry
from thresher.web.sniff import SIGNATURES

FORMATS: Final = Registry(Format, package="thresher.documents.formats", group="thresher.formats", noun="format")

HTML: Final = "text/html"
XHTML: Final = "application/xhtml+xml"
PLAIN: Final = "text/plain"

PAGES: Final = {HTML: (".htm", ".html"), XHTML: (".xhtml",), PLAIN: (".txt", ".text", ".md", ".rst")}
"""Types read without a separate process, with their file extensions."""

_LARGEST_PAGE: Final = 10_000_000
_HEAD: Final = 1024
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_PACKAGE: Final = "EncryptedPackage".encode("utf-16-le")
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")
_MAX_LABEL: Final = 100


def by_type() -> dict[str, Format]:
    """Return the formats that are read in a separate process, including archives, by all their MIME types."""
    return {mime: kind for kind in _sorted() for mime in kind.mimes}


def by_ending() -> dict[str, str]:
    """Return the MIME types of all readable files by file extension.

    >>> by_ending()[".pdf"], by_ending()[".md"]
    ('application/pdf', 'text/plain')
    """
    pages = {ending: mime for mime, endings in PAGES.items() for ending in endings}
    return pages | {ending: kind.name for kind in _sorted() for ending in kind.endings}


def largest() -> dict[str, int]:
    """Return the MIME types of all readable files with their maximum size in bytes; HTML comes first."""
    names = {kind.name: kind.largest for kind in _sorted()}
    aliases = {alias: kind.largest for kind in _sorted() for alias in kind.aliases}
    return dict.fromkeys(PAGES, _LARGEST_PAGE) | names | aliases


def signatures() -> tuple[tuple[bytes, str], ...]:
    """Return the first bytes of documents of all known types, each with its MIME type, for `web/sniff.py`."""
    known = {begin for begin, _ in SIGNATURES}
    own = [(begin, kind.name) for kind in _sorted() for begin in kind.begins]
    return (*SIGNATURES, *((begin, mime) for begin, mime in own if begin not in known))


def kind_of(body: bytes, label: str = "") -> Format | None:
    """Return the format of a file by its content, or None if it has no known format; the label hardly matters.

    Raises Refusal for Office files that are encrypted or of the old binary kind.

    >>> kind_of(b"%PDF-1.7").name, kind_of(rb"{\\rtf1 Hello}", "text/plain").name, kind_of(b"Hello", "application/pdf")
    ('application/pdf', 'application/rtf', None)
    """
    head = body[:_HEAD]
    if head.startswith(_ZIP):
        return _zip_kind(body)
    if head.startswith(_OLE):
        if _ENCRYPTED_PACKAGE in body:
            raise ReaderGaveUp(Reason.ENCRYPTED, "it needs a password")
        raise ReaderGaveUp(Reason.UNREADABLE, "it is an Office file of the old binary kind")
    kinds = sorted(FORMATS.all().values(), key=lambda kind: kind.forgiving)
    found = next((kind for kind in kinds if kind.has(head)), None)
    named = by_type().get(label)
    return found or (named if named is not None and named.unsigned else None)


def _zip_kind(body: bytes) -> Format | None:
    """Return the format of a ZIP file: a document type if it declares one, else an archive."""
    package = Zipped(body, UnpackBudget(_HEAD))
    kinds = FORMATS.all()
    if "mimetype" in package:
        try:
            said = package.read("mimetype")[:_MAX_LABEL].decode("ascii", "replace").strip()
        except ReaderGaveUp:
            said = ""
        told = kinds.get(said.removesuffix("-template"))
        if told is not None and told.package is not None:
            return told
    names = package.names()
    for kind in kinds.values():
        if kind.holds and all(any(name.startswith(start) for name in names) for start in kind.holds):
            return kind
    return next((kind for kind in kinds.values() if kind.has(body[:_HEAD])), None)


def _sorted() -> list[Format]:
    """Return all formats, documents before archives."""
    return sorted(FORMATS.all().values(), key=lambda kind: (kind.files is not None, kind.name))
