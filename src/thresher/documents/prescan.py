"""Finds the encoding that a page declares in its first bytes (the prescan of the HTML standard)."""

import re
from typing import Final

from thresher.documents.labels import encoding_for

WINDOW: Final = 1024
"""Number of bytes at the beginning of a page in which a declaration counts."""

_META: Final = re.compile(rb"<meta[\t\n\f\r /]", re.IGNORECASE)
_TAG: Final = re.compile(rb"</?[a-zA-Z][^\t\n\f\r >]*")
_ATTRIBUTE: Final = re.compile(
    rb"""[\t\n\f\r /]*(=?[^\t\n\f\r />=]+|=)
    (?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|(["'])|([^\t\n\f\r >]*)))?""",
    re.VERBOSE,
)
_CHARSET: Final = re.compile(
    r"""charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^"'\t\n\f\r ;][^\t\n\f\r ;]*))""", re.IGNORECASE
)
_XML: Final = re.compile(rb"""<\?xml[^>]*?encoding[\x00-\x20]*=[\x00-\x20]*(?:"([^">]*)"|'([^'>]*)')""")


def charset_in(content_type: str) -> str | None:
    """Return the encoding named by a Content-Type, in a header or in a page; None if there is none or it is unknown.

    >>> charset_in("text/html; Charset='latin1'")
    'windows-1252'
    """
    match = _CHARSET.search(content_type)
    return encoding_for(match[1] or match[2] or match[3] or "") if match else None


def declared_encoding(body: bytes) -> str | None:
    """Return the encoding that the first bytes of a page declare, or None.

    A page that was read as ASCII up to its declaration cannot be UTF-16, so such a declaration means UTF-8.

    >>> declared_encoding(b'<html><meta charset="iso-8859-2">')
    'iso-8859-2'
    """
    head = body[:WINDOW]
    if head.startswith(b"<\0?\0x\0"):
        return "utf-16le"
    if head.startswith(b"\0<\0?\0x"):
        return "utf-16be"
    xml = _XML.match(head)
    name = _in_meta(head) or (encoding_for((xml[1] or xml[2] or b"").decode("latin-1")) if xml else None)
    return {"utf-16le": "utf-8", "utf-16be": "utf-8", "x-user-defined": "windows-1252"}.get(name or "", name)


def _in_meta(head: bytes) -> str | None:
    at = head.find(b"<")
    while at >= 0:
        if head.startswith(b"<!--", at):
            end = head.find(b"-->", at + 2)
            if end < 0:
                return None
            at = end + 3
        elif meta := _META.match(head, at):
            attributes, at = _attributes(head, meta.end() - 1)
            name = _meaning(attributes)
            if name is not None:
                return name
        elif tag := _TAG.match(head, at):
            at = _attributes(head, tag.end())[1]
        elif head[at + 1 : at + 2] in (b"!", b"/", b"?"):
            at = head.find(b">", at)
        else:
            at += 1
        at = head.find(b"<", at) if at >= 0 else -1
    return None


def _attributes(head: bytes, at: int) -> tuple[dict[bytes, bytes], int]:
    """Return the attributes of a tag, the first of each name, and where they end; -1 if the head ends before that."""
    found: dict[bytes, bytes] = {}
    while match := _ATTRIBUTE.match(head, at):
        name, double, single, unclosed, plain = match.groups()
        at = match.end()
        if unclosed is not None or at >= len(head):
            return {}, -1
        found.setdefault(name.lower(), (double or single or plain or b"").lower())
    return found, at


def _meaning(attributes: dict[bytes, bytes]) -> str | None:
    """Return the encoding a meta element declares: by `charset`, or by `content` with the right `http-equiv`."""
    if b"charset" in attributes:
        return encoding_for(attributes[b"charset"].decode("latin-1"))
    if attributes.get(b"http-equiv") == b"content-type":
        return charset_in(attributes.get(b"content", b"").decode("latin-1"))
    return None
