"""Hostile bodies: bombs in every coding, endless and slow bodies, markup that is expensive to parse, wrong charsets."""

import asyncio
import gzip
import sys
import zlib
from functools import cache
from typing import Final

import brotli  # type: ignore[import-untyped]

from thresher.simweb.hostile.talk import Behaviour, ClientRequest, Sender, head, page, says

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

BLOCK: Final = b"<p>All work and no play makes Jack a dull boy.\n" * 1300
"""Slightly less than 64 KB."""

_BOMB: Final = 100_000_000
_BOMBS: Final = (("gzip",), ("deflate",), ("br",), ("zstd",), ("gzip", "gzip"), ("zstd", "br"), ("br", "gzip", "gzip"))
_PAUSE: Final = 0.005


@cache
def _packed(*codings: str) -> bytes:
    """Return a hundred million zeros in several codings, innermost first."""
    if len(codings) > 1:
        inner = _packed(*codings[:-1])
        return gzip.compress(inner, 6) if codings[-1] == "gzip" else bytes(brotli.compress(inner, quality=5))
    zeros = bytes(1 << 20)
    if codings[0] == "zstd":
        return bytes(zstd.compress(bytes(_BOMB), 3))
    if codings[0] == "br":
        coder = brotli.Compressor(quality=2)
        return b"".join(bytes(coder.process(zeros)) for _ in range(_BOMB >> 20)) + bytes(coder.finish())
    stream = zlib.compressobj(6, zlib.DEFLATED, 31 if codings[0] == "gzip" else 15)
    return b"".join(stream.compress(zeros) for _ in range(_BOMB >> 20)) + stream.flush()


def bomb(*codings: str) -> Behaviour:
    """Return a behaviour that sends a bomb; codings are given innermost first."""

    async def behaviour(_: ClientRequest, sender: Sender) -> None:
        await page(sender, _packed(*codings), b"Content-Encoding: " + ", ".join(codings).encode())

    return behaviour


def pack_bombs() -> None:
    """Create all bombs before they are requested: packing takes longer than a client waits."""
    for codings in _BOMBS:
        _packed(*codings)


async def endless(_: ClientRequest, sender: Sender) -> None:
    """Send a body that never ends, as fast as it is read."""
    await sender.send(head())
    while True:
        await sender.send(BLOCK)
        await asyncio.sleep(_PAUSE)


async def endless_chunks(_: ClientRequest, sender: Sender) -> None:
    """Send chunks without a last one."""
    await sender.send(head(b"Transfer-Encoding: chunked"))
    while True:
        await sender.send(b"%x\r\n" % len(BLOCK), BLOCK, b"\r\n")
        await asyncio.sleep(_PAUSE)


async def slow(_: ClientRequest, sender: Sender) -> None:
    """Send a body at one byte per second."""
    await sender.send(head(b"Content-Length: 100000"))
    while True:
        await sender.send(b"x")
        await asyncio.sleep(1.0)


async def broken_off(_: ClientRequest, sender: Sender) -> None:
    """Reset the connection in the middle of the body."""
    await sender.send(head(b"Content-Length: 100000"), BLOCK)
    sender.reset()


def many_links(number: int) -> Behaviour:
    """Return a host with a page of this many links, all to the same short page."""

    async def behaviour(asked: ClientRequest, sender: Sender) -> None:
        links = (
            b"".join(b"<a href=%x>" % count for count in range(number)) if asked.target == "/" else b"<p>One of many"
        )
        await page(sender, links)

    return behaviour


async def lying_charset(_: ClientRequest, sender: Sender) -> None:
    """Send bytes that are in none of the three encodings declared for them."""
    body = b"\xef\xbb\xbf<meta charset=utf-16>" + bytes(range(128, 256)) * 200 + b"<p>words in it"
    field = b"Content-Type: text/html; charset=shift_jis"
    await sender.send(b"HTTP/1.1 200 OK\r\n", field, b"\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % len(body))
    await sender.send(body)


ENTITIES: Final = (
    b'<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY a "aaaaaaaaaa">'
    + b"".join(b'<!ENTITY %c "%s">' % (name, b"&%c;" % (name - 1) * 10) for name in range(ord("b"), ord("k")))
    + b"<!ENTITY file SYSTEM 'file:///etc/passwd'>]><urlset><url><loc>http://x.test/&j;&file;</loc></url></urlset>"
)
"""A sitemap that would expand to ten thousand million letters and read a local file."""


async def entities(asked: ClientRequest, sender: Sender) -> None:
    """Serve a site whose sitemap and feed are entity bombs."""
    if asked.target in ("/", "/robots.txt"):
        body = b"<link rel=alternate type=application/rss+xml href=/feed.xml><a href=/map.xml>map</a>"
        await page(sender, b"Sitemap: http://entities.test/map.xml" if asked.target != "/" else body)
        return
    mime = b"application/xml" if asked.target == "/map.xml" else b"application/rss+xml"
    await sender.send(b"HTTP/1.1 200 OK\r\nContent-Type: " + mime, b"\r\nContent-Length: %d\r\n" % len(ENTITIES))
    await sender.send(b"Connection: close\r\n\r\n", ENTITIES)


async def huge_robots(asked: ClientRequest, sender: Sender) -> None:
    """Send an endless robots.txt."""
    if asked.target != "/robots.txt":
        await page(sender, b"<p>Behind a long robots file.")
        return
    await sender.send(head())
    while True:
        await sender.send(b"Disallow: /nothing/at/all\n" * 2500)
        await asyncio.sleep(_PAUSE)


BODIES: Final[dict[str, Behaviour]] = {
    **{f"bomb-{'-'.join(codings)}": bomb(*codings) for codings in _BOMBS},
    "endless": endless,
    "endless-chunks": endless_chunks,
    "slow-body": slow,
    "broken-off": broken_off,
    "nested": says(head(), b"<div>" * 100_000),
    "links": many_links(700_000),
    "million-links": many_links(1_000_000),
    "lying-charset": lying_charset,
    "nul-bytes": says(head(), b"<p>a\0b<a href='/\0x'>\0</a>" * 1000),
    "entities": entities,
    "huge-robots": huge_robots,
}
"""Behaviours by the first label of their hosts' names."""
