"""A cache of parsed pages on disk, so later runs only pay for their strategy.

A cache lies in the user's cache folder under the digest of its data and of the code that reads pages: `pages.bin` holds
one MessagePack blob per page, `index.msgpack` the position and links of each. `bench/page_building.py` builds it.
"""

import mmap
from collections import OrderedDict
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Final

import msgspec

from thresher.bench.code_digest import code_digest
from thresher.bench.data import cache_folder
from thresher.bench.link_graph import SparseGraph
from thresher.bench.webs.web import Collection
from thresher.types import Link, ParsedPage

READING: Final = ("documents", "text", "web/urls.py", "types.py", "bench/page_cache.py", "bench/page_building.py")
"""The code on which a parsed page depends."""

PAGES: Final = "pages.bin"
INDEX: Final = "index.msgpack"


class KeptLink(msgspec.Struct, frozen=True, array_like=True):
    """A link as stored."""

    url: str
    anchor: str
    position: int
    length: int
    spans: tuple[tuple[int, int], ...]
    rel: tuple[str, ...]
    tag: str
    presentational: int
    path: str


class KeptPage(msgspec.Struct, frozen=True, array_like=True):
    """A page as stored; its words, which contain no spaces, are joined by spaces."""

    title: str
    words: str
    links: list[KeptLink]
    terms: dict[str, int]
    language: str
    digest: bytes
    simhash: int
    encoding: str
    robots: tuple[str, ...]
    opt_outs: tuple[str, ...]


class Index(msgspec.Struct, frozen=True):
    """The end of each URL's blob in the file, and the pages it links to; the blob is empty if it is not a page."""

    urls: list[str]
    ends: list[int]
    links: list[list[int]]


class PageCache:
    """The parsed pages of a collection; at most `kept` of them stay decoded, up to some 300 kB each.

    `urls` lists all addresses, and the number of a page is its position in the list. Files that cannot be read, or have
    neither words nor a title, are not pages.
    """

    def __init__(self, folder: Path, kept: int = 1024) -> None:
        index = msgspec.msgpack.decode((folder / INDEX).read_bytes(), type=Index)
        self.urls = index.urls
        self._ends = index.ends
        self._links = index.links
        self._numbers = {url: number for number, url in enumerate(index.urls)}
        self._kept = kept
        self._decoded: OrderedDict[str, ParsedPage] = OrderedDict()
        with (folder / PAGES).open("rb") as file:
            self._file = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    @cached_property
    def graph(self) -> SparseGraph:
        """The links between the pages."""
        return SparseGraph.of(self._links)

    def number(self, url: str) -> int | None:
        """Return the number of a page, or None if the collection does not have it."""
        return self._numbers.get(url)

    def __contains__(self, url: str) -> bool:
        number = self._numbers.get(url)
        return number is not None and self._ends[number] > self._begin(number)

    def page(self, url: str) -> ParsedPage | None:
        """Return a parsed page, or None."""
        page = self._decoded.get(url)
        if page is not None:
            self._decoded.move_to_end(url)
            return page
        number = self._numbers.get(url)
        blob = b"" if number is None else self._blob(number)
        if not blob:
            return None
        page = self._decoded[url] = unpacked(url, blob)
        if len(self._decoded) > self._kept:
            self._decoded.popitem(last=False)
        return page

    def _blob(self, number: int) -> bytes:
        return self._file[self._begin(number) : self._ends[number]]

    def _begin(self, number: int) -> int:
        return self._ends[number - 1] if number else 0


def place_of(collection: Collection) -> Path:
    """Return the folder for the parsed pages of a collection."""
    digest = blake2b(f"{collection.digest} {code_digest(READING)}".encode(), digest_size=12).hexdigest()
    return cache_folder() / "pages" / f"{collection.name}-{digest}"


def open_pages(collection: Collection) -> PageCache | None:
    """Return the parsed pages of a collection, or None if they have not been built."""
    place = place_of(collection)
    return PageCache(place) if place.is_dir() else None


_decoder = msgspec.msgpack.Decoder(KeptPage)


def unpacked(url: str, blob: bytes) -> ParsedPage:
    """Return a page from its blob."""
    kept = _decoder.decode(blob)
    return ParsedPage(
        url=url,
        title=kept.title,
        words=kept.words.split(" ") if kept.words else [],
        text=kept.words,
        links=[
            Link(
                link.url,
                link.anchor,
                link.position,
                link.length,
                link.spans,
                link.rel,
                link.tag,
                link.presentational,
                link.path,
            )
            for link in kept.links
        ],
        terms=kept.terms,
        language=kept.language,
        digest=kept.digest,
        simhash=kept.simhash,
        encoding=kept.encoding,
        robots=kept.robots,
        opt_outs=kept.opt_outs,
    )
