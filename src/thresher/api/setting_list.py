"""The settings as a list: each with its value, where the value comes from, and what it means."""

import difflib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from thresher.config.describe import description
from thresher.config.load import flat, load
from thresher.errors import SettingsError
from thresher.store.repository import require_portal


class Setting(Struct, frozen=True):
    """A setting; `source` is `default`, the path of the portal's file, or the command line."""

    key: str
    value: Any
    source: str
    meaning: str


def list_settings(portal: Path | None = None, key: str | None = None, overrides: Sequence[str] = ()) -> list[Setting]:
    """Return the settings of a portal, or the defaults if there is none.

    `key` selects one setting or section; raises SettingsError if there is no such one. `overrides` are `key=value`
    strings.

    >>> [(setting.key, setting.value, setting.source) for setting in list_settings(key="manners.delay")]
    [('manners.delay', 1.0, 'default')]
    """
    if portal is not None:
        require_portal(portal)
    loaded = load(portal, overrides)
    values = flat(loaded.settings.model_dump(mode="json"))
    chosen = [name for name in values if key is None or name == key or name.startswith(f"{key}.")]
    if not chosen:
        close = difflib.get_close_matches(str(key), list(values), 1, 0.5)
        remedy = f"Did you mean '{close[0]}'?" if close else "List all: thresher config show"
        raise SettingsError(f"There is no setting '{key}'.", remedy)
    return [Setting(name, values[name], loaded.sources.get(name, "default"), description(name)) for name in chosen]
