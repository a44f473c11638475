"""Writes a list of pages to a file, in the format given by the file extension."""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from thresher.errors import InputError, UsageError
from thresher.exports.atom_feed import atom_lines
from thresher.exports.bookmark_file import bookmark_lines
from thresher.exports.csv_table import csv_lines
from thresher.exports.page_objects import json_lines
from thresher.store.page_records import AcceptedPage

ENDINGS: Final = (".csv", ".jsonl", ".html", ".atom")
"""The supported file extensions."""


def ending_of(file: Path) -> str:
    """Return the file extension; raise UsageError if it is not supported."""
    ending = file.suffix.lower()
    if ending not in ENDINGS:
        raise UsageError(
            f"Pages cannot be exported to {file.name}.",
            "End the name with .csv, .jsonl, .html (bookmarks) or .atom (feed).",
        )
    return ending


def page_lines(ending: str, pages: Iterable[AcceptedPage], *, title: str, at: float) -> Iterator[str]:
    """Yield the text of a list of pages in pieces; feeds get a title and their creation time."""
    match ending:
        case ".csv":
            return csv_lines(pages)
        case ".jsonl":
            return json_lines(pages)
        case ".html":
            return bookmark_lines(pages)
        case _:
            return atom_lines(pages, title, at)


def write_pages(file: Path, pages: Iterable[AcceptedPage], *, title: str, at: float, force: bool = False) -> int:
    """Write pages to a file and return how many; an existing file is only replaced with `force`, atomically."""
    ending = ending_of(file)
    if os.path.lexists(file) and not force:
        raise InputError(f"{file} already exists.", "Choose another file, or overwrite it with --force.")
    counted = _Counted(pages)
    part = file.with_name(file.name + ".part")
    try:
        with part.open("w", encoding="utf-8", newline="") as out:
            out.writelines(page_lines(ending, counted, title=title, at=at))
        part.replace(file)
    except OSError as error:
        raise InputError(f"{file} cannot be written: {error.strerror}.", "Choose another file.") from None
    finally:
        # Where nothing can be written, nothing can be removed.
        with suppress(OSError):
            part.unlink(missing_ok=True)
    return counted.number


class _Counted:
    """Counts pages while they are iterated."""

    def __init__(self, pages: Iterable[AcceptedPage]) -> None:
        self._pages = pages
        self.number = 0

    def __iter__(self) -> Iterator[AcceptedPage]:
        for page in self._pages:
            self.number += 1
            yield page
