"""Reads the raw records of WARC and ARC files, in sequence or individually."""

from collections.abc import Iterator
from typing import BinaryIO, Final

from msgspec import Struct

from thresher.store.archive.byte_streams import ByteStream, Damaged
from thresher.store.archive.gzip_members import MAGIC, GzipMembers
from thresher.store.archive.plain_file import PlainFile
from thresher.store.archive.problems import Problem, Problems
from thresher.store.archive.record_heads import MAX_HEAD, begins_record, read_arc_line, read_fields, read_length

MAX_RECORD: Final = 64 << 20
"""Size in bytes of the largest record that is read from a file of unknown origin."""

OWN_RECORD: Final = 1 << 40
"""Size in bytes of the largest record in our own files; all of their records were in memory once."""

_CLOSING: Final = b"\r\n\r\n"


class RawRecord(Struct, frozen=True, kw_only=True):
    """A record: its type, its named fields in lower case and its block of bytes.

    An ARC record has the fields a WARC record would have. `offset` and `length` are in bytes of the file. `length` is 0
    if several records are compressed as one; then only the first is `seekable`, which means that it can be read by its
    offset.
    """

    kind: str
    fields: dict[str, str]
    block: bytes
    offset: int
    length: int
    seekable: bool

    @property
    def url(self) -> str:
        """The URL of the record, empty if it has none."""
        return self.fields.get("warc-target-uri", "").removeprefix("<").removesuffix(">")


def raw_records(file: BinaryIO, problems: Problems, *, max_record: int = MAX_RECORD) -> Iterator[RawRecord]:
    """Yield the readable records of a file in order and count the problems of the others."""
    stream = _stream(file, 0)
    while True:
        try:
            record = _next(stream, max_record)
        except Damaged as damage:
            problems[damage.problem] += 1
            if stream.resync():
                continue
            if stream.gave_up:
                problems[Problem.GIVEN_UP] += 1
            return
        if record is None:
            return
        if isinstance(record, Problem):
            problems[record] += 1
        else:
            yield record


def read_raw(file: BinaryIO, offset: int, *, max_record: int = MAX_RECORD) -> RawRecord | Problem:
    """Return the record that starts at an offset, or what is wrong with it."""
    try:
        record = _next(_stream(file, offset), max_record)
    except Damaged as damage:
        return damage.problem
    return Problem.CUT_OFF if record is None else record


def _stream(file: BinaryIO, offset: int) -> ByteStream:
    """Return the bytes of a file from an offset; the first bytes show whether they are compressed."""
    file.seek(offset)
    first = file.read(len(MAGIC))
    file.seek(offset)
    return GzipMembers(file) if first == MAGIC else PlainFile(file)


def _next(stream: ByteStream, max_record: int) -> RawRecord | Problem | None:
    """Return the next record, a problem of this record alone, or None at the end; raise Damaged to stop reading."""
    start = stream.begin()
    if start is None:
        return None
    offset, seekable = start
    kind, fields, length = _head(stream)
    block = b""
    if length > max_record:
        stream.skip(length)
    else:
        block = stream.take(length)
        if len(block) < length:
            raise Damaged(Problem.CUT_OFF)
    closed = stream.peek().startswith(_CLOSING)
    end = stream.end()
    rest = b"" if closed else stream.peek()
    if rest and not begins_record(rest.partition(b"\n")[0]):
        raise Damaged(Problem.BAD_LENGTH)
    if length > max_record:
        return Problem.TOO_LARGE
    size = end - offset if end is not None and seekable else 0
    return RawRecord(kind=kind, fields=fields, block=block, offset=offset, length=size, seekable=seekable)


def _head(stream: ByteStream) -> tuple[str, dict[str, str], int]:
    """Return the type, fields and length of the record that begins here."""
    first = stream.line(MAX_HEAD)
    if first.startswith(b"WARC/"):
        fields = read_fields(_lines(stream, MAX_HEAD - len(first)))
        length = read_length(fields)
        if length is None:
            raise Damaged(Problem.BAD_LENGTH)
        return fields.get("warc-type", "").lower(), fields, length
    arc = read_arc_line(first)
    if arc is None:
        raise Damaged(Problem.BAD_HEADER)
    fields = {
        "warc-target-uri": arc.url,
        "warc-date": arc.date,
        "warc-ip-address": arc.ip,
        "content-type": arc.mime,
    }
    return "warcinfo" if arc.url.startswith("filedesc:") else "response", fields, arc.length


def _lines(stream: ByteStream, room: int) -> list[bytes]:
    """Return the lines up to the empty line."""
    lines: list[bytes] = []
    while room > 0:
        line = stream.line(room)
        if not line.endswith(b"\n"):
            break
        if not line.strip(b"\r\n"):
            return lines
        lines.append(line)
        room -= len(line)
    raise Damaged(Problem.BAD_HEADER)
