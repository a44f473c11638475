"""Unlabelled crawled pages: they show how common words are and where topics end."""

import heapq
from collections.abc import Collection, Iterable, Iterator
from itertools import chain, zip_longest
from typing import Final

from msgspec.structs import replace

from thresher.store.page_records import DocumentRow
from thresher.store.protocol import Store
from thresher.store.stored_page import page_of
from thresher.types import Page
from thresher.web.urls import host_of, url_id

MOST: Final = 2000
"""Pages that are looked at; more of them only take time."""

_LOTS: Final = 8
"""Addresses drawn for each page, so that the pages of small sites are among them."""


def met_pages(store: Store, taken: Collection[str], most: int = MOST) -> list[Page]:
    """Return stored pages, at most so many and evenly of all sites; `taken` are the addresses of training pages.

    Pages without text, repeated ones and those that their sites reserve against text mining are passed over. The same
    pages are drawn each time, by the ids of their addresses.
    """
    known = set(taken)
    drawn = heapq.nsmallest(_LOTS * most, (url for url in store.documents.urls() if url not in known), key=_lot)
    found: dict[bytes | str, Page] = {}
    for url in _evenly(drawn):
        row = store.documents.document(url_id(url))
        if row is not None and _serves(row):
            found.setdefault(row.digest or row.url, replace(page_of(row), links=[], words=[]))
        if len(found) >= most:
            break
    return list(found.values())


def _lot(url: str) -> int:
    """Return a number that has nothing to do with the order of addresses."""
    return url_id(url) * 0x9E3779B97F4A7C15 % (1 << 64)


def _evenly(urls: Iterable[str]) -> Iterator[str]:
    """Yield the first URL of every site, then the second of every site, and so on."""
    sites: dict[str, list[str]] = {}
    for url in urls:
        sites.setdefault(host_of(url), []).append(url)
    return (url for url in chain.from_iterable(zip_longest(*sites.values())) if url is not None)


def _serves(row: DocumentRow) -> bool:
    return bool(row.terms) and not row.opt_outs
