"""Exports a portal's archive as a WARC file, and imports WARC and ARC files into it."""

import os
from contextlib import closing
from pathlib import Path
from typing import TypedDict

from thresher.errors import InputError, PortalError, command
from thresher.store.archive.archive_files import ARCHIVE, RecordPosition
from thresher.store.archive.exporting import Exported, export
from thresher.store.archive.importing import import_archive
from thresher.store.repository import open_store, require_portal


class ArchiveExport(TypedDict):
    """A WARC file and how many records it has; `problems` counts damaged records by kind."""

    portal: str
    file: str
    records: int
    problems: dict[str, int]


class ArchiveImport(TypedDict):
    """How many responses the file has, and how many of them the archive already had; `problems` counts them by kind."""

    portal: str
    file: str
    answers: int
    known: int
    problems: dict[str, int]


def export_warc(path: Path, file: Path, *, overwrite: bool = False) -> ArchiveExport:
    """Write the archive of a portal to one WARC file with a CDXJ index.

    Raises InputError if the file exists, and PortalError if the archive is damaged; intact records are still written.
    """
    if os.path.lexists(file) and not overwrite:
        raise InputError(f"{file} already exists.", "Choose another file, or overwrite it with --force.")
    with closing(open_store(path, read_only=True)) as store:
        named = store.log.archived()
        last = store.log.last_archived()
    done = export(path / ARCHIVE, file, until=RecordPosition(*last) if last else None, named=named)
    if done.missing or done.problems:
        raise PortalError(_incomplete(file, done), f"Find out what is wrong: {command('doctor', path, '--deep')}")
    return {"portal": str(path), "file": str(file), "records": done.records, "problems": done.problems}


def import_warc(path: Path, file: Path) -> ArchiveImport:
    """Add a WARC or ARC file to the archive of a portal; `portal.crawls.start(replay=…)` crawls it."""
    require_portal(path)
    done = import_archive(file, path / ARCHIVE)
    return {
        "portal": str(path),
        "file": str(file),
        "answers": done.answers,
        "known": done.known,
        "problems": done.problems,
    }


def archive_folder(path: Path) -> Path:
    """Return the folder with the archive of a portal."""
    return path / ARCHIVE


def _incomplete(file: Path, done: Exported) -> str:
    """Return one sentence on what the export is missing."""
    missing = "; ".join(
        f"{number:,} response{'' if number == 1 else 's'} from {name}" for name, number in done.missing.items()
    )
    wrong = ", ".join(f"{name} {number}" for name, number in done.problems.items())
    told = f"missing {missing}" if missing else "no crawled response is missing"
    found = f" (problems: {wrong})" if wrong else ""
    return f"The archive is damaged: {told}{found}; the intact records were written to {file}."
