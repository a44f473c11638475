"""Truncates a WARC and its index to a record, and repairs both after a crash."""

import os
from collections.abc import Iterator
from pathlib import Path

from thresher.file_rights import follow
from thresher.store.archive.archive_files import RecordPosition, index_path
from thresher.store.archive.archived import answer_in
from thresher.store.archive.cdxj import IndexRow, last_rows, line_of, row_for, trim
from thresher.store.archive.problems import Problems
from thresher.store.archive.raw_records import OWN_RECORD, RawRecord, raw_records, read_raw


def is_whole(warc: Path) -> bool:
    """Return whether a WARC ends with the last record in its index, and that record is readable.

    A power loss may leave a file of the right length whose last blocks were never written, or half a row at the end of
    the index: the next row would then be lost in that line.
    """
    last = last_rows(index_path(warc), 1)
    if not last or last[0].offset + last[0].length != warc.stat().st_size:
        return False
    with index_path(warc).open("rb") as index:
        index.seek(-1, os.SEEK_END)
        if index.read() != b"\n":
            return False
    with warc.open("rb") as file:
        found = read_raw(file, last[0].offset, max_record=OWN_RECORD)
    return isinstance(found, RawRecord) and found.length == last[0].length


def cut_at(warc: Path, place: RecordPosition) -> IndexRow | None:
    """Cut a WARC and its index after the record at a position; return the row of the last remaining record.

    If that record is not whole, everything after the last whole answer before it is dropped. None means that no answer
    is left in the file.
    """
    with warc.open("rb") as file:
        found = read_raw(file, place.offset, max_record=OWN_RECORD)
    if not isinstance(found, RawRecord) or not found.length or place.length not in (0, found.length):
        return mend(warc, place.offset)
    os.truncate(warc, found.offset + found.length)
    last = trim(index_path(warc), place.offset)
    if last is None or (last.offset, last.length) != (found.offset, found.length):
        return mend(warc)
    return last


def mend(warc: Path, until: int | None = None) -> IndexRow | None:
    """Rebuild the index of a WARC and cut the WARC after its last whole answer; return the row of that answer.

    Reading stops at the first damage, and before the offset `until` if it is given. None means that no answer is left
    in the file.
    """
    last: IndexRow | None = None
    index = index_path(warc)
    fresh = index.with_name(index.name + ".new")
    with fresh.open("wb") as file:
        for row in rows_of(warc):
            if until is not None and row.offset >= until:
                break
            file.write(line_of(row))
            last = row
        file.flush()
        os.fsync(file.fileno())
    follow(fresh)
    fresh.replace(index)
    os.truncate(warc, last.offset + last.length if last else 0)
    return last


def rows_of(warc: Path) -> Iterator[IndexRow]:
    """Yield the index rows of a WARC from its records, up to the first damage."""
    problems = Problems()
    with warc.open("rb") as file:
        for raw in raw_records(file, problems, max_record=OWN_RECORD):
            if problems.total():
                return
            archived = answer_in(raw, warc.name, Problems())
            if archived is not None:
                yield row_for(archived, archived.place)
