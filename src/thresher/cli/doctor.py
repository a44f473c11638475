"""`thresher doctor`: is everything in order, and what to do where it is not."""

from pathlib import Path
from typing import Annotated

import typer

from thresher.cli.main import app
from thresher.cli.options import Json
from thresher.cli.output import as_called, console, plain, print_json
from thresher.doctor import FAIL, OK, WARN, examine

SIGNS = {OK: "[green]ok  [/]", WARN: "[yellow]warn[/]", FAIL: "[red]fail[/]"}


@app.command(epilog="Example: thresher doctor my-portal")
def doctor(
    portal: Annotated[Path | None, typer.Argument(metavar="[PORTAL]", help="Directory of the portal.")] = None,
    json: Json = False,
) -> None:
    """Check versions, disk, permissions and settings, and say what to do; exits with 1 where something fails."""
    checks = examine(portal)
    failed = any(check.state == FAIL for check in checks)
    if json:
        print_json({"checks": checks, "healthy": not failed})
    else:
        out = console()
        for check in checks:
            out.print(f"{SIGNS[check.state]} {check.name:12} {plain(check.detail)}")
            if check.remedy:
                out.print(f"     {'':12} [dim]{plain(as_called(check.remedy))}[/]")
    raise typer.Exit(1 if failed else 0)
