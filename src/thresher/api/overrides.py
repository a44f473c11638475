"""Settings given in Python, as the `key=value` texts that commands take."""

import json
from collections.abc import Mapping
from typing import Any


def overrides_of(settings: Mapping[str, Any]) -> list[str]:
    """Return settings by their dotted keys as overrides.

    >>> overrides_of({"manners.delay": 0, "crawl.scope": "hosts", "network.map": {"*.test": "127.0.0.1:80"}})
    ['manners.delay=0', 'crawl.scope="hosts"', 'network.map={"*.test" = "127.0.0.1:80"}']
    """
    return [f"{key}={_toml(value)}" for key, value in settings.items()]


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
