"""Changing a portal's settings file: one value at a time, comments and order kept."""

import os
import re
import tomllib
from pathlib import Path
from typing import Any, Final

import tomli_w

from thresher.config.load import FILE, load
from thresher.errors import PortalError
from thresher.file_rights import follow

_HEADER: Final = re.compile(r"\s*\[+([^\]]+)\]+\s*(#.*)?")


def with_value(text: str, key: str, value: Any) -> str:
    """Return the text of a settings file with a value at a dotted key; None takes the key out.

    >>> print(with_value("[network] # mine\\ncontact = 'a'  # old\\n", "network.contact", "b@c.test"))
    [network] # mine
    contact = "b@c.test"
    <BLANKLINE>
    """
    section, _, name = key.partition(".")
    wanted = tomllib.loads(text)
    table = wanted.setdefault(section, {})
    if value is None:
        table.pop(name, None)
    else:
        table[name] = value
    edited = _edited(text, section, name, value)
    try:
        good = {found: values for found, values in tomllib.loads(edited).items() if values}
    except tomllib.TOMLDecodeError:
        good = {}
    # What cannot be changed line by line, such as a list over several lines, is written anew.
    return edited if good == {found: values for found, values in wanted.items() if values} else tomli_w.dumps(wanted)


def change_setting(directory: Path, key: str, value: Any) -> None:
    """Write a setting of a portal, None for its default; raises SettingsError for a value that is not allowed.

    The old file is whole until the new one is, and stays where the new one would be wrong.
    """
    file = directory / FILE
    text = file.read_text("utf-8") if file.exists() else ""
    fresh = with_value(text, key, value)
    if value is not None:
        load(directory, [f"{key}={tomli_w.dumps({'x': value}).partition('=')[2].strip()}"])
    beside = file.with_suffix(".toml.new")
    try:
        with open(beside, "w", encoding="utf-8", opener=lambda path, flags: os.open(path, flags, 0o600)) as out:
            out.write(fresh)
            out.flush()
            os.fsync(out.fileno())
        follow(beside)
        beside.replace(file)
    except OSError as error:
        raise PortalError(
            f"{file} cannot be written: {error.strerror}.", "Free some disk space, or check its permissions."
        ) from None


def _edited(text: str, section: str, name: str, value: Any) -> str:
    lines = text.splitlines(keepends=True)
    entry = "" if value is None else tomli_w.dumps({name: value})
    inside, end = False, None
    for number, line in enumerate(lines):
        header = _HEADER.fullmatch(line.rstrip("\n"))
        if header:
            inside = header[1].strip() == section
        elif inside and re.match(rf"\s*{re.escape(name)}\s*=", line):
            return "".join([*lines[:number], entry, *lines[number + 1 :]])
        if inside and line.strip():
            end = number + 1
    if not entry:
        return text
    if end is None:
        gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
        return f"{text}{gap}[{section}]\n{entry}"
    before = lines[end - 1]
    lines[end - 1] = before if before.endswith("\n") else before + "\n"
    return "".join([*lines[:end], entry, *lines[end:]])
