"""The part of HTTP/1.1 that the server reads: GET and HEAD request heads, from clients that may send anything."""

import re
from typing import Final, NamedTuple

MAX_HEAD: Final = 16 * 1024

_CONDITIONS: Final[tuple[str, ...]] = ("if-none-match", "if-modified-since")

_REQUEST_LINE: Final = re.compile(rb"([!-~]{1,32}) ([!-~]+) HTTP/1\.([01])")
_AUTHORITY: Final = re.compile(r"[a-z0-9._-]{1,255}(?::\d{0,5})?")


class RequestHead(NamedTuple):
    """A request: `host` is in lower case and has no port; `keep_alive` says whether another may follow.

    `conditions` are the fields of a conditional request, with names in lower case.
    """

    method: str
    host: str
    target: str
    agent: str
    keep_alive: bool
    conditions: dict[str, str]


class BadRequest(NamedTuple):
    """An unreadable request, with the status to answer; the connection cannot be used afterwards."""

    status: int


def take_head(buffer: bytearray) -> RequestHead | BadRequest | None:
    """Take one request head from the front of a buffer; return None if it is not complete yet.

    >>> take_head(bytearray(b"GET /a HTTP/1.1\\r\\nHost: www.a.test:80\\r\\n\\r\\n"))
    RequestHead(method='GET', host='www.a.test', target='/a', agent='', keep_alive=True, conditions={})
    """
    while buffer.startswith(b"\r\n"):
        del buffer[:2]
    end = buffer.find(b"\r\n\r\n", 0, MAX_HEAD)
    if end < 0:
        return BadRequest(431) if len(buffer) >= MAX_HEAD else None
    head = bytes(buffer[:end])
    del buffer[: end + 4]
    return _read(head)


def _read(head: bytes) -> RequestHead | BadRequest:
    line, _, rest = head.partition(b"\r\n")
    found = _REQUEST_LINE.fullmatch(line)
    if found is None:
        return BadRequest(400)
    fields: dict[str, str] = {}
    for field in rest.split(b"\r\n") if rest else ():
        name, colon, value = field.partition(b":")
        key = name.decode("latin-1").lower()
        if not colon or not key or key != key.strip() or (key == "host" and key in fields):
            return BadRequest(400)
        fields[key] = value.decode("latin-1").strip()
    return _request(found[1].decode(), found[2].decode(), found[3] == b"1", fields)


def _request(method: str, target: str, modern: bool, fields: dict[str, str]) -> RequestHead | BadRequest:
    authority = fields.get("host", "").lower()
    if target.lower().startswith("http://"):
        authority, slash, path = target[len("http://") :].partition("/")
        authority, target = authority.lower(), slash + path or "/"
    if not target.startswith("/") or _AUTHORITY.fullmatch(authority) is None:
        return BadRequest(400)
    connection = fields.get("connection", "").lower()
    keep_alive = "close" not in connection if modern else "keep-alive" in connection
    # Bodies are not read: what follows them could not be distinguished from the next request.
    if fields.get("content-length", "0") != "0" or "transfer-encoding" in fields:
        keep_alive = False
    host = authority.partition(":")[0].rstrip(".")
    conditions = {name: fields[name] for name in _CONDITIONS if name in fields}
    return RequestHead(method, host, target, fields.get("user-agent", ""), keep_alive, conditions)
