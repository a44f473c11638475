"""Reads pages from the portal instead of fetching them, or makes the request conditional.

Recently fetched pages are read from the repository as if they had just arrived. For older pages, the stored copy is
used for a conditional request. Pages that were not stored must be requested again, because their links are needed.
"""

from typing import Final

from msgspec.structs import replace

from thresher.protocols import Clock
from thresher.reasons import Reason
from thresher.store.event_kinds import EventKind
from thresher.store.page_records import DocumentRow, DuplicateKind, VisitRow
from thresher.store.presence import is_good
from thresher.store.protocol import Store
from thresher.store.stored_page import page_of
from thresher.types import Copy, ParsedPage, Redirected
from thresher.web.urls import host_of, url_id

REUSED: Final = EventKind.REUSED
"""The event for a page that was read from the repository instead of being requested."""


CUT_SHORT: Final = "the budget was spent before all of it was kept"
"""The detail of a visit to an archive in which a later crawl would find more."""


class PagesOnHand:
    """Looks up URLs in the repository; pages visited less than `fresh` seconds ago are fresh."""

    def __init__(self, store: Store, clock: Clock, fresh: float) -> None:
        self._store = store
        self._clock = clock
        self._fresh = fresh

    def find(self, url: str) -> ParsedPage | list[ParsedPage] | Redirected | Copy | None:
        """Return what replaces the fetch of a URL: a fresh page, or the target of a recent redirect.

        A list contains the documents of an archive. A `Copy` means that the page must be requested conditionally; None
        that nothing is known. A URL with exactly the text of a stored page of its host counts as that page.
        """
        visits = [visit for visit in self._store.documents.visits(url_id(url)) if visit.url == url]
        if not visits:
            return None
        last = visits[-1]
        is_fresh = self._clock.wall() - last.at < self._fresh
        if last.outcome == "redirected" and last.to is not None:
            return Redirected(url=url, to=last.to, status=last.status or 0, at=last.at) if is_fresh else None
        if last.reason is Reason.DUPLICATE:
            return self._original(url) if is_fresh else None
        document = self._document(url)
        if document is None:
            return self._members(url) if is_fresh and last.detail != CUT_SHORT else None
        return page_of(document) if is_fresh and is_good(last.outcome, last.reason) else _copy(document, visits)

    def page(self, url: str) -> ParsedPage | None:
        """Return the stored page of a URL, however old, or None if there is none that can be read again."""
        document = self._document(url)
        return page_of(document) if document is not None else None

    def _members(self, archive: str) -> list[ParsedPage] | None:
        """Return the stored documents of an archive, or None if it has none or is not an archive."""
        found = [self._store.documents.document(member.id) for member in self._store.documents.members(archive)]
        return [page_of(document) for document in found if document is not None] or None

    def _original(self, url: str) -> ParsedPage | None:
        """Return the page whose text a URL repeats, under the URL's own name; None if it is on another host.

        Sites with the same splash page or language chooser have different links behind it.
        """
        repeated = [
            row
            for row in self._store.duplicates.of(url_id(url))
            if row.kind is DuplicateKind.DIGEST and host_of(row.original_url) == host_of(url)
        ]
        page = self.page(repeated[0].original_url) if repeated else None
        return replace(page, url=url) if page is not None else None

    def _document(self, url: str) -> DocumentRow | None:
        document = self._store.documents.document(url_id(url))
        if document is None or document.url != url or document.gone is not None or document.archive is not None:
            return None
        # If only links were read, there are no words to judge the page by.
        return document if document.terms else None


def _copy(document: DocumentRow, visits: list[VisitRow]) -> Copy:
    """Return the copy of a stored page, with the validators its server sent when the page was last confirmed."""
    good = next((visit for visit in reversed(visits) if is_good(visit.outcome, visit.reason)), None)
    etag, last_modified = (good.etag, good.last_modified) if good else ("", "")
    return Copy(etag=etag, last_modified=last_modified, digest=document.digest, at=document.at)
