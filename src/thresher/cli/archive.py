"""`thresher export` and `thresher import`: write a portal's archive to a WARC file, or read one into it."""

from pathlib import Path
from typing import Annotated

import typer

from thresher.api.archives import archive_folder, export_warc, import_warc
from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, counted, hint, print_json
from thresher.cli.screen import bold
from thresher.errors import UsageError, command


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
    done = export_warc(portal, warc, overwrite=force)
    if json:
        print_json(done)
        return
    console().print(f"Wrote {counted(done['records'], 'record')} to ", bold(warc), ".")


@app.command("import", epilog="Example: thresher import my-portal old-crawl.warc.gz")
def import_(
    portal: Portal,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A WARC or ARC file, compressed or not.")],
    json: Json = False,
) -> None:
    """Import a WARC or ARC file into the portal's archive; crawl it with --replay."""
    done = import_warc(portal, file)
    if json:
        print_json(done)
        return
    out = console()
    already = f"; {done['known']:,} were already there" if done["known"] else ""
    out.print(f"Imported {counted(done['answers'], 'response')}{already}.")
    out.print("Crawl them: ", bold(hint("crawl", portal, "--replay", archive_folder(portal))))
