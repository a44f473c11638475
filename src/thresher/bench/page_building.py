"""Builds the page cache of a collection: parses every page once, on all cores.

The cache is built in a temporary folder and renamed when it is complete.
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from thresher.bench.page_cache import INDEX, PAGES, Index, KeptLink, KeptPage, PageCache, place_of
from thresher.bench.profile import bench_settings
from thresher.bench.webs.web import Collection
from thresher.bench.worker_life import end_with_parent
from thresher.build import make_reader
from thresher.documents.analyse import Reader
from thresher.types import Failed

BLOCK: Final = 64
"""Pages that a process reads at a time."""

Opener: TypeAlias = Callable[[], Collection]


class _Read(msgspec.Struct, frozen=True, array_like=True):
    """A page from the process that read it; `links` are the pages of the collection that it links to."""

    blob: bytes
    links: list[str]


def build_pages(
    collection: Collection,
    opener: Opener | None = None,
    *,
    processes: int = 0,
    on_progress: Callable[[int, int], None] | None = None,
) -> PageCache:
    """Read every page of a collection and return the cache; if another process was faster, use its result.

    `opener` opens the same collection in another process, cheaply from the second call on; the pages are then read by
    `processes` of them, by default one per core. Without it, they are read in this process. `on_progress` is called
    with the number of pages done and the total.
    """
    place = place_of(collection)
    if not place.is_dir():
        place.parent.mkdir(parents=True, exist_ok=True)
        working = Path(tempfile.mkdtemp(prefix=f"{place.name}.", dir=place.parent))
        try:
            _write(working, collection, _read_all(collection, opener, processes), on_progress)
            try:
                working.rename(place)
            except OSError:
                if not place.is_dir():
                    raise
        finally:
            shutil.rmtree(working, ignore_errors=True)
    return PageCache(place)


def _write(
    folder: Path, collection: Collection, pages: Iterator[_Read], on_progress: Callable[[int, int], None] | None
) -> None:
    urls = list(collection.urls())
    numbers = {url: number for number, url in enumerate(urls)}
    ends: list[int] = []
    links: list[list[int]] = []
    with (folder / PAGES).open("wb") as file:
        for own, page in enumerate(pages):
            file.write(page.blob)
            ends.append(file.tell())
            links.append([number for url in page.links if (number := numbers[url]) != own])
            if on_progress is not None and len(ends) % BLOCK == 0:
                on_progress(len(ends), len(urls))
        if not file.tell():
            # An empty file cannot be mapped.
            file.write(b"\0")
    (folder / INDEX).write_bytes(msgspec.msgpack.encode(Index(urls, ends, links)))


def _read_all(collection: Collection, opener: Opener | None, processes: int) -> Iterator[_Read]:
    urls = collection.urls()
    blocks = [urls[start : start + BLOCK] for start in range(0, len(urls), BLOCK)]
    processes = min(processes or os.cpu_count() or 1, len(blocks))
    decoder = msgspec.msgpack.Decoder(list[_Read])
    if opener is None or processes < 2:
        for block in blocks:
            yield from decoder.decode(_read_block(collection, block))
        return
    with ProcessPoolExecutor(processes, get_context("spawn"), end_with_parent) as pool:
        for packed in pool.map(_open_and_read, repeat(opener), blocks):
            yield from decoder.decode(packed)


def _open_and_read(opener: Opener, urls: Sequence[str]) -> bytes:
    return _read_block(opener(), urls)


def _read_block(collection: Collection, urls: Sequence[str]) -> bytes:
    reader = make_reader(bench_settings())
    return msgspec.msgpack.encode([_read(collection, reader, url) for url in urls])


def _read(collection: Collection, reader: Reader, url: str) -> _Read:
    page = reader.read(collection.answer(url))
    if isinstance(page, Failed) or not (page.words or page.title):
        return _Read(b"", [])
    links = []
    held: dict[str, None] = {}
    for link in page.links:
        leads = collection.held(link.url)
        if leads is not None:
            held[leads] = None
        links.append(
            KeptLink(
                leads or link.url,
                link.anchor,
                link.position,
                link.length,
                link.spans,
                link.rel,
                link.tag,
                link.presentational,
                link.path,
            )
        )
    kept = KeptPage(
        page.title,
        " ".join(page.words),
        links,
        page.terms,
        page.language,
        page.digest,
        page.simhash,
        page.encoding,
        page.robots,
        page.opt_outs,
    )
    return _Read(msgspec.msgpack.encode(kept), list(held))
