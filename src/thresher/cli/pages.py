"""`thresher pages`: lists the accepted pages."""

from pathlib import Path
from typing import Annotated

import typer

from thresher.api.pages import Page, PageExport, PageList
from thresher.api.portal import Portal as OpenPortal
from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, counted, hint, print_json
from thresher.cli.screen import bold, dim
from thresher.errors import UsageError
from thresher.exports.page_files import ending_of


@app.command(epilog="Example: thresher pages my-portal Science/Physics --export physics.csv")
def pages(
    portal: Portal,
    topic: Annotated[
        str | None, typer.Argument(metavar="[TOPIC]", help="Only this topic and everything below it.")
    ] = None,
    number: Annotated[int, typer.Option("--number", min=1, help="How many pages to list.")] = 20,
    page: Annotated[int, typer.Option("--page", min=1, help="Page of the list, from 1.")] = 1,
    export: Annotated[
        Path | None,
        typer.Option("--export", metavar="FILE", help="Write all pages to FILE.csv, .jsonl, .html (bookmarks), .atom."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="With --export: overwrite an existing file.")] = False,
    json: Json = False,
) -> None:
    """List the accepted pages, best first.

    Pages that are gone or marked noindex are left out.
    """
    if force and export is None:
        raise UsageError("--force works only with --export.", "Leave it out.")
    if export is not None:
        ending_of(export)
    with OpenPortal.open(portal) as opened:
        found = opened.pages(topic)
        if export is not None:
            total = found.export(export, overwrite=force)
            _say_exported(portal, found.topic, export, total, json)
            return
        total, first = len(found), (page - 1) * number
        part = found[first : first + number]
    if json:
        rows = [row.to_dict() for row in part]
        listed: PageList = {"portal": str(portal), "topic": found.topic, "pages": rows, "total": total}
        print_json(listed)
    else:
        _show(portal, found.topic, part, first, total)


def _say_exported(portal: Path, topic: str | None, file: Path, total: int, json: bool) -> None:
    if json:
        exported: PageExport = {"portal": str(portal), "topic": topic, "file": str(file), "total": total}
        print_json(exported)
    else:
        console().print(f"Wrote {counted(total, 'page')} to ", bold(file), ".")


def _show(portal: Path, topic: str | None, pages: list[Page], first: int, total: int) -> None:
    out = console()
    of = f" of {topic}" if topic else ""
    if not total:
        out.print(f"No accepted pages{of} yet. Find some: ", bold(hint("run", portal)))
        return
    if not pages:
        out.print(f"There are only {counted(total, 'accepted page')}{of}.")
        return
    out.print(f"{counted(total, 'accepted page')}{of}, best first; the first column is the confidence.")
    for row in pages:
        place = "" if row.topic == topic else f"  {row.topic}"
        out.print(f"{row.confidence:7.2f}  ", bold(row.title or row.url), dim(place))
        out.print(f"         {row.url}")
    last = first + len(pages)
    if first or last < total:
        every = hint("pages", portal, *([topic] if topic else []), "--export", "FILE.csv")
        out.print(dim(f"Showing {first + 1:,}-{last:,}. All of them: {every}"))
