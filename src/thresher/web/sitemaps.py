"""Sitemaps and feeds: lists of URLs that a site publishes itself.

Supported are sitemap files and indexes in XML or plain text, with or without gzip, and RSS and Atom feeds. They are
untrusted: the parser is expat without entities, an entity declaration ends the parsing, and everything is limited.
Anything found before an error is kept.
"""

import codecs
import re
from itertools import chain
from types import MappingProxyType
from typing import Final
from xml.parsers import expat

from msgspec import Struct

from thresher.web.codings import Decoder
from thresher.web.urls import MAX_URL, canonical

MAX_URLS: Final = 50_000
"""Maximum number of URLs to read from one file, as in the protocol."""

MAX_BYTES: Final = 50_000_000
"""Maximum size of a file in bytes, decompressed."""

MAX_LEVELS: Final = 32
MAX_ELEMENTS: Final = 1_000_000
MAX_TOKEN: Final = 1 << 18
"""Maximum size in bytes of a tag or comment; expat rescans an unfinished one with every chunk."""

_PIECE: Final = 1 << 16

SITEMAP_TYPES: Final = MappingProxyType(
    dict.fromkeys(
        (
            "text/xml",
            "application/xml",
            "application/rss+xml",
            "application/atom+xml",
            "application/rdf+xml",
            "text/plain",
            "application/gzip",
            "application/x-gzip",
            "application/octet-stream",
        ),
        MAX_BYTES,
    )
)
"""The MIME types of sitemaps and feeds, each with its largest body in bytes."""

FEED_TYPES: Final = frozenset(["application/rss+xml", "application/atom+xml", "application/rdf+xml"])
"""The MIME types of a page's links to its feeds."""

LIST: Final = "application/x-address-list"
"""The type under which a list is read, whatever type it was sent with."""

FEED: Final = "feed"
MAP: Final = "sitemap"
"""Tags of links that lead to lists: a feed linked by a page, and a sitemap named in a robots.txt or another sitemap."""

_MAX_MODIFIED: Final = 64
_LINE_ENDS: Final = re.compile(r"[\r\n]+")
# Elements whose text is a URL or a date: (name of the parent, name of the element).
_ADDRESSES: Final = frozenset([("url", "loc"), ("sitemap", "loc"), ("item", "link")])
_DATES: Final = frozenset(
    [
        ("url", "lastmod"),
        ("sitemap", "lastmod"),
        ("item", "pubdate"),
        ("item", "date"),
        ("entry", "updated"),
        ("entry", "published"),
    ]
)
_ENTRIES: Final = frozenset(["url", "sitemap", "item", "entry"])


class Listed(Struct, frozen=True):
    """A URL in a list: canonical, with the date of its last change as written, empty if there is none."""

    url: str
    modified: str = ""


class Sitemap(Struct, frozen=True, kw_only=True):
    """The contents of a file: pages and further sitemaps; `whole` is False if the file was broken or cut."""

    pages: list[Listed] = []
    maps: list[Listed] = []
    whole: bool = True


def read_sitemap(body: bytes, url: str, max_urls: int = MAX_URLS, max_bytes: int = MAX_BYTES) -> Sitemap:
    """Read a sitemap, a sitemap index or a feed; never raise.

    `url` is where it was found and the base of relative URLs; `body` may be compressed with gzip.

    >>> read_sitemap(b"<urlset><url><loc>http://a.test/x</loc></url></urlset>", "http://a.test/sitemap.xml").pages
    [Listed(url='http://a.test/x', modified='')]
    """
    unpacked = _unpacked(body, max_bytes)
    whole = len(unpacked) <= max_bytes if unpacked is not None else False
    text = (unpacked or b"")[:max_bytes].removeprefix(b"\xef\xbb\xbf").lstrip()
    plain = _as_plain(text)
    if plain is not None:
        return _plain(plain, max_urls, whole)
    reader = _Reader(url, max_urls)
    complete = reader.read(text)
    return Sitemap(pages=reader.pages, maps=reader.maps, whole=whole and complete)


def _unpacked(body: bytes, max_bytes: int) -> bytes | None:
    """Return the body without gzip, at most slightly more than the limit, or None if it cannot be decompressed."""
    if not body.startswith(b"\x1f\x8b"):
        return body
    decoder = Decoder("gzip", max_bytes)
    decoder.feed(body)
    found = decoder.cut()
    return found if isinstance(found, bytes) else None


def _as_plain(text: bytes) -> str | None:
    """Return the text of a file that is not XML, or None for XML."""
    if text.startswith((b"<", b"\x00<")):
        return None
    marked = text.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    written = text.decode("utf-16" if marked else "utf-8", "replace")
    return None if written.lstrip().startswith("<") else written


def _plain(text: str, max_urls: int, whole: bool) -> Sitemap:
    """Read one URL per line, or several with space between them; an invalid line makes the list incomplete."""
    pages: dict[str, Listed] = {}
    lines = _LINE_ENDS.split(text, max_urls)
    rest = lines.pop() if len(lines) > max_urls else ""
    for written in chain.from_iterable(map(_parted, lines)):
        url = canonical(written) if len(written) <= MAX_URL else None
        if url is None:
            whole = False
        elif len(pages) == max_urls and url not in pages:
            rest = url
            break
        else:
            pages[url] = Listed(url)
    return Sitemap(pages=list(pages.values()), whole=whole and bool(pages) and not rest.strip())


class _Stop(Exception):
    """Ends the parsing."""


class _Reader:
    """Parses XML in one pass; `pages` and `maps` are what it has found so far."""

    def __init__(self, base: str, max_urls: int) -> None:
        self._base = base
        self._left = max_urls
        self._elements = 0
        self._path: list[str] = []
        self._text: list[str] | None = None
        self._length = 0
        self._addresses: list[str] = []
        self._modified = ""
        self._cut = False
        self._seen: set[tuple[bool, str]] = set()
        self.pages: list[Listed] = []
        self.maps: list[Listed] = []

    def read(self, text: bytes) -> bool:
        """Parse a file; return whether it was read to the end, with every URL in it."""
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EntityDeclHandler = self._entity
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        try:
            for start in range(0, len(text), _PIECE):
                parser.Parse(text[start : start + _PIECE], False)
                if start + _PIECE - parser.CurrentByteIndex > MAX_TOKEN:
                    return False
            parser.Parse(b"", True)
        except (expat.ExpatError, _Stop, ValueError, LookupError):
            return False
        return not self._cut

    def _doctype(self, name: str, system: str | None, public: str | None, internal: bool) -> None:
        if internal:
            raise _Stop

    def _entity(self, *_: object) -> None:
        raise _Stop

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._elements += 1
        if self._elements > MAX_ELEMENTS or len(self._path) >= MAX_LEVELS:
            raise _Stop
        local = name.rpartition(":")[2].lower()
        place = (self._path[-1] if self._path else "", local)
        self._path.append(local)
        if local in _ENTRIES:
            self._addresses, self._modified = [], ""
        if place in _ADDRESSES or place in _DATES:
            self._text, self._length = [], 0
        elif place == ("entry", "link") and attributes.get("rel", "alternate") == "alternate":
            # Further links are the same entry in other formats and languages.
            self._addresses = self._addresses or [attributes.get("href", "")]

    def _characters(self, data: str) -> None:
        if self._text is not None and self._length <= MAX_URL:
            self._text.append(data)
            self._length += len(data)

    def _end(self, name: str) -> None:
        local = self._path.pop()
        place = (self._path[-1] if self._path else "", local)
        if self._text is not None:
            text, self._text = "".join(self._text).strip(), None
            if place in _ADDRESSES:
                self._addresses += _parted(text)
            elif not self._modified:
                self._modified = text[:_MAX_MODIFIED]
        if local in _ENTRIES:
            addresses, self._addresses = self._addresses, []
            for address in addresses:
                self._list(address, local == "sitemap")

    def _list(self, address: str, is_map: bool) -> None:
        """Record a URL of an entry that ends."""
        if len(address) > MAX_URL:
            self._cut = True
            return
        url = canonical(address, self._base) if address else None
        if url is None or (is_map, url) in self._seen:
            return
        if not self._left:
            raise _Stop
        self._left -= 1
        self._seen.add((is_map, url))
        (self.maps if is_map else self.pages).append(Listed(url, self._modified))


def _parted(text: str) -> list[str]:
    """Return the URLs in the text of one element: usually one, which may be broken into lines.

    >>> _parted("http://a.test/1"), _parted("http://a.test/1\\n  http://a.test/2"), _parted("http://a.test/\\n1")
    (['http://a.test/1'], ['http://a.test/1', 'http://a.test/2'], ['http://a.test/\\n1'])
    """
    parts = text.split()
    return parts if all(part.startswith(("http://", "https://")) for part in parts) else [text.strip()]
