"""The result of reading a file: its text with links, and its metadata."""

import re
from typing import Final

from msgspec import Struct

from thresher.documents.html import Markup

MAX_VALUE: Final = 300
"""Maximum length of a metadata value, in characters."""

_DATE: Final = re.compile(r"(?:D:)?(\d{4})-?(\d\d)?-?(\d\d)?(?:T?(\d\d):?(\d\d):?(\d\d)?)?")


class Extract(Struct, frozen=True, tag=True):
    """The text of a file, and its metadata in `about`: `author`, `created`, `modified`.

    `mime` is the detected type, empty if only its label is known; `size` is in bytes.
    """

    markup: Markup
    about: dict[str, str] = {}
    encoding: str = ""
    mime: str = ""
    size: int = 0


def statements(**said: str) -> dict[str, str]:
    """Return the metadata of a file, tidied and without missing values; dates are in ISO form.

    >>> statements(author=" Ann \\n Lee ", created="D:20240131120000Z", modified="")
    {'author': 'Ann Lee', 'created': '2024-01-31T12:00:00'}
    """
    found = {name: " ".join(value.split())[:MAX_VALUE] for name, value in said.items()}
    for name in ("created", "modified"):
        if name in found:
            found[name] = _date(found[name])
    return {name: value for name, value in found.items() if value}


def _date(written: str) -> str:
    """Return a date as `2024-01-31`, or with the time after a T; empty if it is not a date."""
    match = _DATE.match(written.strip())
    if match is None:
        return ""
    year, month, day, hour, minute, second = match.groups()
    if not month or not day or not 1 <= int(month) <= 12 or not 1 <= int(day) <= 31:
        return year if 1000 <= int(year) <= 2999 else ""
    date = f"{year}-{month}-{day}"
    return f"{date}T{hour}:{minute}:{second or '00'}" if hour else date
