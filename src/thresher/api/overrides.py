"""Converts settings given in Python to the `key=value` strings that `--set` takes."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

Settings = Mapping[str, Any] | Sequence[str]
"""Settings by dotted key, as in `{"manners.delay": 2}`, or as strings in the syntax of `--set`."""


def overrides_of(settings: Settings | None) -> list[str]:
    """Return settings as overrides.

    >>> overrides_of({"manners.delay": 0, "crawl.scope": "hosts", "network.map": {"*.test": "127.0.0.1:80"}})
    ['manners.delay=0', 'crawl.scope="hosts"', 'network.map={"*.test" = "127.0.0.1:80"}']
    >>> overrides_of(["crawl.scope=hosts"])
    ['crawl.scope=hosts']
    """
    if isinstance(settings, Mapping):
        return [f"{key}={_toml(value)}" for key, value in settings.items()]
    return list(settings or ())


def limits_of(pages: int | None, hours: float | None) -> dict[str, float]:
    """Return the given budgets by setting.

    >>> limits_of(5, None)
    {'crawl.pages': 5}
    """
    named = {"crawl.pages": pages, "crawl.hours": hours}
    return {key: value for key, value in named.items() if value is not None}


def _toml(value: Any) -> str:
    match value:
        case Mapping():
            return "{" + ", ".join(f"{json.dumps(key)} = {_toml(inner)}" for key, inner in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(_toml, value)) + "]"
        case bool() | str():
            return json.dumps(value)
        case _:
            return repr(value)
