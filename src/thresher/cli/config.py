"""`thresher config show`: every setting, its value and where it comes from."""

from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from thresher.api.setting_list import list_settings
from thresher.cli.admin_shapes import SettingData, SettingsData
from thresher.cli.main import CommandGroup, app
from thresher.cli.options import Json, Set
from thresher.cli.output import console, print_json
from thresher.cli.screen import bold, dim

SHORT = 60
"""Longest list or table, in characters, that is shown in full among all settings."""

config = typer.Typer(help="Show the settings.", cls=CommandGroup, no_args_is_help=True, rich_markup_mode=None)
app.add_typer(config, name="config")


@config.command(epilog="Example: thresher config show my-portal --key manners.delay")
def show(
    portal: Annotated[Path | None, typer.Argument(metavar="[PORTAL]", help="Directory of the portal.")] = None,
    key: Annotated[str | None, typer.Option("--key", help="Only this setting or section.")] = None,
    overrides: Set = None,
    json: Json = False,
) -> None:
    """Show every setting with its value and where the value comes from."""
    rows: list[SettingData] = [
        {"key": setting.key, "value": setting.value, "source": setting.source, "meaning": setting.meaning}
        for setting in list_settings(portal, key, overrides or [])
    ]
    if json:
        listed: SettingsData = {"settings": rows}
        print_json(listed)
    else:
        _print(rows, whole=key is not None)


def _print(rows: list[SettingData], whole: bool) -> None:
    """Print settings as lines of TOML, each followed by its source and meaning."""
    out = console()
    for row in rows:
        line = f"{row['key']} = {written(row['value'], SHORT if not whole else None)}"
        source = dim(row["source"]) if row["source"] == "default" else bold(row["source"])
        out.print(f"{line:<40}  ", dim("# "), source, dim(f". {row['meaning']}"))


def written(value: Any, longest: int | None = None) -> str:
    """Return a value as TOML; lists and tables longer than `longest` characters are cut after the first entry.

    >>> written(True), written("web"), written({"a.test": 1}), written([1, 2, 3], longest=5)
    ('true', '"web"', '{"a.test" = 1}', '[1, … 2 more]')
    """
    match value:
        case dict():
            parts = [f"{written(key)} = {written(inner)}" for key, inner in value.items()]
            left, right = "{}"
        case list():
            parts = [written(inner) for inner in value]
            left, right = "[]"
        case _:
            return msgspec.json.encode(value).decode()
    whole = f"{left}{', '.join(parts)}{right}"
    if longest is None or len(whole) <= longest or len(parts) < 2:
        return whole
    return f"{left}{parts[0]}, … {len(parts) - 1} more{right}"
