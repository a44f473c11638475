"""`thresher new`: makes a portal."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, counted, hint, print_json
from thresher.cli.screen import bold, yellow
from thresher.errors import InputError, UsageError
from thresher.portals import create_portal
from thresher.taxonomy.from_bookmarks import ImportedTopics, from_bookmarks
from thresher.taxonomy.from_folder import from_folder
from thresher.taxonomy.topic_tree import from_query
from thresher.taxonomy.topics_file import read_topics

MAX_FILE = 100_000_000
"""Largest file of bookmarks, topics or seeds, in bytes."""


@app.command(epilog="Example: thresher new my-portal --bookmarks bookmarks.html")
def new(
    portal: Portal,
    bookmarks: Annotated[
        Path | None, typer.Option("--bookmarks", metavar="FILE", help="Bookmarks of a browser: folders are topics.")
    ] = None,
    topics: Annotated[
        Path | None, typer.Option("--topics", metavar="FILE", help="A topics.toml, as of another portal.")
    ] = None,
    folder: Annotated[
        Path | None, typer.Option("--folder", metavar="DIR", help="Local documents: subfolders are topics.")
    ] = None,
    query: Annotated[
        str | None, typer.Option("--query", metavar="WORDS", help="One topic, described by a query.")
    ] = None,
    seeds: Annotated[
        Path | None,
        typer.Option("--seeds", metavar="FILE", help="Start pages, one URL per line; - reads them from stdin."),
    ] = None,
    json: Json = False,
) -> None:
    """Make a portal directory; reads its input and fetches nothing."""
    if sum(source is not None for source in (bookmarks, topics, folder, query)) > 1:
        raise UsageError(
            "A portal is made from one of --bookmarks, --topics, --folder and --query.",
            "Make it from one of them; more topics can be added with thresher topics.",
        )
    gathered = _imported(bookmarks, topics, folder, query)
    text = None if seeds is None else read_bytes(seeds).decode("utf-8-sig", "replace")
    created = create_portal(portal, text, gathered.taxonomy if gathered else None)
    notices = gathered.notices if gathered else []
    number = sum(1 for _ in gathered.taxonomy.walk()) if gathered else 0
    if json:
        found = {"seeds": created.seeds, "topics": number, "problems": created.problems, "notices": notices}
        print_json({"portal": str(portal), **found})
        return
    out = console()
    for problem in created.problems:
        out.print(yellow("Left out"), f" {problem}")
    for notice in notices:
        out.print(yellow("Note:"), f" {notice}")
    with_topics = f"{counted(number, 'topic')} and " if number else ""
    starts = counted(created.seeds, "start page")
    out.print("Made ", bold(portal), f" with {with_topics}{starts}.")
    if not number and not created.seeds:
        out.print("Say what it is about: ", bold(hint("topics", portal, "add", "TOPIC", "URL")))
        return
    following = hint("run", portal) if number else hint("crawl", portal, "--pages", 100)
    out.print(f"Set your contact in {portal / 'thresher.toml'}, then: ", bold(following))


def _imported(
    bookmarks: Path | None, topics: Path | None, folder: Path | None, query: str | None
) -> ImportedTopics | None:
    """Return the topics of whichever source was named, or None where none was."""
    if bookmarks is not None:
        return from_bookmarks(read_bytes(bookmarks), bookmarks.stem)
    if topics is not None:
        return ImportedTopics(read_topics(read_bytes(topics).decode("utf-8-sig", "replace"), str(topics)), [])
    if folder is not None:
        return from_folder(folder)
    return ImportedTopics(from_query(query), []) if query is not None else None


def read_bytes(file: Path) -> bytes:
    """Return the content of a file that a person named, or of standard input for `-`; raises InputError."""
    if str(file) == "-":
        return sys.stdin.buffer.read(MAX_FILE)
    try:
        if file.stat().st_size > MAX_FILE:
            raise InputError(f"{file} is larger than {MAX_FILE // 1_000_000} MB.", "Name a smaller file.")
        return file.read_bytes()
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}.", "Name a file that is there.") from None
