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
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    json: Json = False,
) -> None:
    """Export the portal's archive as one WARC file with its CDXJ index."""
    if warc is None:
        raise UsageError("No file to export to was given.", f"Give one: {command('export', portal, '--warc', 'FILE')}")
    if os.path.lexists(warc) and not force:
        raise InputError(f"{warc} already exists.", "Choose another file, or overwrite it with --force.")
    store = open_store(portal, read_only=True)
    try:
        named = store.log.archived()
        last = store.log.last_archived()
    finally:
        store.close()
    done = export_archive(portal / ARCHIVE, warc, until=RecordPosition(*last) if last else None, named=named)
    if done.missing or done.problems:
        raise PortalError(_incomplete(warc, done), f"Find out what is wrong: {command('doctor', portal, '--deep')}")
    if json:
        print_json({"portal": str(portal), "file": str(warc), "records": done.records, "problems": done.problems})
        return
    console().print(f"Wrote {counted(done.records, 'record')} to ", bold(warc), ".")


def _incomplete(warc: Path, done: Exported) -> str:
    """Return one sentence on what the export is missing."""
    missing = "; ".join(f"{counted(number, 'response')} from {file}" for file, number in done.missing.items())
    wrong = ", ".join(f"{name} {number}" for name, number in done.problems.items())
    told = f"missing {missing}" if missing else "no crawled response is missing"
    found = f" (problems: {wrong})" if wrong else ""
    return f"The archive is damaged: {told}{found}; the intact records were written to {warc}."


@app.command("import", epilog="Example: thresher import my-portal old-crawl.warc.gz")
def import_(
    portal: Portal,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A WARC or ARC file, compressed or not.")],
    json: Json = False,
) -> None:
    """Import a WARC or ARC file into the portal's archive; crawl it with --replay."""
    require_portal(portal)
    done = import_archive(file, portal / ARCHIVE)
    if json:
        found = {"answers": done.answers, "known": done.known, "problems": done.problems}
        print_json({"portal": str(portal), "file": str(file), **found})
        return
    out = console()
    already = f"; {done.known:,} were already there" if done.known else ""
    out.print(f"Imported {counted(done.answers, 'response')}{already}.")
    out.print("Crawl them: ", bold(hint("crawl", portal, "--replay", portal / ARCHIVE)))
