"""Unlabelled crawled pages: they show how common words are and where topics end."""

import heapq
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import chain, zip_longest
from typing import Final

from msgspec.structs import replace

from thresher.classify.sibling_space import SpaceParameters
from thresher.store.protocol import Store
from thresher.train.surroundings import seen_page
from thresher.types import ParsedPage
from thresher.web.urls import host_of, url_id

MOST: Final = 2000
"""Maximum number of pages to use; more only take time."""

_LOTS: Final = 8
"""URLs drawn for each page, so that the pages of small sites are included."""


def met_pages(
    store: Store, taken: Collection[str], parameters: SpaceParameters | None = None, most: int = MOST
) -> list[ParsedPage]:
    """Return stored pages, at most `most` and evenly from all sites; `taken` are the URLs of training pages.

    Pages without text, repeated pages and those whose sites opted out of text mining are skipped. The same pages are
    drawn each time, by the ids of their URLs. `parameters` are those of the classifier.
    """
    known = set(taken)

    def stored(url: str) -> ParsedPage | None:
        row = store.documents.document(url_id(url))
        return None if row is None else seen_page(store, row, parameters)

    return evenly_drawn((url for url in store.documents.urls() if url not in known), stored, most)


def evenly_drawn(
    urls: Iterable[str], page_at: Callable[[str], ParsedPage | None], most: int = MOST
) -> list[ParsedPage]:
    """Return the pages of some URLs, drawn as in `met_pages`; `page_at` returns the page of a URL."""
    found: dict[bytes | str, ParsedPage] = {}
    for url in _evenly(heapq.nsmallest(_LOTS * most, urls, key=_lot)):
        page = page_at(url)
        if page is not None and page.terms and not page.opt_outs:
            found.setdefault(page.digest or page.url, replace(page, links=[], words=[]))
        if len(found) >= most:
            break
    return list(found.values())


def _lot(url: str) -> int:
    """Return a pseudo-random number for a URL."""
    return url_id(url) * 0x9E3779B97F4A7C15 % (1 << 64)


def _evenly(urls: Iterable[str]) -> Iterator[str]:
    """Yield the first URL of every site, then the second of every site, and so on."""
    sites: dict[str, list[str]] = {}
    for url in urls:
        sites.setdefault(host_of(url), []).append(url)
    return (url for url in chain.from_iterable(zip_longest(*sites.values())) if url is not None)
