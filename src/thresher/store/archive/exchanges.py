"""HTTP exchanges as archived: the bytes of the request and the response."""

from msgspec import Struct

from thresher.store.archive.archived import Archived
from thresher.store.archive.http_message import answer_head, request_head
from thresher.types import Fetched, Kept, Unchanged


class StoredExchange(Struct, frozen=True, kw_only=True):
    """One exchange: `head` and `payload` of the answer; `request` is empty if it is not known.

    `at` is wall time in seconds. `coded` says that the payload is already compressed. `truncated` is `length` if less
    of the body was kept than the server announced, or another reason from the WARC standard. `since` is the wall time
    of the copy that a 304 confirms, 0 if unknown.
    """

    url: str
    at: float
    status: int
    head: bytes
    payload: bytes
    mime: str = ""
    ip: str = ""
    request: bytes = b""
    coded: bool = False
    truncated: str = ""
    since: float = 0.0


def exchange_of(answer: Kept) -> StoredExchange:
    """Return the exchange to archive for an answer of a fetcher."""
    if isinstance(answer, Unchanged):
        return StoredExchange(
            url=answer.url,
            at=answer.at,
            status=answer.status,
            head=answer_head(answer.http_version, answer.status, answer.headers),
            payload=b"",
            ip=answer.ip,
            request=request_head(answer.url, answer.http_version, answer.request) if answer.request else b"",
            since=answer.copy.at,
        )
    fields = {name.lower(): value.strip() for name, value in answer.headers}
    announced = fields.get("content-length", "")
    short = announced.isascii() and announced.isdigit() and int(announced[:18]) > len(answer.raw)
    mime = (
        answer.mime if isinstance(answer, Fetched) else fields.get("content-type", "").partition(";")[0].strip().lower()
    )
    return StoredExchange(
        url=answer.url,
        at=answer.at,
        status=answer.status,
        head=answer_head(answer.http_version, answer.status, answer.headers),
        payload=answer.raw,
        mime=mime,
        ip=answer.ip,
        request=request_head(answer.url, answer.http_version, answer.request) if answer.request else b"",
        coded=fields.get("content-encoding", "identity").lower() != "identity",
        truncated="length" if short else "",
    )


def exchange_from(archived: Archived, payload: bytes, request: bytes = b"") -> StoredExchange:
    """Return the exchange to archive for an answer from another archive, byte for byte."""
    head = archived.head or answer_head("1.1", archived.status, archived.headers)
    return StoredExchange(
        url=archived.url,
        at=archived.at,
        status=archived.status,
        head=head,
        payload=payload,
        mime=archived.mime,
        ip=archived.ip,
        request=request,
        coded=(archived.header("content-encoding") or "identity").lower() != "identity",
        truncated=archived.truncated,
    )
