"""Converts an archived answer back into what a fetcher would have returned."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from thresher.reasons import Reason
from thresher.store.archive.archived import MAX_BODY, Archived
from thresher.store.archive.http_message import FRAMING, KEPT_FRAMING
from thresher.types import Answer, Failed, Fetched, Redirected
from thresher.web.sniff import SIGNATURES, SNIFFED, essence, last_type, sniff
from thresher.web.status import REDIRECTS, reason_of, retry_after
from thresher.web.urls import parse


def answer_from(
    archived: Archived,
    *,
    at: float | None = None,
    max_body: int = MAX_BODY,
    types: Mapping[str, int] | None = None,
    signatures: Sequence[tuple[bytes, str]] = SIGNATURES,
) -> Answer:
    """Return `Fetched` for a 200, `Redirected` for a redirect, `Failed` for everything else.

    `at` is the wall time of the answer; None means the time of the archived exchange. `max_body` limits the body in
    bytes. `types` maps accepted MIME types to their own limits; None accepts all types. `signatures` identify types by
    their first bytes. A robots.txt may have any type.
    """
    when = archived.at if at is None else at
    if archived.status in REDIRECTS:
        return _redirected(archived, when)
    reason = reason_of(archived.status)
    if reason is not None:
        wait = retry_after(archived.header("retry-after"), archived.at)
        return _failed(archived, reason, when, wait=wait)
    body = archived.body(max_body)
    if isinstance(body, Reason):
        return _failed(archived, body, when)
    mime = _mime(archived, body, signatures)
    if types is not None and not archived.robots:
        if mime not in types:
            return _failed(archived, Reason.TYPE_REFUSED, when, mime[:200])
        if len(body) > types[mime]:
            return _failed(archived, Reason.BODY_TOO_LARGE, when, f"{len(body)} bytes")
    return Fetched(
        url=archived.url,
        status=archived.status,
        headers=_headers(archived),
        body=body,
        raw=archived.received(),
        mime=mime,
        at=when,
        ip=archived.ip,
        http_version=archived.http_version,
    )


def _mime(archived: Archived, body: bytes, signatures: Sequence[tuple[bytes, str]]) -> str:
    """Return the MIME type of a document: the declared one, or the sniffed one if the declaration may be wrong."""
    declared = last_type([value for name, value in archived.headers if name.lower() == "content-type"])
    if archived.robots:
        return essence(declared) or "text/plain"
    nosniff = "nosniff" in (archived.header("x-content-type-options") or "").lower()
    return sniff(body[:SNIFFED], declared, nosniff, signatures)


def _redirected(archived: Archived, at: float) -> Redirected | Failed:
    location = archived.header("location") or ""
    with suppress(UnicodeDecodeError):
        location = location.encode("latin-1").decode()
    to = parse(location, archived.url) if location.strip() else None
    if to is None:
        return _failed(archived, Reason.BAD_REDIRECT, at, location[:200])
    return Redirected(
        url=archived.url,
        to=to,
        status=archived.status,
        at=at,
        ip=archived.ip,
        headers=_headers(archived),
        raw=archived.received(),
        http_version=archived.http_version,
    )


def _failed(archived: Archived, reason: Reason, at: float, detail: str = "", wait: float | None = None) -> Failed:
    return Failed(
        url=archived.url,
        reason=reason,
        at=at,
        detail=detail,
        status=archived.status,
        retry_after=wait,
        ip=archived.ip,
    )


def _headers(archived: Archived) -> list[tuple[str, str]]:
    """Return the header fields under their original names."""
    return [(FRAMING if name == KEPT_FRAMING else name, value) for name, value in archived.headers]
