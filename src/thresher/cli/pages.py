"""`thresher pages`: lists the pages that the topics have accepted."""

import difflib
import time
from pathlib import Path
from typing import Annotated

import typer

from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, counted, hint, print_json
from thresher.cli.screen import bold, dim
from thresher.errors import InputError, UsageError
from thresher.exports.page_files import ending_of, write_pages
from thresher.exports.page_objects import page_object
from thresher.portals import load_topics
from thresher.store.page_records import AcceptedPage
from thresher.store.protocol import Store
from thresher.store.repository import open_store
from thresher.taxonomy.topic_tree import parsed, written


@app.command(epilog="Example: thresher pages my-portal Science/Physics --export physics.csv")
def pages(
    portal: Portal,
    topic: Annotated[
        str | None, typer.Argument(metavar="[TOPIC]", help="Only this topic and everything below it.")
    ] = None,
    number: Annotated[int, typer.Option("--number", min=1, help="How many pages to list.")] = 20,
    page: Annotated[int, typer.Option("--page", min=1, help="Which part of the list: 2 for the next pages.")] = 1,
    export: Annotated[
        Path | None,
        typer.Option("--export", metavar="FILE", help="Write all pages to FILE.csv, .jsonl, .html (bookmarks), .atom."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="With --export: write over a file that is there.")] = False,
    json: Json = False,
) -> None:
    """List the pages that the topics have accepted, best first.

    Pages that are gone, and pages that ask not to be indexed, are left out.
    """
    if force and export is None:
        raise UsageError("--force belongs to --export.", "Leave it out.")
    if export is not None:
        ending_of(export)
    store = open_store(portal, read_only=True)
    try:
        path = _path(store, portal, topic) if topic is not None else None
        if export is not None:
            _export(store, portal, path, export, force, json)
            return
        total = store.documents.count_accepted(path)
        first = (page - 1) * number
        found = list(store.documents.accepted(path, limit=number, offset=first))
    finally:
        store.close()
    if json:
        print_json({"portal": str(portal), "topic": path, "pages": [page_object(row) for row in found], "total": total})
    else:
        _show(portal, path, found, first, total)


def _path(store: Store, portal: Path, topic: str) -> str | None:
    """Return the written path of a topic, None for the top; raises InputError where there is no such topic."""
    path = written(parsed(topic))
    if not path:
        return None
    names = [written(names) for names, _ in load_topics(portal).walk()]
    # Pages keep a topic that was renamed or deleted until they are judged again.
    if path in names or store.documents.count_accepted(path):
        return path
    close = difflib.get_close_matches(path, names, 1, 0.4)
    known = f"There are: {', '.join(names[:20])}." if names else "This portal has no topics."
    raise InputError(f"There is no topic '{topic}'.", f"Did you mean '{close[0]}'?" if close else known)


def _export(store: Store, portal: Path, topic: str | None, file: Path, force: bool, json: bool) -> None:
    title = " / ".join((portal.resolve().name, *parsed(topic or "")))
    rows = store.documents.accepted(topic)
    total = write_pages(file, rows, title=title, at=time.time(), force=force)
    if json:
        print_json({"portal": str(portal), "topic": topic, "file": str(file), "total": total})
    else:
        console().print(f"Wrote {counted(total, 'page')} to ", bold(file), ".")


def _show(portal: Path, topic: str | None, pages: list[AcceptedPage], first: int, total: int) -> None:
    out = console()
    of = f" of {topic}" if topic else ""
    if not total:
        out.print(f"No accepted pages{of} yet. Find some: ", bold(hint("run", portal)))
        return
    if not pages:
        out.print(f"There are only {counted(total, 'accepted page')}{of}.")
        return
    out.print(f"{counted(total, 'accepted page')}{of}, best first; the number in front is the confidence.")
    for row in pages:
        place = "" if row.topic == topic else f"  {row.topic}"
        out.print(f"{row.confidence:7.2f}  ", bold(row.title or row.url), dim(place))
        out.print(f"         {row.url}")
    last = first + len(pages)
    if first or last < total:
        out.print(dim(f"Shown: {first + 1:,} to {last:,}. Everything: {hint('pages', portal, '--export', 'FILE.csv')}"))
