"""HTTP messages in archives: reads and writes heads, decodes chunked transfer coding.

Input may come from anywhere: heads may end lines with a bare LF, fold them, or break off.
"""

import re
from http import HTTPStatus
from typing import Final, NamedTuple

MAX_HEAD: Final = 1 << 18
"""Number of bytes within which the head of a message must end."""

FRAMING: Final = "Transfer-Encoding"
KEPT_FRAMING: Final = "X-Crawler-Transfer-Encoding"
"""Header in which crawlers keep the `Transfer-Encoding` of a body that they store without that coding."""

_END: Final = re.compile(rb"\r?\n\r?\n")
_STATUS_LINE: Final = re.compile(rb"HTTP/(\d(?:\.\d)?)[ \t]+(\d{3})(?:[ \t].*|)", re.DOTALL)
_CHUNK: Final = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,16})[ \t]*(?:;[^\r\n]{0,4096})?\r?\n")
_SPACE: Final = " \t"
_BREAKS: Final = re.compile(r"[\r\n\0]+")

Headers = list[tuple[str, str]]


class Head(NamedTuple):
    """The head of an answer; `size` is its length in bytes, including the empty line that ends it."""

    version: str
    status: int
    headers: Headers
    size: int

    def value(self, name: str) -> str | None:
        """Return the first value of a field, or None if it is absent."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), None)


def answer_head(version: str, status: int, headers: Headers) -> bytes:
    """Return the head of an answer whose transfer coding was removed, with the standard phrase for its status.

    >>> answer_head("1.1", 200, [("A", "b")])
    b'HTTP/1.1 200 OK\\r\\nA: b\\r\\n\\r\\n'
    """
    try:
        phrase = HTTPStatus(status).phrase
    except ValueError:
        phrase = ""
    kept = [(KEPT_FRAMING if name.lower() == FRAMING.lower() else name, value) for name, value in headers]
    return _head(f"HTTP/{version} {status} {phrase}", kept)


def request_head(url: str, version: str, headers: Headers) -> bytes:
    """Return the head of the GET request for a URL.

    >>> request_head("http://a.test/x?y", "1.1", [("Host", "a.test")])
    b'GET /x?y HTTP/1.1\\r\\nHost: a.test\\r\\n\\r\\n'
    """
    target = "/" + url.partition("://")[2].partition("/")[2]
    return _head(f"GET {target} HTTP/{version}", headers)


def _head(line: str, headers: Headers) -> bytes:
    lines = [line, *[f"{name}: {value}" for name, value in headers], "", ""]
    whole = "\r\n".join(lines)
    if whole.isascii() and whole.count("\r") == whole.count("\n") == len(lines) - 1 and "\0" not in whole:
        return whole.encode()
    # Line breaks become spaces so that they cannot begin another field.
    return b"\r\n".join(_bytes(_BREAKS.sub(" ", text)) for text in lines)


def _bytes(text: str) -> bytes:
    """Return a header as it was received; text that is not Latin-1 is encoded as UTF-8."""
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def read_head(block: bytes) -> Head | None:
    """Return the head of an archived answer, or None if it has none.

    >>> read_head(b"HTTP/1.0 404 Not Found\\nA: b\\n\\nbody")
    Head(version='1.0', status=404, headers=[('A', 'b')], size=29)
    """
    end = _END.search(block, 0, MAX_HEAD)
    if end is None and len(block) > MAX_HEAD:
        return None
    size = end.end() if end else len(block)
    lines = block[: end.start() if end else size].split(b"\n")
    found = _STATUS_LINE.fullmatch(lines[0].rstrip(b"\r"))
    if found is None:
        return None
    headers: Headers = []
    for line in lines[1:]:
        text = line.rstrip(b"\r").decode("latin-1")
        if text.startswith((" ", "\t")) and headers:
            headers[-1] = (headers[-1][0], f"{headers[-1][1]} {text.strip(_SPACE)}")
            continue
        name, colon, value = text.partition(":")
        if colon and name.strip(_SPACE):
            headers.append((name.strip(_SPACE), value.strip(_SPACE)))
    return Head(found[1].decode(), int(found[2]), headers, size)


def unchunk(data: bytes) -> bytes:
    """Decode chunked transfer coding up to the first error; data that is not chunked is returned unchanged.

    >>> unchunk(b"3\\r\\nabc\\r\\n2\\r\\nde\\r\\n0\\r\\n\\r\\n"), unchunk(b"<html>")
    (b'abcde', b'<html>')
    """
    parts: list[bytes] = []
    position = 0
    while found := _CHUNK.match(data, position):
        size = int(found[1], 16)
        if size == 0:
            return b"".join(parts)
        part = data[found.end() : found.end() + size]
        parts.append(part)
        position = found.end() + size
        if len(part) < size:
            break
        position += 2 if data.startswith(b"\r\n", position) else data.startswith(b"\n", position)
    return b"".join(parts) if parts else data
