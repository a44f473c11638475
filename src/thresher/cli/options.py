"""Arguments and options that many commands share."""

from pathlib import Path
from typing import Annotated

import typer

Portal = Annotated[Path, typer.Argument(metavar="PORTAL", help="Directory of the portal.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on one line.")]
Set = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A setting for this crawl; repeatable.")
]
Data = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", envvar="THRESHER_DATA", help="Folder of the public collections."),
]
