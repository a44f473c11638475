"""Edits a portal's settings file one setting at a time, keeping comments and everything else."""

import re
import tomllib
from typing import Any

import tomli_w

from thresher.config.load import FILE, flat, nested
from thresher.errors import SettingsError
from thresher.faults import SettingsUnreadable


def with_setting(text: str, key: str, value: Any) -> str:
    """Return a settings file with a setting changed, or removed for None; comments are kept if possible.

    >>> print(with_setting("[manners]\\n# slow\\ndelay = 2\\n", "manners.delay", 3.5))
    [manners]
    # slow
    delay = 3.5
    <BLANKLINE>
    >>> with_setting("", "portal.title", "Tea")
    '[portal]\\ntitle = "Tea"\\n'

    Raises SettingsError if the text is not a valid settings file.
    """
    try:
        wanted = flat(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise SettingsError(f"{FILE}: {error}.", fault=SettingsUnreadable()) from None
    if value is None:
        wanted.pop(key, None)
    else:
        wanted[key] = value
    made = _edited(text, key, value)
    if _parsed(made) != wanted:
        # The setting is in a form that line edits cannot handle, such as an inline table.
        tables = {name: table for name, table in nested(wanted).items() if table}
        made = tomli_w.dumps(tables)
    return made


def toml_value(value: Any) -> str:
    """Return a value in TOML syntax; a table takes one line.

    >>> toml_value({"*.test": "127.0.0.1:80"}), toml_value(["a", "b"]), toml_value(True)
    ('{"*.test" = "127.0.0.1:80"}', '[\\n    "a",\\n    "b",\\n]', 'true')
    """
    if isinstance(value, dict):
        parts = (f"{toml_value(str(key))} = {toml_value(inner)}" for key, inner in value.items())
        return f"{{{', '.join(parts)}}}"
    return tomli_w.dumps({"value": value}).partition("=")[2].strip()


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        return flat(tomllib.loads(text))
    except tomllib.TOMLDecodeError:
        return None


def _edited(text: str, key: str, value: Any) -> str:
    """Return the text with the line of a setting changed, added or removed."""
    section, _, name = key.partition(".")
    line = "" if value is None else f"{name} = {toml_value(value)}"
    lines = text.splitlines()
    heads = [place for place, one in enumerate(lines) if re.fullmatch(rf"\[{section}\]\s*(#.*)?", one.strip())]
    if not heads:
        return text if value is None else f"{text.rstrip()}\n\n[{section}]\n{line}\n".lstrip("\n")
    start = heads[0] + 1
    following = (place for place in range(start, len(lines)) if lines[place].lstrip().startswith("["))
    end = next(following, len(lines))
    own = [place for place in range(start, end) if re.match(rf"\s*{re.escape(name)}\s*=", lines[place])]
    if own:
        lines[own[0] : own[0] + 1] = [line] if line else []
    elif line:
        while end > start and not lines[end - 1].strip():
            end -= 1
        lines.insert(end, line)
    return "\n".join(lines) + "\n"
