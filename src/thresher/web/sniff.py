"""Detects the type of a document by its first bytes, after the WHATWG MIME sniffing rules.

The signatures are those of the standard and a few more. A crawler goes beyond it where a browser could not afford to: a
label that says nothing (`application/octet-stream`) counts as missing; bytes that are plainly a picture, an archive or
a PDF are not read as text, whatever the label says; more tags are taken for HTML, a byte order mark does not hide them,
and XML whose root is `html` is XHTML. As in the standard, `nosniff` makes a label final, and what is labelled as plain
text is never taken for HTML.
"""

import re
from collections.abc import Sequence
from typing import Final

SNIFFED: Final = 1445
"""Bytes of a document that are looked at."""

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
# PDF first: it is scriptable in the standard's eyes and comes before what is not.
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
"""What documents begin with, and their types; kinds of files that are read add theirs (`documents/formats/`)."""

_FORMS: Final = {
    (b"RIFF", b"WEBPVP"): "image/webp",
    (b"RIFF", b"AVI "): "video/avi",
    (b"RIFF", b"WAVE"): "audio/wave",
    (b"FORM", b"AIFF"): "audio/aiff",
}
# Short or printable signatures could begin a text; only bytes no text has make sure.
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

    `head` are its first decoded bytes, of which `SNIFFED` count; `declared` is its Content-Type field, None if it has
    none; `nosniff` that the server forbids to look further; `signatures` are what known types begin with.

    >>> sniff(b"<!doctype html><p>Hello"), sniff(b"%PDF-1.7", "text/html"), sniff(b"<p>Hello", "text/plain")
    ('text/html', 'application/pdf', 'text/plain')
    """
    head = head[:SNIFFED]
    label = essence(declared)
    if label is None or (label in _NOTHING and not nosniff):
        # Even without leave to look, a missing type is looked for, but not among those that can run scripts.
        return _without_label(head, signatures) if not nosniff else _inert(head, signatures)
    if not may_lie(declared, nosniff):
        return label
    found = _signature(head, signatures)
    if found is None and not _WIDE.search(declared or "") and not head.startswith(_MARKS):
        binary = len(head) - len(head.translate(None, _BINARY))
        if label == "text/plain" and binary:
            return UNKNOWN
        # Markup may hold a stray control byte; NUL is what is left of it in a wide encoding nobody declared.
        if binary - head.count(0) > len(head) * _MARKUP_SHARE:
            return UNKNOWN
    if found is None and label in ("text/xml", "application/xml") and _XHTML.match(head):
        return "application/xhtml+xml"
    return found or label


def essence(declared: str | None) -> str | None:
    """Return the type a Content-Type field names, in lower case and without parameters; None if it names none.

    >>> essence("Text/HTML; charset=utf-8"), essence("html"), essence(None)
    ('text/html', None, None)
    """
    label = (declared or "").partition(";")[0].strip(" \t\r\n").lower()
    return label if _TYPE.fullmatch(label) else None


def last_type(fields: Sequence[str]) -> str | None:
    """Return the Content-Type that counts where a server sends several: the last one that names a type.

    >>> last_type(["text/plain", "text/html; charset=utf-8", ""])
    'text/html; charset=utf-8'
    """
    values = [value.strip() for field in fields for value in field.split(",")]
    return next((value for value in reversed(values) if essence(value)), None)


def may_lie(declared: str | None, nosniff: bool = False) -> bool:
    """Return whether the bytes of a document are to be looked at: its label says nothing, or claims that it is text."""
    label = essence(declared)
    if label is None or nosniff:
        return label is None
    return label in _NOTHING or label in ("text/plain", "text/html") or _is_xml(label)


def _is_xml(label: str) -> bool:
    return label in ("text/xml", "application/xml") or label.endswith("+xml")


def _without_label(head: bytes, signatures: Sequence[tuple[bytes, str]]) -> str:
    """Return the type of a document that has no label."""
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
    """Return the type whose signature a document begins with."""
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
    """Return a document without its byte order mark, in single bytes as far as it is markup."""
    if head.startswith(b"\xef\xbb\xbf"):
        return head[3:]
    if head.startswith((b"\xfe\xff", b"\xff\xfe")):
        return head.decode("utf-16", "replace").encode("latin-1", "replace")
    return head
