"""Reads the answers in WARC and ARC files of any origin, one by one."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from thresher.errors import InputError
from thresher.reasons import Reason
from thresher.store.archive.archive_files import RecordPosition
from thresher.store.archive.dates import read_date
from thresher.store.archive.http_message import FRAMING, Head, read_head, unchunk
from thresher.store.archive.problems import Problem, Problems
from thresher.store.archive.raw_records import MAX_RECORD, RawRecord, raw_records
from thresher.web.codings import Decoder
from thresher.web.robots import MAX_ROBOTS
from thresher.web.status import NOT_MODIFIED
from thresher.web.urls import canonical

MAX_BODY: Final = MAX_RECORD
"""Maximum size of a body in bytes, stored and decoded."""

_KINDS: Final = frozenset({"response", "revisit", "resource"})


class Archived(Struct, frozen=True, kw_only=True):
    """One archived answer.

    `url` is as archived, and `at` is wall time in seconds. `head` and `payload` are the bytes of the archived HTTP
    message, and `headers` the fields of its head. `digest` is the label of the payload. A `revisit` has no payload of
    its own: it repeats the payload of an earlier record with the same digest, at `original` if the archive says where.
    An answer with status 304 repeats nothing; it only says that nothing has changed. `truncated` says why the archive
    holds less than was sent, and is empty if it holds everything. `seekable` says whether the record can be read from
    `place` alone.
    """

    url: str
    at: float
    status: int
    headers: list[tuple[str, str]]
    head: bytes
    payload: bytes
    place: RecordPosition
    digest: str = ""
    ip: str = ""
    http_version: str = "1.1"
    revisit: bool = False
    original: RecordPosition | None = None
    truncated: str = ""
    seekable: bool = True

    def header(self, name: str) -> str | None:
        """Return the first value of a header field, or None if it is absent."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), None)

    @property
    def mime(self) -> str:
        """The MIME type in lower case, empty if the answer has none."""
        return (self.header("content-type") or "").partition(";")[0].strip().lower()

    @property
    def robots(self) -> bool:
        """Whether this is the robots.txt of its origin."""
        known = canonical(self.url)
        return known is not None and known.partition("://")[2].partition("/")[2] == "robots.txt"

    def received(self) -> bytes:
        """Return the body as received: the transfer coding is removed, content codings are not."""
        return unchunk(self.payload) if "chunked" in (self.header(FRAMING) or "").lower() else self.payload

    def body(self, limit: int = MAX_BODY) -> bytes | Reason:
        """Return the decoded body, or the reason why it cannot be decoded within `limit` bytes.

        A robots.txt is cut at its own limit, as it is when fetched.
        """
        codings = ",".join(value for name, value in self.headers if name.lower() == "content-encoding")
        decoder = Decoder(codings, MAX_ROBOTS if self.robots else limit)
        decoder.feed(self.received())
        return decoder.cut() if self.robots else decoder.finish()


def records(path: Path, problems: Problems | None = None, *, max_record: int = MAX_RECORD) -> Iterator[Archived]:
    """Yield the answers in a WARC or ARC file, compressed or not, in order.

    Records of other kinds are skipped, unreadable records are counted in `problems`, and records larger than
    `max_record` bytes are not read. Raises InputError only if the file cannot be opened.
    """
    counted = Problems() if problems is None else problems
    try:
        file = path.open("rb")
    except OSError as error:
        raise InputError(
            f"The archive {path} cannot be opened ({error.strerror}).", "Give a WARC or ARC file that you can read."
        ) from error
    with file:
        for raw in raw_records(file, counted, max_record=max_record):
            found = answer_in(raw, path.name, counted)
            if found is not None:
                yield found


def answer_in(raw: RawRecord, file: str, problems: Problems) -> Archived | None:
    """Return the answer in a record, or None if it has none; count a broken answer in `problems`."""
    if raw.kind not in _KINDS or not raw.url.lower().startswith(("http:", "https:")):
        return None
    if canonical(raw.url) is None:
        problems[Problem.BAD_URL] += 1
        return None
    head = _head(raw)
    if head is None:
        problems[Problem.BAD_HTTP] += 1
        return None
    at = read_date(raw.fields.get("warc-date", ""))
    if at is None:
        problems[Problem.BAD_DATE] += 1
    repeats = raw.kind == "revisit"
    revisit = repeats and head.status != NOT_MODIFIED
    return Archived(
        url=raw.url,
        at=at or 0.0,
        status=head.status,
        headers=head.headers,
        head=raw.block[: head.size],
        payload=b"" if repeats else raw.block[head.size :],
        place=RecordPosition(file, raw.offset, raw.length),
        digest=raw.fields.get("warc-payload-digest", ""),
        ip=raw.fields.get("warc-ip-address", ""),
        http_version=head.version,
        revisit=revisit,
        original=_original(raw) if revisit else None,
        truncated=raw.fields.get("warc-truncated", ""),
        seekable=raw.seekable,
    )


def _head(raw: RawRecord) -> Head | None:
    """Return the HTTP head of a record; a resource is archived without a head and gets a made-up one."""
    if raw.kind == "resource":
        return Head("1.1", 200, [("Content-Type", raw.fields.get("content-type", ""))], 0)
    return read_head(raw.block)


def _original(raw: RawRecord) -> RecordPosition | None:
    """Return the position of the original that a revisit names; only some archives, including ours, name it."""
    name, offset = (raw.fields.get(f"warc-refers-to-{part}", "") for part in ("filename", "file-offset"))
    known = name and offset.isascii() and offset.isdigit() and len(offset) < 19
    return RecordPosition(name, int(offset)) if known else None
