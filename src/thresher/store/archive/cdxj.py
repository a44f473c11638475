"""CDXJ indexes: a line per answer with its key, its time and, as JSON, its location.

Rows are in the order of writing, so an index grows and is cut together with its WARC; an exported index is sorted.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from thresher.store.archive.archive_files import RecordPosition
from thresher.store.archive.archived import Archived
from thresher.store.archive.dates import timestamp
from thresher.store.archive.surt import surt
from thresher.web.status import NOT_MODIFIED

REVISIT: Final = "warc/revisit"
"""The MIME type under which an index lists a record that repeats an earlier one."""

MAX_LINE: Final = 1 << 16
_BLOCK: Final = 1 << 16


class IndexRow(Struct, frozen=True, kw_only=True):
    """One answer in an archive; `time` has fourteen digits, `offset` and `length` are in bytes of the file."""

    url: str
    time: str
    mime: str
    status: int
    digest: str
    offset: int
    length: int
    filename: str

    @property
    def place(self) -> RecordPosition:
        """The position of the record."""
        return RecordPosition(self.filename, self.offset, self.length)


class _Fields(Struct):
    """The JSON of a row; numbers are written as strings, as other tools do."""

    url: str
    offset: str | int
    length: str | int = 0
    filename: str = ""
    mime: str = "unk"
    status: str | int = 0
    digest: str = ""


_decoder: Final = msgspec.json.Decoder(_Fields)


def row_of(url: str, at: float, mime: str, status: int, digest: str, place: RecordPosition) -> IndexRow:
    """Return the index row for a record; `at` is wall time in seconds."""
    return IndexRow(
        url=url,
        time=timestamp(at),
        mime=mime or "unk",
        status=status,
        digest=digest,
        offset=place.offset,
        length=place.length,
        filename=place.file,
    )


def row_for(archived: Archived, place: RecordPosition) -> IndexRow:
    """Return the index row for an archived answer at a position."""
    mime = REVISIT if archived.revisit or archived.status == NOT_MODIFIED else archived.mime
    return row_of(archived.url, archived.at, mime, archived.status, archived.digest, place)


def line_of(row: IndexRow) -> bytes:
    """Return a row as a line of an index.

    >>> position = RecordPosition("b.warc.gz", 5, 9)
    >>> line_of(row_of("http://a.test/", 0, "text/html", 200, "sha1:A", position)).split(b" ", 2)[:2]
    [b'test,a)/', b'19700101000000']
    """
    fields = {
        "url": row.url,
        "mime": row.mime,
        "status": str(row.status),
        "digest": row.digest,
        "length": str(row.length),
        "offset": str(row.offset),
        "filename": row.filename,
    }
    return f"{surt(row.url)} {row.time} ".encode("utf-8", "replace") + msgspec.json.encode(fields) + b"\n"


def read_row(line: bytes) -> IndexRow | None:
    """Return the row in a line, or None if the line is broken, cut off or not a row."""
    parts = line.split(b" ", 2)
    if len(parts) != 3 or not line.endswith(b"\n"):
        return None
    try:
        fields = _decoder.decode(parts[2])
        status = str(fields.status)
        row = IndexRow(
            url=fields.url,
            time=parts[1].decode("ascii"),
            mime=fields.mime,
            status=int(status) if status.isascii() and status.isdigit() else 0,
            digest=fields.digest,
            offset=int(fields.offset),
            length=int(fields.length),
            filename=fields.filename,
        )
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError):
        return None
    return row if row.offset >= 0 and row.length >= 0 else None


def rows(index: Path) -> Iterator[IndexRow]:
    """Yield the rows of an index in order; skip broken lines, and yield nothing if the file is missing."""
    if not index.is_file():
        return
    with index.open("rb") as file:
        while line := file.readline(MAX_LINE):
            if (row := read_row(line)) is not None:
                yield row


def last_rows(index: Path, count: int) -> list[IndexRow]:
    """Return the last rows of an index, at most `count`, in order; a truncated line is not a row."""
    if not index.is_file() or count < 1:
        return []
    data = b""
    with index.open("rb") as file:
        start = file.seek(0, os.SEEK_END)
        while start and data.count(b"\n") <= count:
            # Each step reads as much as all steps before it, so the total copying stays linear.
            step = min(start, max(_BLOCK, len(data)))
            start = file.seek(start - step)
            data = file.read(step) + data
    lines = data.splitlines(keepends=True)[-count - 1 :]
    found = [row for line in lines if (row := read_row(line)) is not None]
    return found[-count:]


def trim(index: Path, offset: int) -> IndexRow | None:
    """Cut an index after the row of the record at `offset`; return its last row, or None if nothing is left."""
    if not index.is_file():
        return None
    kept, last = 0, None
    with index.open("rb+") as file:
        while line := file.readline(MAX_LINE):
            row = read_row(line)
            if row is None or row.offset > offset:
                break
            kept += len(line)
            last = row
        file.truncate(kept)
    return last
