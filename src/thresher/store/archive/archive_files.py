"""Positions of records in files, and the names of archive files."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from thresher.errors import InputError, PortalError

ARCHIVE: Final = "archive"
"""Folder of a portal with its archive."""

WARC_SUFFIX: Final = ".warc.gz"
INDEX_SUFFIX: Final = ".cdxj"
READABLE: Final = (".warc.gz", ".warc", ".arc.gz", ".arc")
"""File extensions that can be read."""

_PLAIN_NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")


class RecordPosition(Struct, frozen=True, order=True):
    """The start of a record in an archive file; `length` is in bytes of the file, 0 if unknown.

    >>> RecordPosition("crawl-000001.warc.gz", 300) < RecordPosition("crawl-000002.warc.gz", 0)
    True
    """

    file: str
    offset: int
    length: int = 0


def file_name(series: str, number: int) -> str:
    """Return the name of the nth WARC of a series; the order of names is the order of writing.

    >>> file_name("crawl", 7)
    'crawl-000007.warc.gz'
    """
    return f"{series}-{number:06d}{WARC_SUFFIX}"


def number_of(name: str, series: str) -> int | None:
    """Return the number of a WARC within a series, or None if it does not belong to the series.

    >>> number_of("crawl-000007.warc.gz", "crawl"), number_of("import-000007.warc.gz", "crawl")
    (7, None)
    """
    found = re.fullmatch(re.escape(series) + r"-([0-9]{6,})" + re.escape(WARC_SUFFIX), name)
    return int(found[1]) if found else None


def series_files(directory: Path, series: str) -> list[Path]:
    """Return the WARCs of a series, oldest first."""
    numbers = {path: number_of(path.name, series) for path in directory.glob(f"*{WARC_SUFFIX}")}
    return sorted((path for path, number in numbers.items() if number is not None), key=lambda path: numbers[path] or 0)


def archive_files(paths: Sequence[Path]) -> list[Path]:
    """Return the given files, and the WARCs and ARCs in the given directories sorted by name."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            found += sorted(inside for inside in path.iterdir() if inside.name.lower().endswith(READABLE))
        elif path.is_file():
            found.append(path)
        else:
            raise InputError(f"There is no archive {path}.", "Give a WARC or ARC file, or a folder of them.")
    return found


def index_path(warc: Path) -> Path:
    """Return the path of the index of a WARC or ARC, which is next to it.

    >>> index_path(Path("a/crawl-000001.warc.gz")).name
    'crawl-000001.cdxj'
    """
    name = next((warc.name.removesuffix(ending) for ending in READABLE if warc.name.endswith(ending)), warc.name)
    return warc.with_name(name + INDEX_SUFFIX)


def inside(directory: Path, name: str) -> Path:
    """Return the path of a file in the archive; raise PortalError for a name that leads elsewhere."""
    if not _PLAIN_NAME.fullmatch(name):
        raise PortalError(f"The archive has no file {name!r}.", "Use a position returned by the archive.")
    return directory / name
