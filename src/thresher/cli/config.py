"""`thresher config show`: every setting, its value and where it comes from."""

import difflib
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from thresher.cli.main import app
from thresher.cli.options import Json, Set
from thresher.cli.output import console, plain, print_json
from thresher.config.describe import description
from thresher.config.load import flat, load
from thresher.errors import SettingsError
from thresher.store.sqlite.store import require_portal

config = typer.Typer(help="Look at settings.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(config, name="config")


@config.command(epilog="Example: thresher config show my-portal --key manners.delay")
def show(
    portal: Annotated[Path | None, typer.Argument(metavar="[PORTAL]", help="Directory of the portal.")] = None,
    key: Annotated[str | None, typer.Option("--key", help="Only this setting or section.")] = None,
    overrides: Set = None,
    json: Json = False,
) -> None:
    """Show every setting with its value and where the value comes from."""
    if portal is not None:
        require_portal(portal)
    loaded = load(portal, overrides or [])
    values = flat(loaded.settings.model_dump(mode="json"))
    if key is not None:
        chosen = {name: value for name, value in values.items() if name == key or name.startswith(f"{key}.")}
        if not chosen:
            close = difflib.get_close_matches(key, list(values), 1, 0.5)
            remedy = f"Did you mean '{close[0]}'?" if close else "List all: thresher config show"
            raise SettingsError(f"There is no setting '{key}'.", remedy)
        values = chosen
    rows = [
        {"key": name, "value": value, "source": loaded.sources.get(name, "default"), "meaning": description(name)}
        for name, value in values.items()
    ]
    if json:
        print_json({"settings": rows})
    else:
        _print(rows, described=key is not None)


def _print(rows: list[dict[str, Any]], described: bool) -> None:
    table = Table(box=None, pad_edge=False)
    for heading in ("setting", "value", "from"):
        table.add_column(heading, overflow="fold")
    if described:
        table.add_column("meaning", overflow="fold")
    for row in rows:
        cells = [row["key"], repr(row["value"]), row["source"], *([row["meaning"]] if described else [])]
        table.add_row(*[plain(str(cell)) for cell in cells])
    out = console()
    out.soft_wrap = False
    out.print(table)
