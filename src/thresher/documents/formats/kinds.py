"""Kinds of files: their MIME types, the endings of their names, and which kind some bytes are."""

from typing import Final

from thresher.documents.formats.limits import Purse, Refusal
from thresher.documents.formats.zipped import Zipped
from thresher.reasons import Reason

HTML: Final = "text/html"
PLAIN: Final = "text/plain"
PDF: Final = "application/pdf"
RTF: Final = "application/rtf"
EPUB: Final = "application/epub+zip"
ZIP: Final = "application/zip"
GZIP: Final = "application/gzip"
TAR: Final = "application/x-tar"
_OFFICE: Final = "application/vnd.openxmlformats-officedocument"
DOCX: Final = f"{_OFFICE}.wordprocessingml.document"
PPTX: Final = f"{_OFFICE}.presentationml.presentation"
XLSX: Final = f"{_OFFICE}.spreadsheetml.sheet"
_OPEN: Final = "application/vnd.oasis.opendocument"
ODT: Final = f"{_OPEN}.text"
ODS: Final = f"{_OPEN}.spreadsheet"
ODP: Final = f"{_OPEN}.presentation"

ARCHIVES: Final = frozenset([ZIP, GZIP, TAR])
"""Kinds that have no text of their own but hold files."""

_SAME: Final = {
    "application/x-pdf": PDF,
    "text/rtf": RTF,
    "application/x-rtf": RTF,
    "text/richtext": RTF,
    "application/x-zip-compressed": ZIP,
    "application/x-zip": ZIP,
    "application/x-gzip": GZIP,
    "application/x-tgz": GZIP,
    "application/x-gtar": TAR,
    "application/tar": TAR,
}
_KINDS: Final = frozenset([PDF, RTF, EPUB, DOCX, PPTX, XLSX, ODT, ODS, ODP, *ARCHIVES])

DOCUMENTS: Final = _KINDS | frozenset(_SAME)
"""MIME types of files that are read in a process of their own, archives included."""

BY_ENDING: Final = {
    ".htm": HTML,
    ".html": HTML,
    ".xhtml": "application/xhtml+xml",
    ".txt": PLAIN,
    ".text": PLAIN,
    ".md": PLAIN,
    ".rst": PLAIN,
    ".pdf": PDF,
    ".docx": DOCX,
    ".pptx": PPTX,
    ".xlsx": XLSX,
    ".odt": ODT,
    ".ods": ODS,
    ".odp": ODP,
    ".ott": ODT,
    ".ots": ODS,
    ".otp": ODP,
    ".rtf": RTF,
    ".epub": EPUB,
    ".zip": ZIP,
    ".gz": GZIP,
    ".tgz": GZIP,
    ".tar": TAR,
}
"""MIME types by the ending of a file's name."""

_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_PACKAGE: Final = "EncryptedPackage".encode("utf-16-le")
_PARTS: Final = {"word/": DOCX, "ppt/": PPTX, "xl/": XLSX}
_HEAD: Final = 1024
_MAX_LABEL: Final = 100


def kind_of(body: bytes, mime: str = "") -> str:
    """Return which kind of file bytes are, "" where they are none that is read as one; their label counts for nothing.

    Raises Refusal for Office files that are encrypted or of the old binary kind.

    >>> kind_of(b"%PDF-1.7"), kind_of(rb"{\\rtf1 Hello}", "text/plain"), kind_of(b"Hello", "application/pdf")
    ('application/pdf', 'application/rtf', '')
    """
    head = body[:_HEAD]
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zip_kind(body)
    if head.startswith(b"\x1f\x8b"):
        return GZIP
    if head.lstrip().lower().startswith(b"{\\rtf"):
        return RTF
    if head.startswith(_OLE):
        if _ENCRYPTED_PACKAGE in body:
            raise Refusal(Reason.ENCRYPTED, "it needs a password")
        raise Refusal(Reason.UNREADABLE, "it is an Office file of the old binary kind")
    if head[257:262] == b"ustar":
        return TAR
    # Readers of PDF forgive what stands before it; so it is asked for last.
    if b"%PDF-" in head:
        return PDF
    return TAR if _SAME.get(mime, mime) == TAR else ""


def _zip_kind(body: bytes) -> str:
    """Return what a ZIP file is: a text, a workbook, slides or a book where it says so, else an archive."""
    package = Zipped(body, Purse(_HEAD))
    names = package.names()
    if "mimetype" in package:
        try:
            said = package.read("mimetype")[:_MAX_LABEL].decode("ascii", "replace").strip()
        except Refusal:
            said = ""
        said = said.removesuffix("-template")
        if said in _KINDS:
            return said
    if "[Content_Types].xml" in package:
        return next((kind for part, kind in _PARTS.items() if any(name.startswith(part) for name in names)), ZIP)
    return EPUB if "META-INF/container.xml" in package else ZIP
