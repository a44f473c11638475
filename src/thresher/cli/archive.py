"""`thresher export` and `thresher import`: archives out of and into a portal."""

from pathlib import Path
from typing import Annotated

import typer

from thresher.build import ARCHIVE
from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, hint, plain, print_json
from thresher.errors import InputError, UsageError, command
from thresher.store.archive.archive_files import RecordPosition
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
    if warc.exists() and not force:
        raise InputError(f"{warc} exists already.", "Name another file, or write over it with --force.")
    store = open_store(portal, read_only=True)
    try:
        last = store.log.last_archived()
    finally:
        store.close()
    done = export_archive(portal / ARCHIVE, warc, until=RecordPosition(*last) if last else None)
    if json:
        print_json({"portal": str(portal), "file": str(warc), "records": done.records, "problems": done.problems})
        return
    console().print(f"Wrote {done.records:,} records to [bold]{plain(str(warc))}[/].")


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
        print_json({"portal": str(portal), "file": str(file), "answers": done.answers, "problems": done.problems})
        return
    out = console()
    out.print(f"Imported {done.answers:,} answers.")
    out.print(f"Crawl them: [bold]{hint('crawl', portal, '--replay', portal / ARCHIVE)}[/]")
