"""Takes over the pages and queue of the crawl that this one continues.

A harvest continues where the learning crawl ended. Its pages count as fetched and are not requested again; each is
analysed by the current classifier and strategy as if it had just arrived, so the links of all stored pages are offered
again. URLs that failed for good, such as pages that do not exist, are not requested again either. Other waiting URLs,
found on pages that were not stored or behind redirects, are taken over unchanged.
"""

from collections.abc import Iterator
from itertools import islice
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from thresher.crawl.on_hand import CUT_SHORT, REUSED
from thresher.reasons import RETRIED
from thresher.store.event_kinds import EventKind
from thresher.store.page_records import DuplicateKind
from thresher.store.protocol import Store
from thresher.store.stored_page import page_of
from thresher.store.url_records import UrlRow, UrlState
from thresher.types import Candidate, ParsedPage
from thresher.web.urls import url_id

INHERITED = EventKind.INHERITED
"""The event that marks a complete takeover; a crawl killed before it starts the takeover again."""

READ = ("fetched", "unchanged", REUSED)
"""The log entries for a page that was read, from the web or from the repository."""

ANSWERED = (*READ, "failed")
"""The log entries for a URL that was requested."""

_BLOCK = 512


class Predecessor(Struct, frozen=True):
    """A crawl whose pages are taken over.

    `hubs` are ids of its best hubs, whose best `links` links come first. Memos are only kept if the strategy is of the
    `same_kind`. Pages fetched before the wall time `since` are too old and will be requested again.
    """

    judges: ClassVar[bool] = True
    """The current classifier judges the pages again."""

    crawl: int
    hubs: tuple[int, ...] = ()
    links: int = 0
    same_kind: bool = False
    since: float = 0.0

    def urls(self, store: Store) -> Iterator[UrlRow]:
        """Yield the URLs that need no request, in log order: the portal has their page, or there is none.

        Redirects are excluded: if one is found again, its stored target is used.
        """
        seen: set[str] = set()
        for entry in store.log.entries(0, self.crawl):
            known = entry.url is None or entry.kind not in ANSWERED or entry.url in seen
            if known or entry.url is None or entry.at < self.since:
                continue
            seen.add(entry.url)
            ident = url_id(entry.url)
            row = store.urls.rows(self.crawl, [ident]).get(ident)
            if row is not None and (_failed_for_good(row) or (row.state is UrlState.DONE and _is_kept(store, row))):
                yield row if self.same_kind else replace(row, candidate=replace(row.candidate, memo=""))

    def pages(self, store: Store) -> Iterator[tuple[UrlRow, ParsedPage]]:
        """Yield its stored pages as they were read, in the same order."""
        for row in self.urls(store):
            document = store.documents.document(row.id) if row.state is UrlState.DONE else None
            if document is not None:
                yield row, page_of(document)

    def waiting(self, store: Store) -> Iterator[Candidate]:
        """Yield waiting URLs that were found neither on a stored page nor among the start pages."""
        stored: dict[str, bool] = {}
        ids = iter([waiting.id for waiting in store.urls.waiting(self.crawl)])
        while block := list(islice(ids, _BLOCK)):
            for row in store.urls.rows(self.crawl, block).values():
                parent = row.candidate.parent
                if parent is None or row.state is not UrlState.WAITING:
                    continue
                if parent not in stored:
                    stored[parent] = store.documents.document(url_id(parent)) is not None
                if not stored[parent]:
                    yield row.candidate


def _failed_for_good(row: UrlRow) -> bool:
    """Return whether requesting a URL again would have the same result."""
    return row.state in (UrlState.FAILED, UrlState.REFUSED) and row.reason is not None and row.reason not in RETRIED


def _is_kept(store: Store, row: UrlRow) -> bool:
    """Return whether the portal has a page, all documents of an archive, or the page whose text the URL repeats."""
    if store.documents.document(row.id) is not None:
        return True
    if store.documents.members(row.candidate.url):
        return store.documents.visits(row.id)[-1].detail != CUT_SHORT
    return any(duplicate.kind is DuplicateKind.DIGEST for duplicate in store.duplicates.of(row.id))
