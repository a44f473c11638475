"""Loads settings in layers (packaged defaults, the portal's file, the command line) and records each value's source."""

import difflib
import tomllib
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from thresher.config.settings import Settings
from thresher.config.unfit_values import unfit
from thresher.documents.formats.kinds import largest
from thresher.errors import SettingsError
from thresher.faults import RequestUnfit, SettingsUnreadable, UnknownSetting
from thresher.web.guard import AddressGuard

FILE = "thresher.toml"

COMMAND_LINE = "command line"

FREE = ("strategy", "network.map", "network.types")
"""Tables with user-defined keys."""

RENAMED = {"engine.review_every": "engine.reorder_every"}
"""Renamed settings, by their old names."""

GONE = {
    "train.negatives": "negative examples come from OTHERS, siblings, crawled pages and general language",
    "archetypes.alpha": "rounds are decided per topic, by agreement instead of a test",
    "train.explore": "pages near the training pages no longer count as negatives",
}
"""Removed settings, and why."""


class Loaded:
    """Settings with the source of every value, by dotted key."""

    def __init__(self, settings: Settings, sources: dict[str, str]) -> None:
        self.settings = settings
        self.sources = sources


def load(directory: Path | None = None, overrides: Sequence[str] = ()) -> Loaded:
    """Return the settings of a portal, or the defaults if there is none; `overrides` are `key=value` strings.

    >>> load(overrides=["manners.delay=0"]).settings.manners.delay
    0.0
    """
    values = flat(defaults())
    sources = dict.fromkeys(values, "default")
    known = list(values)
    if directory is not None and (directory / FILE).exists():
        path = directory / FILE
        _merge(values, sources, _read(path), str(path), known)
    for key, value in map(_pair, overrides):
        _merge(values, sources, {key: value}, COMMAND_LINE, known)
    return Loaded(validated(nested(values), sources), sources)


def given_values(overrides: Sequence[str]) -> dict[str, Any]:
    """Return the values of `key=value` strings by dotted key; raise SettingsError if there is no such setting.

    >>> given_values(["manners.delay=2"])
    {'manners.delay': 2}
    """
    values: dict[str, Any] = {}
    known = list(flat(defaults()))
    for key, value in map(_pair, overrides):
        _merge(values, {}, {key: value}, COMMAND_LINE, known)
    return values


def _pair(override: str) -> tuple[str, Any]:
    """Return the key and the value of an override."""
    key, equals, text = override.partition("=")
    if not equals:
        raise SettingsError(
            f"'{override}' is not of the form key=value.", "Write it like manners.delay=2.", RequestUnfit()
        )
    return key.strip(), _value(text.strip())


def defaults() -> dict[str, Any]:
    """Return the defaults as nested tables: the packaged ones, and the types of documents that can be read."""
    tables = tomllib.loads(resources.files("thresher.config").joinpath("defaults.toml").read_text("utf-8"))
    tables["network"]["types"] = largest()
    return tables


def flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return nested tables under dotted keys; tables with user-defined keys stay nested.

    >>> flat({"a": {"b": 1}})
    {'a.b': 1}
    """
    result: dict[str, Any] = {}
    for key, value in table.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict) and name not in FREE and not name.startswith("strategy."):
            result.update(flat(value, f"{name}."))
        elif name == "strategy" and isinstance(value, dict):
            result.update({f"strategy.{inner}": parameters for inner, parameters in value.items()})
        else:
            result[name] = value
    return result


def nested(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return dotted keys as nested tables.

    >>> nested({"a.b": 1})
    {'a': {'b': 1}, 'strategy': {}}
    """
    result: dict[str, Any] = {}
    for key, value in values.items():
        section, _, name = key.partition(".")
        result.setdefault(section, {})[name] = value
    result.setdefault("strategy", {})
    return result


def validated(tables: dict[str, Any], sources: Mapping[str, str]) -> Settings:
    """Return the typed settings; raise SettingsError with the first invalid value and its source."""
    try:
        settings = Settings.model_validate(tables)
        # Invalid hosts and addresses are refused here, long before anything is fetched.
        AddressGuard(settings.network.allow, settings.network.map)
        return settings
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"][:2])
        where = sources.get(key, "the settings")
        place = "" if where == COMMAND_LINE else f" in {where}"
        raise SettingsError(
            f"The setting {key} = {first['input']!r}{place} is invalid: {_plain(first['msg'])}.",
            f"See its description: thresher config show --key {key}",
            unfit(key, first),
        ) from None


def _plain(told: str) -> str:
    """Return pydantic's message about a value, without its wording for programmers.

    >>> _plain("Input should be a valid integer, unable to parse string as an integer")
    'it should be a valid integer'
    """
    said = told.removeprefix("Value error, ").partition(", unable to parse")[0]
    return (said[:1].lower() + said[1:]).replace("input should", "it should")


def _read(path: Path) -> dict[str, Any]:
    """Return the contents of a settings file under dotted keys."""
    if not path.is_file():
        raise SettingsError(
            f"{path} is not a file.", "Replace it with a settings file, or move it away.", SettingsUnreadable()
        )
    try:
        return flat(tomllib.loads(path.read_text("utf-8")))
    except RecursionError:
        raise SettingsError(
            f"{path} is nested too deeply.", "Write settings as in [manners] and delay = 2.", SettingsUnreadable()
        ) from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(
            f"{path} is not valid TOML: {error}.", "Fix that line and try again.", SettingsUnreadable()
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"{path} cannot be read: {error}.", "Check its permissions and its encoding.", SettingsUnreadable()
        ) from None


def _merge(
    values: dict[str, Any], sources: dict[str, str], new: Mapping[str, Any], source: str, known: Sequence[str]
) -> None:
    # Whoever gives a setting in a call or on the command line sees where it is.
    where = "" if source == COMMAND_LINE else f" ({source})"
    for key, value in new.items():
        if key in RENAMED:
            raise SettingsError(
                f"The setting '{key}'{where} is now called '{RENAMED[key]}'.",
                "Use the new name.",
                UnknownSetting(setting=key),
            )
        if key in GONE:
            raise SettingsError(
                f"There is no setting '{key}' any more{where}: {GONE[key]}.",
                "Remove it.",
                UnknownSetting(setting=key),
            )
        if key not in known and not key.startswith("strategy."):
            close = difflib.get_close_matches(key, known, 1, 0.5)
            remedy = f"Did you mean '{close[0]}'?" if close else "List all settings: thresher config show"
            raise SettingsError(f"There is no setting '{key}'{where}.", remedy, UnknownSetting(setting=key))
        values[key] = value
        sources[key] = source


def _value(text: str) -> Any:
    """Parse a command-line value as TOML, or return it as a plain string."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (tomllib.TOMLDecodeError, RecursionError):
        return text
