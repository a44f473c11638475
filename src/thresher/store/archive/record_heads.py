"""Record headers: the named fields of WARC, and the single line of ARC."""

import re
from typing import Final, NamedTuple

MAX_HEAD: Final = 1 << 16
"""Size in bytes of the longest record head."""

_SCHEME: Final = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]*:")
_DATE: Final = re.compile(rb"[0-9]{8,17}")
_LENGTH: Final = re.compile(rb"[0-9]{1,18}")


class ArcHead(NamedTuple):
    """The fields of the first line of an ARC record; `length` is in bytes."""

    url: str
    ip: str
    date: str
    mime: str
    length: int


def read_arc_line(line: bytes) -> ArcHead | None:
    """Return the fields of an ARC header line, version 1 or 2, or None if it is not one.

    >>> read_arc_line(b"http://a.test/ 192.0.2.1 20080430204825 text/html 9\\n")
    ArcHead(url='http://a.test/', ip='192.0.2.1', date='20080430204825', mime='text/html', length=9)
    """
    parts = line.strip(b"\r\n").split(b" ")
    if len(parts) < 5 or not _SCHEME.match(parts[0]) or not _LENGTH.fullmatch(parts[-1]):
        return None
    # Version 2 has five more fields between type and length; a URL may contain spaces.
    for fields in (10, 5):
        if len(parts) >= fields and _DATE.fullmatch(parts[2 - fields]):
            url = b" ".join(parts[: 1 - fields]).decode("utf-8", "replace")
            ip, date, mime = (part.decode("latin-1") for part in parts[1 - fields :][:3])
            return ArcHead(url, ip, date, mime, int(parts[-1]))
    return None


def begins_record(line: bytes) -> bool:
    """Return whether a line looks like the first line of a WARC or ARC record.

    >>> begins_record(b"WARC/1.1\\r\\n"), begins_record(b"http://a.test/ 192.0.2.1 20080430204825 text/html 9\\n")
    (True, True)
    """
    return line.startswith(b"WARC/") or read_arc_line(line) is not None


def read_fields(lines: list[bytes]) -> dict[str, str]:
    """Return the named fields of a WARC record by lower-case name; the first of repeated fields counts.

    >>> read_fields([b"WARC-Type: response\\r\\n", b"X: a\\r\\n", b" b\\r\\n"])
    {'warc-type': 'response', 'x': 'a b'}
    """
    fields: dict[str, str] = {}
    last = ""
    for line in lines:
        text = line.rstrip(b"\r\n").decode("utf-8", "replace")
        if text.startswith((" ", "\t")):
            if last:
                fields[last] += " " + text.strip()
            continue
        name, colon, value = text.partition(":")
        key = name.strip().lower()
        last = key if colon and key not in fields else ""
        if last:
            fields[key] = value.strip()
    return fields


def read_length(fields: dict[str, str]) -> int | None:
    """Return the length in bytes that a WARC record declares, or None if it declares none."""
    text = fields.get("content-length", "").encode("ascii", "replace")
    return int(text) if _LENGTH.fullmatch(text) else None
