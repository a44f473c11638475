"""Detects the type of a document from its first bytes, following the WHATWG MIME sniffing rules.

The signatures are those of the standard and a few more. A crawler can go further than a browser: a label that says
nothing (`application/octet-stream`) counts as missing; bytes that are clearly a picture, an archive or a PDF are not
read as text, whatever the label says; more tags count as HTML, a byte order mark does not hide them, and XML with the
root `html` is XHTML. As in the standard, `nosniff` makes a label final, and a document labelled as plain text is never
taken for HTML.
"""

import re
from collections.abc import Sequence
from typing import Final

SNIFFED: Final = 1445
"""Number of bytes of a document to examine."""

UNKNOWN: Final = "application/octet-stream"

_SPACE: Final = rb"[\t\n\f\r ]"
_HTML: Final = re.compile(
    _SPACE + rb"*<(?:!DOCTYPE\s+html|!--|(?:html|head|body|title|meta|link|base|script|style|noscript|iframe|frameset"
    rb"|h[1-6]|div|p|a|b|br|hr|font|center|table|ul|ol|dl|img|form|pre|span|main|header|nav|section|article)[\s/>])",
    re.IGNORECASE,
)
_XML: Final = re.compile(_SPACE + rb"*<\?xml")
_XHTML: Final = re.compile(
    _SPACE + rb"*(?:<\?[^>]*>\s*|<!--(?:[^-]|-(?!->))*-->\s*)*(?:<!DOCTYPE\s+html\b|<html[\s>])", re.IGNORECASE
)
# PDF first: the standard counts it as scriptable, and checks such types before others.
SIGNATURES: Final[tuple[tuple[bytes, str], ...]] = (
    (b"%PDF-", "application/pdf"),
    (b"%!PS-Adobe-", "application/postscript"),
    (b"\x00\x00\x01\x00", "image/x-icon"),
    (b"\x00\x00\x02\x00", "image/x-icon"),
    (b"BM", "image/bmp"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"ID3", "audio/mpeg"),
    (b"OggS\x00", "application/ogg"),
    (b"MThd\x00\x00\x00\x06", "audio/midi"),
    (b"\x1a\x45\xdf\xa3", "video/webm"),
    (b"\x00\x01\x00\x00", "font/ttf"),
    (b"OTTO", "font/otf"),
    (b"ttcf", "font/collection"),
    (b"wOFF", "font/woff"),
    (b"wOF2", "font/woff2"),
    (b"\x1f\x8b\x08", "application/gzip"),
    (b"PK\x03\x04", "application/zip"),
    (b"Rar!\x1a\x07", "application/x-rar-compressed"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"BZh", "application/x-bzip2"),
    (b"\xfd7zXZ\x00", "application/x-xz"),
    (b"\x28\xb5\x2f\xfd", "application/zstd"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
    (b"\x7fELF", "application/x-executable"),
)
"""The first bytes of documents, and their types; supported file formats add theirs (`documents/formats/`)."""

_FORMS: Final = {
    (b"RIFF", b"WEBPVP"): "image/webp",
    (b"RIFF", b"AVI "): "video/avi",
    (b"RIFF", b"WAVE"): "audio/wave",
    (b"FORM", b"AIFF"): "audio/aiff",
}
# Short or printable signatures could begin a text; they count only if there are bytes that no text has.
_PRINTABLE: Final = frozenset([b"BM", b"ID3", b"OTTO", b"ttcf", b"wOFF", b"wOF2", b"BZh"])
_MARKS: Final = (b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe")
_BINARY: Final = bytes([*range(9), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)])
_TYPE: Final = re.compile(r"[!#$%&'*+.^_`|~0-9a-z-]+/[!#$%&'*+.^_`|~0-9a-z-]+")
_WIDE: Final = re.compile(r"charset\s*=\s*[\"']?\s*(?:utf-?(?:16|32)|ucs-?[24]|unicode|iso-10646)", re.IGNORECASE)
_NOTHING: Final = frozenset(
    ["unknown/unknown", "application/unknown", "*/*", UNKNOWN, "binary/octet-stream", "application/x-unknown"]
)
_MARKUP_SHARE: Final = 0.02


def sniff(
    head: bytes,
    declared: str | None = None,
    nosniff: bool = False,
    signatures: Sequence[tuple[bytes, str]] = SIGNATURES,
) -> str:
    """Return the type of a document, in lower case and without parameters.

    `head` are its first decoded bytes, of which `SNIFFED` count; `declared` is its Content-Type, None if it has none;
    `nosniff` says that the server forbids sniffing; `signatures` are the first bytes of known types.

    >>> sniff(b"<!doctype html><p>Hello"), sniff(b"%PDF-1.7", "text/html"), sniff(b"<p>Hello", "text/plain")
    ('text/html', 'application/pdf', 'text/plain')
    """
    head = head[:SNIFFED]
    label = essence(declared)
    if label is None or (label in _NOTHING and not nosniff):
        # Even with `nosniff`, a missing type is detected, but not as one that can run scripts.
        return _without_label(head, signatures) if not nosniff else _inert(head, signatures)
    if not may_lie(declared, nosniff):
        return label
    found = _signature(head, signatures)
    if found is None and not _WIDE.search(declared or "") and not head.startswith(_MARKS):
        binary = len(head) - len(head.translate(None, _BINARY))
        if label == "text/plain" and binary:
            return UNKNOWN
        # Markup may contain a stray control byte; NULs are typical of a wide encoding that was not declared.
        if binary - head.count(0) > len(head) * _MARKUP_SHARE:
            return UNKNOWN
    if found is None and label in ("text/xml", "application/xml") and _XHTML.match(head):
        return "application/xhtml+xml"
    return found or label


def essence(declared: str | None) -> str | None:
    """Return the type in a Content-Type field, in lower case and without parameters; None if it has none.

    >>> essence("Text/HTML; charset=utf-8"), essence("html"), essence(None)
    ('text/html', None, None)
    """
    label = (declared or "").partition(";")[0].strip(" \t\r\n").lower()
    return label if _TYPE.fullmatch(label) else None


def last_type(fields: Sequence[str]) -> str | None:
    """Return the Content-Type that counts if a server sends several: the last one that names a type.

    >>> last_type(["text/plain", "text/html; charset=utf-8", ""])
    'text/html; charset=utf-8'
    """
    values = [value.strip() for field in fields for value in field.split(",")]
    return next((value for value in reversed(values) if essence(value)), None)


def may_lie(declared: str | None, nosniff: bool = False) -> bool:
    """Return whether the bytes must be examined: the label says nothing, or claims that the document is text."""
    label = essence(declared)
    if label is None or nosniff:
        return label is None
    return label in _NOTHING or label in ("text/plain", "text/html") or _is_xml(label)


def _is_xml(label: str) -> bool:
    return label in ("text/xml", "application/xml") or label.endswith("+xml")


def _without_label(head: bytes, signatures: Sequence[tuple[bytes, str]]) -> str:
    """Return the type of a document without a label."""
    text = _unmarked(head)
    if _HTML.match(text):
        return "text/html"
    if _XML.match(text):
        return "application/xhtml+xml" if _XHTML.match(text) else "text/xml"
    return _inert(head, signatures)


def _inert(head: bytes, signatures: Sequence[tuple[bytes, str]]) -> str:
    found = None if head.startswith(_MARKS) else _signature(head, signatures)
    if found is not None:
        return found
    return "text/plain" if head.startswith(_MARKS) or not _has_binary(head) else UNKNOWN


def _signature(head: bytes, signatures: Sequence[tuple[bytes, str]]) -> str | None:
    """Return the type whose signature begins a document."""
    for signature, mime in signatures:
        if head.startswith(signature) and (signature not in _PRINTABLE or _has_binary(head)):
            return mime
    if head[4:8] == b"ftyp":
        return "video/mp4"
    for (frame, kind), mime in _FORMS.items():
        if head.startswith(frame) and head.startswith(kind, 8):
            return mime
    return "application/x-tar" if head[257:262] == b"ustar" else None


def _has_binary(head: bytes) -> bool:
    return len(head.translate(None, _BINARY)) < len(head)


def _unmarked(head: bytes) -> bytes:
    """Return a document without its byte order mark, with markup in single bytes."""
    if head.startswith(b"\xef\xbb\xbf"):
        return head[3:]
    if head.startswith((b"\xfe\xff", b"\xff\xfe")):
        return head.decode("utf-16", "replace").encode("latin-1", "replace")
    return head
