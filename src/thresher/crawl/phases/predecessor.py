"""The crawl that a crawl goes on from.

A harvest goes on where the learning crawl ended. Its pages count as fetched and are not asked for again; each is
analysed by the present classifier and strategy, as if it had just arrived.
"""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from thresher.store.protocol import Store
from thresher.store.stored_page import page_of
from thresher.store.url_records import ANSWERED, UrlRow
from thresher.types import Page
from thresher.web.urls import url_id

INHERITED = "inherited"
"""The event that tells that all was taken over; a crawl killed before it takes over again."""


class Predecessor(Struct, frozen=True):
    """A crawl whose pages are taken over.

    `hubs` are ids of its best hubs, of whose links the best `links` come first. What its pages handed down means
    something only to the `same_kind` of strategy.
    """

    crawl: int
    hubs: tuple[int, ...] = ()
    links: int = 0
    same_kind: bool = False

    def urls(self, store: Store) -> Iterator[UrlRow]:
        """Give the URLs that the crawl is done with, in the order of its log, each once."""
        seen: set[str] = set()
        for entry in store.log.entries(0, self.crawl):
            if entry.url is None or entry.kind not in ("fetched", "redirected") or entry.url in seen:
                continue
            seen.add(entry.url)
            ident = url_id(entry.url)
            row = store.urls.rows(self.crawl, [ident]).get(ident)
            if row is not None and row.state in ANSWERED:
                yield row if self.same_kind else replace(row, candidate=replace(row.candidate, memo=""))

    def pages(self, store: Store) -> Iterator[tuple[UrlRow, Page]]:
        """Give its stored pages as they were read, in the same order."""
        for row in self.urls(store):
            document = store.documents.document(row.id)
            if document is not None:
                yield row, page_of(document)
