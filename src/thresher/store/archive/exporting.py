"""Exports the archive of a portal as one WARC file, checked record by record, with a sorted index."""

import os
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO, Final
from uuid import uuid4

from msgspec import Struct

from thresher import __version__
from thresher.errors import InputError
from thresher.store.archive.archive_files import WARC_SUFFIX, RecordPosition, index_path
from thresher.store.archive.archived import answer_in
from thresher.store.archive.cdxj import line_of, row_for
from thresher.store.archive.dates import read_date
from thresher.store.archive.digests import agrees
from thresher.store.archive.problems import Problem, Problems
from thresher.store.archive.raw_records import OWN_RECORD, RawRecord, raw_records
from thresher.store.archive.sorted_lines import SortedLines
from thresher.store.archive.warc_records import LEVEL, info_record
from thresher.store.disk_failures import disk_failures

_LOCAL: Final = re.compile(rb"^WARC-Refers-To-(?:Filename|File-Offset):[^\n]*\n", re.IGNORECASE | re.MULTILINE)


class Exported(Struct, frozen=True, kw_only=True):
    """The result of an export: records, answers among them, bytes of the file, and problems by name.

    `missing` says how many expected answers of each file were not found.
    """

    records: int
    answers: int
    bytes: int
    problems: dict[str, int]
    missing: dict[str, int] = {}


def export(
    directory: Path,
    target: Path,
    *,
    until: RecordPosition | None = None,
    named: Mapping[str, int] | None = None,
    software: str = f"Thresher/{__version__}",
) -> Exported:
    """Write all WARCs of an archive folder into the one file `target`, with a sorted CDXJ index next to it.

    Every record is decompressed and its digest checked; damaged records are left out and counted. In the series of
    `until`, nothing after that position is written: pass the last committed position while a crawl is running. `named`
    says how many answers each file must have. The target appears under its name only once it is complete. Raises
    InputError if there is nothing to export or the target has the wrong extension, PortalError if the archive cannot be
    read.
    """
    if not target.name.endswith(WARC_SUFFIX):
        raise InputError(
            f"An archive cannot be written as {target.name}.", f"Choose a name that ends in {WARC_SUFFIX}."
        )
    files = _files(directory, until)
    if not files and not named:
        raise InputError(f"There is no archive in {directory}.", "Crawl or import something first.")
    index = index_path(target)
    parts = {path: path.with_name(path.name + ".part") for path in (target, index)}
    with disk_failures():
        try:
            with parts[target].open("wb") as warc, parts[index].open("wb") as rows, SortedLines() as lines:
                job = _Export(warc, target.name.encode("utf-8", "replace").decode(), lines)
                job.run(files, until, software)
                rows.writelines(lines)
                size = warc.tell()
                for file in (warc, rows):
                    file.flush()
                    os.fsync(file.fileno())
            for path, part in parts.items():
                part.replace(path)
        finally:
            for part in parts.values():
                part.unlink(missing_ok=True)
    return job.result(size, named or {})


def _files(directory: Path, until: RecordPosition | None) -> list[Path]:
    with disk_failures():
        found = directory.iterdir() if directory.exists() else ()
        return sorted(path for path in found if path.name.endswith(WARC_SUFFIX) and not _behind(path.name, until))


def _behind(name: str, until: RecordPosition | None) -> bool:
    """Return whether a file belongs to the series of a position and comes after it."""
    if until is None or name.rpartition("-")[0] != until.file.rpartition("-")[0]:
        return False
    return name > until.file


class _Export:
    """An export in progress."""

    def __init__(self, warc: BinaryIO, name: str, lines: SortedLines) -> None:
        self._warc = warc
        self._name = name
        self._lines = lines
        self._problems = Problems()
        self._records = 0
        self._answers: Counter[str] = Counter()

    def run(self, files: list[Path], until: RecordPosition | None, software: str) -> None:
        for path in files:
            with path.open("rb") as reading, path.open("rb") as copying:
                for raw in self._sound(reading, path.name, until):
                    if not self._records:
                        at = read_date(raw.fields.get("warc-date", "")) or 0.0
                        self._warc.write(info_record(uuid4(), at, self._name, software))
                    copying.seek(raw.offset)
                    self._write(raw, copying.read(raw.length), path.name)

    def _sound(self, file: BinaryIO, name: str, until: RecordPosition | None) -> Iterator[RawRecord]:
        """Yield the records to write: all but damaged ones and the info records that open each file."""
        for raw in raw_records(file, self._problems, max_record=OWN_RECORD):
            if until is not None and name == until.file and raw.offset > until.offset:
                return
            if raw.kind == "warcinfo":
                continue
            if not raw.length:
                self._problems[Problem.NOT_SEEKABLE] += 1
            elif not agrees(raw.fields.get("warc-block-digest", ""), raw.block):
                self._problems[Problem.BAD_DIGEST] += 1
            else:
                yield raw

    def _write(self, raw: RawRecord, packed: bytes, file: str) -> None:
        record = _portable(packed) if raw.kind == "revisit" else packed
        place = RecordPosition(self._name, self._warc.tell(), len(record))
        self._warc.write(record)
        self._records += 1
        archived = answer_in(raw, self._name, self._problems)
        if archived is not None:
            self._answers[file] += 1
            self._lines.add(line_of(row_for(archived, place)))

    def result(self, size: int, named: Mapping[str, int]) -> Exported:
        return Exported(
            records=self._records,
            answers=self._answers.total(),
            bytes=size,
            problems={problem.value: count for problem, count in self._problems.items()},
            missing={file: n - self._answers[file] for file, n in named.items() if n > self._answers[file]},
        )


def _portable(packed: bytes) -> bytes:
    """Return a revisit without its references to local file names, which are not valid elsewhere."""
    head, end, block = zlib.decompress(packed, 31).partition(b"\r\n\r\n")
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, 31)
    return packer.compress(_LOCAL.sub(b"", head + b"\r\n") + end[2:] + block) + packer.flush()
