"""Where a crawl for a query starts: stored pages, and links that earlier crawls left in their queues.

No stored page is fetched again. Pages that match part of the query are read, and their links scored, as if they had
just arrived. Links waiting in earlier crawls are scored by their own words.
"""

import heapq
from collections.abc import Iterator
from typing import ClassVar, Final, TypeAlias

from msgspec import Struct

from thresher.crawl.phases.predecessor import Predecessor
from thresher.store.protocol import Store
from thresher.store.stored_page import page_of
from thresher.store.url_records import UrlRow, UrlState
from thresher.types import Candidate, ParsedPage
from thresher.web.urls import host_of, url_id

LINKS: Final = 20_000
"""Maximum number of waiting links taken over from an earlier crawl, best scores first."""

_TOGETHER: Final = 500


class QueryStart(Struct, frozen=True):
    """The stored pages in `read` and the `crawls` with waiting links; the links of both are scored."""

    judges: ClassVar[bool] = False
    """The pages keep their judgements: the crawl has no topic."""

    read: tuple[str, ...] = ()
    crawls: tuple[int, ...] = ()
    crawl: int = 0
    hubs: tuple[int, ...] = ()
    links: int = 0

    def urls(self, store: Store) -> Iterator[UrlRow]:
        """Yield every stored page as one that need not be fetched."""
        return (_done(url) for url in store.documents.urls())

    def pages(self, store: Store) -> Iterator[tuple[UrlRow, ParsedPage]]:
        """Yield the pages to read."""
        for url in self.read:
            document = store.documents.document(url_id(url))
            if document is not None:
                yield _done(url), page_of(document)

    def waiting(self, store: Store) -> Iterator[Candidate]:
        """Yield the links waiting in the earlier crawls, the best of each crawl first."""
        for crawl in self.crawls:
            best = heapq.nlargest(LINKS, store.urls.waiting(crawl), key=lambda row: row.priority)
            for first in range(0, len(best), _TOGETHER):
                rows = store.urls.rows(crawl, [row.id for row in best[first : first + _TOGETHER]])
                yield from (row.candidate for row in rows.values())


TakenOver: TypeAlias = Predecessor | QueryStart
"""What a crawl takes over from earlier ones."""


def _done(url: str) -> UrlRow:
    candidate = Candidate(url=url, priority=())
    return UrlRow(id=url_id(url), host=host_of(url), candidate=candidate, order=0, state=UrlState.DONE)
