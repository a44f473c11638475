"""Creates a portal from bookmarks, topics, documents, words or start pages."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

from thresher.errors import InputError, UsageError
from thresher.portals import create_portal
from thresher.taxonomy.from_bookmarks import ImportedTopics, from_bookmarks
from thresher.taxonomy.from_folder import from_folder
from thresher.taxonomy.topic_tree import from_query
from thresher.taxonomy.topics_file import read_topics

MAX_FILE = 100_000_000
"""Largest file of bookmarks, topics or seeds, in bytes."""


class NewPortal(TypedDict):
    """A new portal: the numbers of its start pages and topics.

    `problems` are lines of the seeds that were skipped, `notices` entries of the topics that were skipped, merged or
    moved.
    """

    portal: str
    seeds: int
    topics: int
    problems: list[str]
    notices: list[str]


def new_portal(
    path: Path,
    bookmarks: str | Path | None = None,
    topics: str | Path | None = None,
    folder: str | Path | None = None,
    query: str | None = None,
    seeds: Sequence[str] | str = (),
    contact: str = "",
) -> NewPortal:
    """Create a portal; see `Portal.create`."""
    gathered = imported_topics(_path(bookmarks), _path(topics), _path(folder), query)
    lines = seeds if isinstance(seeds, str) else "\n".join(seeds) if seeds else None
    made = create_portal(path, lines, gathered.taxonomy if gathered else None, contact=contact)
    return {
        "portal": str(path),
        "seeds": made.seeds,
        "topics": sum(1 for _ in gathered.taxonomy.walk()) if gathered else 0,
        "problems": made.problems,
        "notices": gathered.notices if gathered else [],
    }


def _path(given: str | Path | None) -> Path | None:
    return Path(given) if given is not None else None


def imported_topics(
    bookmarks: Path | None = None, topics: Path | None = None, folder: Path | None = None, query: str | None = None
) -> ImportedTopics | None:
    """Return the topics of the given source, or None if there is none; raise UsageError for more than one."""
    if sum(source is not None for source in (bookmarks, topics, folder, query)) > 1:
        raise UsageError(
            "Only one of --bookmarks, --topics, --folder and --query can be used.",
            "Choose one; you can add more topics later with thresher topics.",
        )
    if bookmarks is not None:
        return from_bookmarks(read_bytes(bookmarks), bookmarks.stem)
    if topics is not None:
        return ImportedTopics(read_topics(read_bytes(topics).decode("utf-8-sig", "replace"), str(topics)), [])
    if folder is not None:
        return from_folder(folder)
    return ImportedTopics(from_query(query), []) if query is not None else None


def read_seeds(file: Path) -> str:
    """Return the text of a seeds file, or of standard input for `-`; raise InputError if it cannot be read."""
    return read_bytes(file).decode("utf-8-sig", "replace")


def read_bytes(file: Path) -> bytes:
    """Return the content of a file, or of standard input for `-`; raise InputError if it cannot be read."""
    if str(file) == "-":
        return sys.stdin.buffer.read(MAX_FILE)
    try:
        if file.stat().st_size > MAX_FILE:
            raise InputError(f"{file} is larger than {MAX_FILE // 1_000_000} MB.", "Choose a smaller file.")
        return file.read_bytes()
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}.", "Choose an existing file.") from None
