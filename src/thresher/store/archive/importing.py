"""Imports WARC and ARC files into a portal, rewriting them as WARC 1.1 with indexes."""

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import xxhash
from msgspec import Struct

from thresher.errors import InputError
from thresher.store.archive.archive_files import index_path, series_files
from thresher.store.archive.archived import Archived, answer_in
from thresher.store.archive.cdxj import rows
from thresher.store.archive.dates import timestamp
from thresher.store.archive.digests import label_of
from thresher.store.archive.exchanges import exchange_from
from thresher.store.archive.known_payloads import KnownPayloads
from thresher.store.archive.problems import Problem, Problems
from thresher.store.archive.raw_records import MAX_RECORD, RawRecord, raw_records
from thresher.store.archive.stored import read_record
from thresher.store.archive.warc_archive import WarcArchive
from thresher.store.locks import import_lock
from thresher.web.status import NOT_MODIFIED

SERIES = "import"
"""The series of files with imported answers; cutting a crawl's archive does not touch them."""

_REMEMBERED = 200_000


class Imported(Struct, frozen=True, kw_only=True):
    """The result of an import: answers written, revisits among them, other records skipped, problems by name.

    `known` counts the answers that an earlier import, complete or interrupted, had already brought.
    """

    answers: int
    revisits: int
    passed_over: int
    problems: dict[str, int]
    known: int = 0


def import_archive(
    path: Path, into_directory: Path, *, max_record: int = MAX_RECORD, max_bytes: int = 1_000_000_000
) -> Imported:
    """Rewrite the answers of a WARC or ARC file, with their requests, into the archive folder of a portal.

    HTTP messages are kept byte for byte; records larger than `max_record` bytes are left out. A revisit finds its
    original in this file or in earlier imports. All or nothing: if anything is raised, the folder is unchanged. Answers
    that are already there are not written again, so an import that was killed can simply be repeated. Raises InputError
    if the file is not an archive, PortalFull if there is no space left, PortalBusy if another import into the folder is
    running.
    """
    with _opened(path) as file, import_lock(into_directory):
        archive = WarcArchive(into_directory, series=SERIES, max_bytes=max_bytes, remembered=_REMEMBERED)
        before = archive.last
        try:
            counts = _Import(archive, into_directory, path.name)
            for archived, request in counts.pairs(file, max_record):
                counts.take(archived, request)
            if not counts.seen:
                raise InputError(
                    f"The file {path} contains no WARC or ARC records.", "Give a .warc, .warc.gz, .arc or .arc.gz file."
                )
            archive.sync()
        except BaseException:
            archive.cut(before)
            raise
        finally:
            archive.close()
    return counts.result()


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise InputError(
            f"The archive {path} cannot be opened ({error.strerror}).", "Give a WARC or ARC file that you can read."
        ) from error


class _Import:
    """An import in progress."""

    def __init__(self, archive: WarcArchive, directory: Path, name: str) -> None:
        self._archive = archive
        self._directory = directory
        self._name = name
        self._originals = KnownPayloads(_REMEMBERED)
        self._present = _present(directory)
        self._problems = Problems()
        self._answers = self._revisits = self._known = 0
        self._used = 0
        self.seen = 0

    def pairs(self, file: BinaryIO, max_record: int) -> Iterator[tuple[Archived, bytes]]:
        """Yield every answer with its request; the two are adjacent, in either order."""
        answer: Archived | None = None
        asked: RawRecord | None = None
        for raw in raw_records(file, self._problems, max_record=max_record):
            self.seen += 1
            if raw.kind == "request":
                if answer is not None and answer.url == raw.url:
                    yield answer, self._use(raw)
                    answer = None
                else:
                    asked = raw
                continue
            found = answer_in(raw, self._name, self._problems)
            if found is None:
                continue
            if answer is not None:
                yield answer, b""
            answer = found
            if asked is not None and asked.url == found.url:
                yield answer, self._use(asked)
                answer = None
            asked = None
        if answer is not None:
            yield answer, b""

    def take(self, archived: Archived, request: bytes) -> None:
        """Write one answer."""
        payload = self._repeated(archived) if archived.revisit else archived.payload
        if payload is None:
            self._problems[Problem.LOST_ORIGINAL] += 1
            return
        exchange = exchange_from(archived, payload, request)
        label = "" if exchange.status == NOT_MODIFIED and not payload else label_of(payload)
        key = _key(exchange.url, timestamp(exchange.at), exchange.status, label)
        if self._present.get(key, 0):
            # An answer that occurs twice in the file is kept twice.
            self._present[key] -= 1
            self._known += 1
            return
        [place] = self._archive.append_exchanges([exchange])
        self._answers += 1
        self._revisits += archived.revisit
        if archived.digest and not archived.revisit:
            self._originals.remember(archived.digest, place)

    def result(self) -> Imported:
        return Imported(
            answers=self._answers,
            revisits=self._revisits,
            passed_over=self.seen - self._answers - self._known - self._used,
            problems={problem.value: count for problem, count in self._problems.items()},
            known=self._known,
        )

    def _use(self, request: RawRecord) -> bytes:
        self._used += 1
        return request.block

    def _repeated(self, revisit: Archived) -> bytes | None:
        """Return the payload that a revisit repeats, or None if its original was not imported."""
        place = self._originals.find(revisit.digest) or self._archive.recall(revisit.digest)
        return read_record(self._directory, place).payload if place else None


def _present(directory: Path) -> dict[int, int]:
    """Return how often each answer has already been imported."""
    found: dict[int, int] = {}
    for warc in series_files(directory, SERIES):
        for row in rows(index_path(warc)):
            key = _key(row.url, row.time, row.status, row.digest)
            found[key] = found.get(key, 0) + 1
    return found


def _key(url: str, time: str, status: int, digest: str) -> int:
    return xxhash.xxh3_64_intdigest(f"{url} {time} {status} {digest}".encode("utf-8", "replace"))
