"""Writes a list of sites to a file: CSV, JSON Lines or bookmarks, by file extension."""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, TypedDict

import msgspec

from thresher.errors import InputError, UsageError
from thresher.exports.csv_table import csv_line
from thresher.site_types import SitePageRow, SiteRow
from thresher.taxonomy.to_bookmarks import to_bookmarks
from thresher.taxonomy.topic_tree import Taxonomy, Topic, TrainingPage, parsed, put

ENDINGS: Final = (".csv", ".jsonl", ".html")

ListedSite = tuple[SiteRow, Sequence[SitePageRow]]
"""A site and its pages that were read."""


class SiteData(TypedDict):
    """A site with its most likely topic; `posterior` is the probability of that topic.

    `state` is `open`, `relevant`, `irrelevant` or `same` (as another site); `bookmarked` sites were given as examples.
    """

    site: str
    topic: str
    posterior: float
    pages_read: int
    state: str
    home: str
    bookmarked: bool


def site_object(row: SiteRow) -> SiteData:
    """Return a site as JSON data."""
    return {
        "site": row.site,
        "topic": row.topic,
        "posterior": row.posterior,
        "pages_read": row.pages,
        "state": row.state.value,
        "home": row.home,
        "bookmarked": row.bookmarked,
    }


def ending_of(file: Path) -> str:
    """Return the file extension; raise UsageError if it is not supported."""
    ending = file.suffix.lower()
    if ending not in ENDINGS:
        raise UsageError(
            f"Sites cannot be exported to {file.name}.", "End the name with .csv, .jsonl or .html (bookmarks)."
        )
    return ending


def site_lines(ending: str, sites: Sequence[ListedSite]) -> Iterator[str]:
    """Yield the text of a list of sites; CSV and JSON Lines include the pages read, as evidence."""
    if ending == ".csv":
        yield csv_line([*SiteData.__annotations__, "best_pages"])
        for row, pages in sites:
            best = " ".join(page.url for page in best_pages(pages))
            known = {**site_object(row), "bookmarked": "yes" if row.bookmarked else "no"}
            yield csv_line([*known.values(), best])
    elif ending == ".jsonl":
        for row, pages in sites:
            evidence = [
                {"url": page.url, "confidences": page.confidences, "posterior": page.posterior} for page in pages
            ]
            yield msgspec.json.encode({**site_object(row), "pages": evidence}).decode() + "\n"
    else:
        yield from _bookmarks([row for row, _ in sites]).splitlines(keepends=True)


def best_pages(pages: Sequence[SitePageRow], number: int = 3) -> list[SitePageRow]:
    """Return the pages that are most clearly on a topic."""
    said = [page for page in pages if page.confidences]
    return sorted(said, key=lambda page: page.confidences[-1])[:number]


def _bookmarks(rows: Sequence[SiteRow]) -> str:
    folders: dict[str, list[TrainingPage]] = {}
    for row in rows:
        folders.setdefault(row.topic, []).append(TrainingPage(row.home, row.site))
    tree = Taxonomy()
    for topic, pages in sorted(folders.items()):
        tree = put(tree, parsed(topic), Topic(name="", pages=tuple(pages)))
    return to_bookmarks(tree)


def write_sites(file: Path, sites: Sequence[ListedSite], *, force: bool = False) -> None:
    """Write sites to a file; an existing file is only replaced with `force`, atomically."""
    ending = ending_of(file)
    if os.path.lexists(file) and not force:
        raise InputError(f"{file} already exists.", "Choose another file, or overwrite it with --force.")
    part = file.with_name(file.name + ".part")
    try:
        with part.open("w", encoding="utf-8", newline="") as out:
            out.writelines(site_lines(ending, sites))
        part.replace(file)
    except OSError as error:
        raise InputError(f"{file} cannot be written: {error.strerror}.", "Choose another file.") from None
    finally:
        # Where nothing can be written, nothing can be removed.
        with suppress(OSError):
            part.unlink(missing_ok=True)
