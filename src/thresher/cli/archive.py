"""`thresher export` and `thresher import`: archives out of and into a portal."""

import os
from pathlib import Path
from typing import Annotated

import typer

from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, counted, hint, print_json
from thresher.cli.screen import bold
from thresher.errors import InputError, PortalError, UsageError, command
from thresher.store.archive.archive_files import ARCHIVE, RecordPosition
from thresher.store.archive.exporting import Exported
from thresher.store.archive.exporting import export as export_archive
from thresher.store.archive.importing import import_archive
from thresher.store.repository import open_store, require_portal


@app.command(epilog="Example: thresher export my-portal --warc pages.warc.gz")
def export(
    portal: Portal,
    warc: Annotated[Path | None, typer.Option("--warc", metavar="FILE", help="A new file ending in .warc.gz.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
    json: Json = False,
) -> None:
    """Write everything the portal has archived into one WARC file with its CDXJ index."""
    if warc is None:
        raise UsageError(
            "There is nothing to export to.", f"Name a file: {command('export', portal, '--warc', 'FILE')}"
        )
    if os.path.lexists(warc) and not force:
        raise InputError(f"{warc} exists already.", "Name another file, or write over it with --force.")
    store = open_store(portal, read_only=True)
    try:
        named = store.log.archived()
        last = store.log.last_archived()
    finally:
        store.close()
    done = export_archive(portal / ARCHIVE, warc, until=RecordPosition(*last) if last else None, named=named)
    if done.missing or done.problems:
        raise PortalError(_incomplete(warc, done), f"See what is wrong with it: {command('doctor', portal, '--deep')}")
    if json:
        print_json({"portal": str(portal), "file": str(warc), "records": done.records, "problems": done.problems})
        return
    console().print(f"Wrote {counted(done.records, 'record')} to ", bold(warc), ".")


def _incomplete(warc: Path, done: Exported) -> str:
    """Say in one sentence what an export lacks."""
    missing = "; ".join(f"{counted(number, 'answer')} of {file}" for file, number in done.missing.items())
    wrong = ", ".join(f"{name} {number}" for name, number in done.problems.items())
    told = f"missing are {missing}" if missing else "no answer of a crawl is missing"
    found = f" (problems: {wrong})" if wrong else ""
    return f"The archive is damaged: {told}{found}; what is whole was written to {warc}."


@app.command("import", epilog="Example: thresher import my-portal old-crawl.warc.gz")
def import_(
    portal: Portal,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A WARC or ARC file, packed or not.")],
    json: Json = False,
) -> None:
    """Take the answers of a WARC or ARC file into the portal's archive, to be crawled with --replay."""
    require_portal(portal)
    done = import_archive(file, portal / ARCHIVE)
    if json:
        found = {"answers": done.answers, "known": done.known, "problems": done.problems}
        print_json({"portal": str(portal), "file": str(file), **found})
        return
    out = console()
    already = f"; {done.known:,} were there already" if done.known else ""
    out.print(f"Imported {counted(done.answers, 'answer')}{already}.")
    out.print("Crawl them: ", bold(hint("crawl", portal, "--replay", portal / ARCHIVE)))
