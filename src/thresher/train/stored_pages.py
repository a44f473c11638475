"""Finds training pages in the portal, through redirects and duplicates, or the reason why they are missing."""

from collections.abc import Mapping
from typing import Final

from thresher.reasons import Reason
from thresher.store.page_records import DocumentRow, DuplicateKind, VisitRow
from thresher.store.protocol import Store
from thresher.store.records import CrawlKind
from thresher.types import Failed
from thresher.web.urls import canonical, origin_of, url_id

LONGEST: Final = 100
"""Maximum number of redirects and duplicates to follow."""

_HOST: Final = frozenset([Reason.HOST_BAD, Reason.ROBOTS_UNREACHABLE])


def find(store: Store, url: str, lessons: Mapping[int, DocumentRow] | None = None) -> list[DocumentRow] | Failed:
    """Return the page for a URL: itself, its redirect target or the page it repeats; otherwise why there is none.

    An archive is represented by all its stored documents. `lessons` are fetched but not stored pages, by id.
    """
    address: str | None = canonical(url)
    seen: set[str] = set()
    while address is not None and address not in seen and len(seen) < LONGEST:
        seen.add(address)
        ident = url_id(address)
        document = store.documents.document(ident) or (lessons or {}).get(ident)
        if document is not None:
            return [document]
        inside = [store.documents.document(member.id) for member in store.documents.members(address)]
        if inside:
            return [member for member in inside if member is not None]
        following = _following(store, ident)
        if following is None:
            return _why(store, url, address)
        address = canonical(following)
    return Failed(url=url, reason=Reason.BAD_REDIRECT, at=0.0)


def _following(store: Store, ident: int) -> str | None:
    """Return where the last visit of a URL led, or the page whose text it repeats; None if nowhere."""
    visits = store.documents.visits(ident)
    if visits and visits[-1].outcome == "redirected":
        return visits[-1].to
    return next((row.original_url for row in store.duplicates.of(ident) if row.kind is DuplicateKind.DIGEST), None)


def _why(store: Store, url: str, address: str) -> Failed:
    """Return why there is no page according to the last crawl for training, and where a redirect led.

    For a host that was given up, the failure of its robots.txt says more.
    """
    ident = url_id(address)
    led = "" if address == canonical(url) else f"at {address}"
    crawl = store.crawls.get()
    row = store.urls.rows(crawl.id, [ident]).get(ident) if crawl is not None and crawl.kind is CrawlKind.TRAIN else None
    reason = row.reason if row else None
    visit = _failure(store, address)
    if visit is None and reason in _HOST:
        visit = _failure(store, f"{origin_of(address)}/robots.txt")
    if visit is not None and visit.reason is not None and (reason is None or reason in _HOST):
        reason = visit.reason
    detail = visit.detail if visit is not None and visit.reason is reason else ""
    return Failed(
        url=url, reason=reason or Reason.UNREADABLE, at=0.0, detail=" ".join(part for part in (detail, led) if part)
    )


def _failure(store: Store, address: str) -> VisitRow | None:
    """Return the last visit of a URL if it has a reason."""
    visit = next(reversed(store.documents.visits(url_id(address))), None)
    return visit if visit is not None and visit.reason is not None else None
