"""`thresher new`: makes a portal."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, plain, print_json, program
from thresher.portals import create_portal


@app.command(epilog="Example: thresher new my-portal --seeds seeds.txt")
def new(
    portal: Portal,
    seeds: Annotated[
        Path | None,
        typer.Option("--seeds", metavar="FILE", help="Start pages, one URL per line; - reads them from stdin."),
    ] = None,
    json: Json = False,
) -> None:
    """Make a portal directory; reads the start pages and fetches nothing."""
    created = create_portal(portal, _text(seeds))
    if json:
        print_json({"portal": str(portal), "seeds": created.seeds, "problems": created.problems})
        return
    out = console()
    for problem in created.problems:
        out.print(f"[yellow]Left out[/] {plain(problem)}")
    out.print(f"Made [bold]{plain(str(portal))}[/] with {created.seeds} start pages.")
    file, name = plain(str(portal / "thresher.toml")), plain(str(portal))
    out.print(f"Set your contact in {file}, then: [bold]{program()} crawl {name} --pages 100[/]")


def _text(seeds: Path | None) -> str | None:
    if seeds is None:
        return None
    from thresher.errors import InputError

    if str(seeds) == "-":
        return sys.stdin.read()
    try:
        return seeds.read_text("utf-8-sig", errors="replace")
    except OSError as error:
        raise InputError(f"{seeds} cannot be read: {error.strerror}.", "Name a file with one URL per line.") from None
