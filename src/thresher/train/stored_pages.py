"""Training pages that the portal has fetched: found through redirects and duplicates, or why there are none."""

from typing import Final

from thresher.crawl.neighbourhood import TRAIN
from thresher.reasons import Reason
from thresher.store.protocol import Store
from thresher.store.records import DocumentRow, DuplicateKind
from thresher.text.words import words
from thresher.types import Failed, Page
from thresher.web.urls import canonical, url_id

LONGEST: Final = 100
"""Redirects and duplicates that are followed."""


def find(store: Store, url: str) -> DocumentRow | Failed:
    """Return the page a URL stands for: itself, what it redirects to or the page it repeats; else why there is none."""
    address: str | None = canonical(url)
    seen: set[str] = set()
    while address is not None and address not in seen and len(seen) < LONGEST:
        seen.add(address)
        ident = url_id(address)
        document = store.documents.document(ident)
        if document is not None:
            return document
        following = _following(store, ident)
        if following is None:
            return _why(store, url, address)
        address = canonical(following)
    return Failed(url=url, reason=Reason.BAD_REDIRECT, at=0.0)


def page_of(document: DocumentRow) -> Page:
    """Return a stored page as classifiers learn from it; its links are left out."""
    return Page(
        url=document.url,
        title=document.title,
        words=document.text.split() or words(document.title),
        links=[],
        terms=document.terms,
        language=document.language,
        digest=document.digest,
        simhash=document.simhash,
        opt_outs=document.opt_outs,
    )


def _following(store: Store, ident: int) -> str | None:
    """Return where the last visit of a URL led, or the page whose text it repeats; None where it led nowhere."""
    visits = store.documents.visits(ident)
    if visits and visits[-1].outcome == "redirected":
        return visits[-1].to
    return next((row.original_url for row in store.duplicates.of(ident) if row.kind is DuplicateKind.DIGEST), None)


def _why(store: Store, url: str, address: str) -> Failed:
    """Return why there is no page, as the last crawl for training tells it; it is named where a redirect led to it."""
    ident = url_id(address)
    led = "" if address == canonical(url) else f"at {address}"
    crawl = store.crawls.get()
    row = store.urls.rows(crawl.id, [ident]).get(ident) if crawl is not None and crawl.kind == TRAIN else None
    visit = next(reversed(store.documents.visits(ident)), None)
    reason = (row.reason if row else None) or (visit.reason if visit else None) or Reason.UNREADABLE
    detail = visit.detail if visit is not None and visit.reason is reason else ""
    return Failed(url=url, reason=reason, at=visit.at if visit else 0.0, detail=" ".join(filter(None, [detail, led])))
