"""Hostile heads: floods of fields, wrong lengths, bytes that are not HTTP, and servers that never begin."""

import asyncio
from typing import Final

from thresher.simweb.hostile.talk import OK, Behaviour, ClientRequest, Sender, head, says


async def slow_head(_: ClientRequest, sender: Sender) -> None:
    """Send the head one byte at a time."""
    for byte in OK * 1000:
        await sender.send(bytes([byte]))
        await asyncio.sleep(0.3)


async def many_fields(_: ClientRequest, sender: Sender) -> None:
    """Send endlessly many fields."""
    await sender.send(OK)
    while True:
        await sender.send(b"X-Field: value\r\n" * 1000)
        await asyncio.sleep(0.005)


async def long_field(_: ClientRequest, sender: Sender) -> None:
    """Send one endless field."""
    await sender.send(OK, b"X-Field: ")
    while True:
        await sender.send(b"x" * 10_000)
        await asyncio.sleep(0.005)


async def interim(_: ClientRequest, sender: Sender) -> None:
    """Send interim answers without a final one."""
    while True:
        await sender.send(b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n" * 100)
        await asyncio.sleep(0.005)


async def silent(*_: ClientRequest | Sender) -> None:
    """Send no answer at all."""
    await asyncio.sleep(600)


HEADS: Final[dict[str, Behaviour]] = {
    "slow-head": slow_head,
    "many-fields": many_fields,
    "long-field": long_field,
    "interim": interim,
    "silent": silent,
    "length-short": says(head(b"Content-Length: 3"), b"<p>more than three bytes" * 1000),
    "length-long": says(head(b"Content-Length: 90000"), b"<p>fewer than promised"),
    "length-huge": says(head(b"Content-Length: 900000000000"), b"<p>far fewer than promised"),
    "length-negative": says(head(b"Content-Length: -1"), b"<p>less than nothing"),
    "length-two": says(head(b"Content-Length: 3", b"Content-Length: 9"), b"<p>either"),
    "length-and-chunks": says(head(b"Content-Length: 3", b"Transfer-Encoding: chunked"), b"5\r\n<p>ab\r\n0\r\n\r\n"),
    "chunk-garbage": says(head(b"Transfer-Encoding: chunked"), b"zz\r\n" + b"\xff" * 5000),
    "chunk-huge": says(head(b"Transfer-Encoding: chunked"), b"ffffffffffffffff\r\nx\r\n"),
    "bad-bytes": says(head(b"X-Name: \xff\xfe\x80", b"Location: \xc3\x28", b"ETag: \xf0\x28\x8c\xbc"), b"<p>words"),
    "nul-field": says(head(b"X-Name: a\0b"), b"<p>words"),
    "tls": says(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)) * 4),
    "nonsense": says(b"220 smtp ready\r\n" * 50),
    "empty": says(),
    "unknown-coding": says(head(b"Content-Encoding: rot13"), b"<c>"),
    "many-codings": says(head(b"Content-Encoding: " + b"gzip," * 500 + b"gzip"), b"x"),
    "retry-for-ever": says(b"HTTP/1.1 503 No\r\nRetry-After: 99999999999\r\nContent-Length: 0\r\n\r\n"),
}
"""Behaviours by the first label of their hosts' names."""
