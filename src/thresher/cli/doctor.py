"""`thresher doctor`: checks the installation and a portal, and suggests remedies."""

from pathlib import Path
from typing import Annotated

import typer

from thresher.api.checking import FAIL, OK, WARN, check
from thresher.cli.admin_shapes import CheckData, DoctorData
from thresher.cli.main import app
from thresher.cli.options import Json
from thresher.cli.output import as_called, console, print_json
from thresher.cli.screen import dim, green, red, yellow

SIGNS = {OK: green("ok  "), WARN: yellow("warn"), FAIL: red("fail")}


@app.command(epilog="Example: thresher doctor my-portal")
def doctor(
    portal: Annotated[Path | None, typer.Argument(metavar="[PORTAL]", help="Directory of the portal.")] = None,
    deep: Annotated[bool, typer.Option("--deep", help="Read every record of the archive.")] = False,
    json: Json = False,
) -> None:
    """Check versions, disk, permissions, settings, repository and archive, and suggest remedies.

    Exits with 1 if a check fails. Large archives are checked by file size and a sample; --deep reads everything.
    """
    checks = check(portal, deep=deep)
    failed = any(done.state == FAIL for done in checks)
    if json:
        rows: list[CheckData] = [
            {"name": done.name, "state": done.state, "detail": done.detail, "remedy": done.remedy} for done in checks
        ]
        examined: DoctorData = {"checks": rows, "healthy": not failed}
        print_json(examined)
    else:
        out = console()
        for done in checks:
            out.print(SIGNS[done.state], f" {done.name:12} {done.detail}")
            if done.remedy:
                out.print(f"     {'':12} ", dim(as_called(done.remedy)))
    raise typer.Exit(1 if failed else 0)
