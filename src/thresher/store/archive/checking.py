"""Checks that an archive still has the answers the repository refers to."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct

from thresher.store.archive.archive_files import WARC_SUFFIX, RecordPosition, index_path, inside
from thresher.store.archive.archived import answer_in
from thresher.store.archive.cdxj import IndexRow, rows
from thresher.store.archive.digests import agrees
from thresher.store.archive.problems import Problem, Problems
from thresher.store.archive.raw_records import OWN_RECORD, RawRecord, raw_records, read_raw

SMALL: Final = 32_000_000
"""Files of at most this many bytes are read completely even if a sample would do."""

SAMPLE: Final = 200
"""Number of records to read from a larger file."""


class Damage(Struct, frozen=True):
    """What is wrong with an archive file; `lost` is the number of answers known to be lost, 0 if unknown."""

    file: str
    problem: Problem
    lost: int = 0


def damaged_files(
    directory: Path, named: Mapping[str, int], until: RecordPosition | None = None, *, deep: bool = False
) -> Iterator[Damage]:
    """Yield the archive files that are missing, truncated or damaged, each once.

    `named` says how many answers in each file the repository refers to, and `until` is the last of them: anything a
    running crawl writes after it is ignored. Sizes, indexes and a sample of records are checked; with `deep`, every
    record of every file. Files of at most `SMALL` bytes are always read completely.
    """
    try:
        present = {path.name for path in directory.iterdir() if path.name.endswith(WARC_SUFFIX)}
    except FileNotFoundError:
        present = set()
    except OSError:
        yield Damage(directory.name, Problem.UNREADABLE, sum(named.values()))
        return
    for name in sorted(present | set(named)):
        end = until.offset if until is not None and name == until.file else None
        if name in named or until is None or not _is_behind(name, until):
            found = _damage(inside(directory, name), named.get(name, 0), end, deep)
            if found is not None:
                yield found


def _is_behind(name: str, until: RecordPosition) -> bool:
    return name.rpartition("-")[0] == until.file.rpartition("-")[0] and name > until.file


def _damage(path: Path, named: int, end: int | None, deep: bool) -> Damage | None:
    try:
        if not deep and path.stat().st_size > SMALL:
            listed = [row for row in rows(index_path(path)) if end is None or row.offset <= end]
            # An index with too few rows is rebuilt by the next crawl; the file itself may be whole.
            if len(listed) >= named:
                return _sampled(path, listed)
        return _read_through(path, named, end)
    except FileNotFoundError:
        return Damage(path.name, Problem.MISSING, named)
    except OSError:
        return Damage(path.name, Problem.UNREADABLE, named)


def _sampled(path: Path, listed: list[IndexRow]) -> Damage | None:
    size = path.stat().st_size
    cut = sum(row.offset + row.length > size for row in listed)
    if cut:
        return Damage(path.name, Problem.CUT_OFF, cut)
    with path.open("rb") as file:
        for row in listed[:: max(1, len(listed) // SAMPLE)]:
            found = read_raw(file, row.offset, max_record=OWN_RECORD)
            problem = found if isinstance(found, Problem) else _problem_of(found)
            if problem is not None:
                return Damage(path.name, problem)
    return None


def _read_through(path: Path, named: int, end: int | None) -> Damage | None:
    problems = Problems()
    answers = 0
    with path.open("rb") as file:
        for raw in raw_records(file, problems, max_record=OWN_RECORD):
            if end is not None and raw.offset > end:
                break
            problem = _problem_of(raw)
            if problem is not None:
                problems[problem] += 1
            elif answer_in(raw, path.name, problems) is not None:
                answers += 1
            if end is not None and raw.offset == end:
                break
    lost = max(0, named - answers)
    if not lost and not problems:
        return None
    return Damage(path.name, next(iter(problems), Problem.CUT_OFF), lost)


def _problem_of(raw: RawRecord) -> Problem | None:
    return None if agrees(raw.fields.get("warc-block-digest", ""), raw.block) else Problem.BAD_DIGEST
