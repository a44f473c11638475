"""Unlabelled crawled pages: they show how common words are and where topics end."""

import heapq
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import chain, zip_longest
from typing import Final

from msgspec.structs import replace

from thresher.classify.sibling_space import SpaceParameters
from thresher.store.protocol import Store
from thresher.train.surroundings import seen_page
from thresher.types import Page
from thresher.web.urls import host_of, url_id

MOST: Final = 2000
"""Pages that are looked at; more of them only take time."""

_LOTS: Final = 8
"""Addresses drawn for each page, so that the pages of small sites are among them."""


def met_pages(
    store: Store, taken: Collection[str], parameters: SpaceParameters | None = None, most: int = MOST
) -> list[Page]:
    """Return stored pages, at most so many and evenly of all sites; `taken` are the addresses of training pages.

    Pages without text, repeated ones and those that their sites reserve against text mining are passed over. The same
    pages are drawn each time, by the ids of their addresses. `parameters` are those of their classifier.
    """
    known = set(taken)

    def stored(url: str) -> Page | None:
        row = store.documents.document(url_id(url))
        return None if row is None else seen_page(store, row, parameters)

    return evenly_drawn((url for url in store.documents.urls() if url not in known), stored, most)


def evenly_drawn(urls: Iterable[str], page_at: Callable[[str], Page | None], most: int = MOST) -> list[Page]:
    """Return the pages at some of the addresses, drawn as `met_pages` does; `page_at` gives the page of an address."""
    found: dict[bytes | str, Page] = {}
    for url in _evenly(heapq.nsmallest(_LOTS * most, urls, key=_lot)):
        page = page_at(url)
        if page is not None and page.terms and not page.opt_outs:
            found.setdefault(page.digest or page.url, replace(page, links=[], words=[]))
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
