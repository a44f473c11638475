"""Reads stored answers by position, including revisits."""

from pathlib import Path

from msgspec.structs import replace

from thresher.errors import PortalError
from thresher.faults import FilesUnusable
from thresher.store.archive.archive_files import RecordPosition, inside
from thresher.store.archive.archived import MAX_BODY, Archived, answer_in
from thresher.store.archive.problems import MEANING, Problem, Problems
from thresher.store.archive.raw_records import read_raw


def read_record(directory: Path, place: RecordPosition, *, limit: int = MAX_BODY) -> Archived:
    """Return the answer stored at a position; a revisit gets the payload it repeats.

    `limit` is the size of the largest record in bytes. Raises PortalError if the record is lost or damaged.
    """
    found = _read(directory, place, limit)
    if not found.revisit:
        return found
    original = _read(directory, found.original, limit) if found.original else None
    if original is None or original.revisit or original.digest != found.digest:
        raise _damaged(place, Problem.LOST_ORIGINAL)
    return replace(found, payload=original.payload)


def _read(directory: Path, place: RecordPosition, limit: int) -> Archived:
    path = inside(directory, place.file)
    try:
        with path.open("rb") as file:
            raw = read_raw(file, place.offset, max_record=limit)
    except OSError as error:
        raise PortalError(
            f"The archive file {place.file} cannot be read ({error.strerror}).",
            "Restore the file from a backup.",
            FilesUnusable(),
        ) from error
    if isinstance(raw, Problem):
        raise _damaged(place, raw)
    problems = Problems()
    archived = answer_in(raw, place.file, problems)
    if archived is None or place.length not in (0, raw.length):
        raise _damaged(place, next(iter(problems), Problem.BAD_LENGTH))
    return archived


def _damaged(place: RecordPosition, problem: Problem) -> PortalError:
    return PortalError(
        f"The archive file {place.file} has no readable answer at {place.offset}: {MEANING[problem]}",
        "Restore the file from a backup, or fetch the page again.",
        FilesUnusable(),
    )
