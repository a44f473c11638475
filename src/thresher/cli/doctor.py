"""`thresher doctor`: checks the installation and a portal, and suggests remedies."""

from pathlib import Path
from typing import Annotated

import typer

from thresher.cli.admin_shapes import CheckData, DoctorData
from thresher.cli.main import app
from thresher.cli.options import Json
from thresher.cli.output import as_called, console, print_json
from thresher.cli.screen import dim, green, red, yellow
from thresher.doctor import FAIL, OK, WARN, examine

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
    checks = examine(portal, deep=deep)
    failed = any(check.state == FAIL for check in checks)
    if json:
        rows: list[CheckData] = [
            {"name": check.name, "state": check.state, "detail": check.detail, "remedy": check.remedy}
            for check in checks
        ]
        examined: DoctorData = {"checks": rows, "healthy": not failed}
        print_json(examined)
    else:
        out = console()
        for check in checks:
            out.print(SIGNS[check.state], f" {check.name:12} {check.detail}")
            if check.remedy:
                out.print(f"     {'':12} ", dim(as_called(check.remedy)))
    raise typer.Exit(1 if failed else 0)
