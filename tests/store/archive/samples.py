"""Answers to archive, and archives as another library reads them."""

from pathlib import Path
from typing import NamedTuple

from warcio.archiveiterator import ArchiveIterator

from tests.packing import packed_gzip
from thresher.types import Fetched, Redirected

AT = 1_700_000_000.25


class Seen(NamedTuple):
    """A record as warcio sees it; `digests` is False where one does not fit, None where none was checked."""

    kind: str
    url: str | None
    offset: int
    length: int
    fields: dict[str, str]
    status: str | None
    payload: bytes
    digests: bool | None


def read_with_warcio(path: Path) -> list[Seen]:
    """Return every record of a file; raises what warcio raises."""
    found: list[Seen] = []
    with path.open("rb") as file:
        iterator = ArchiveIterator(file, check_digests=True)
        for record in iterator:
            payload = record.raw_stream.read()
            found.append(
                Seen(
                    record.rec_type,
                    record.rec_headers.get_header("WARC-Target-URI"),
                    iterator.get_record_offset(),
                    iterator.get_record_length(),
                    dict(record.rec_headers.headers),
                    record.http_headers.get_statuscode() if record.http_headers else None,
                    payload,
                    record.digest_checker.passed,
                )
            )
    return found


def warcs(directory: Path) -> list[Path]:
    return sorted(directory.glob("*.warc.gz"))


def read_all(directory: Path) -> list[Seen]:
    """Return every record of every WARC of a directory, and fail where a digest does not fit."""
    seen = [record for path in warcs(directory) for record in read_with_warcio(path)]
    assert all(record.digests is not False for record in seen)
    return seen


def page(number: int = 0, body: bytes | None = None, **changes: object) -> Fetched:
    body = f"<p>Page {number} of many.</p>".encode() if body is None else body
    fields: dict[str, object] = {
        "url": f"http://www.site{number % 7}.test/page/{number}?b=2&a=1",
        "status": 200,
        "headers": [("Content-Type", "text/html; charset=utf-8"), ("X-Name", "caf\xe9"), ("Set-Cookie", "a=b")],
        "body": body,
        "raw": body,
        "mime": "text/html",
        "at": AT + number / 1000,
        "ip": "192.0.2.7",
        "request": [("Host", f"www.site{number % 7}.test"), ("User-Agent", "Thresher/0.1")],
    }
    return Fetched(**(fields | changes))  # type: ignore[arg-type]


def zipped(number: int = 0) -> Fetched:
    body = f"<p>Page {number}, sent compressed.</p>".encode() * 20
    headers = [("Content-Type", "text/html"), ("Content-Encoding", "gzip"), ("Transfer-Encoding", "chunked")]
    return page(number, body, raw=packed_gzip(body), headers=headers)


def hop(number: int = 0, to: str = "http://b.test/") -> Redirected:
    return Redirected(
        url=f"http://a.test/{number}",
        to=to,
        status=301,
        at=AT + number / 1000,
        ip="2001:db8::1",
        headers=[("Location", to), ("Content-Type", "text/html")],
        raw=f"<p>Moved: {number}.</p>".encode(),
        request=[("Host", "a.test")],
    )


def warc_record(
    fields: dict[str, str], block: bytes, *, length: int | str | None = None, version: str = "1.0"
) -> bytes:
    """Return a record as other tools write them, with any length one likes."""
    said = {**fields, "Content-Length": str(len(block) if length is None else length)}
    head = "".join(f"{name}: {value}\r\n" for name, value in said.items())
    return f"WARC/{version}\r\n{head}\r\n".encode() + block + b"\r\n\r\n"


def response(
    url: str, payload: bytes = b"hello", *, head: bytes = b"HTTP/1.1 200 OK\r\nContent-Type: text/html", **fields: str
) -> bytes:
    named = {
        "WARC-Type": "response",
        "WARC-Target-URI": url,
        "WARC-Date": "2020-02-29T12:00:00Z",
        "Content-Type": "application/http; msgtype=response",
    }
    return warc_record(
        named | {name.replace("_", "-"): value for name, value in fields.items()}, head + b"\r\n\r\n" + payload
    )


def arc_record(url: str, block: bytes, *, length: int | None = None, date: str = "20080430204825") -> bytes:
    head = f"{url} 192.0.2.1 {date} text/html {len(block) if length is None else length}\n"
    return head.encode() + block + b"\n"


def write(path: Path, *records: bytes, zipped: bool = True) -> Path:
    """Write records to a file, each as a gzip member where it is `zipped`."""
    path.write_bytes(b"".join(packed_gzip(record) if zipped else record for record in records))
    return path
