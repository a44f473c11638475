"""Validators for conditional requests, and how a server compares them (RFC 9110, section 13)."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from thresher.types import Copy

LONGEST: Final = 1000
"""Maximum length in characters of a validator to keep and send back."""


def conditions(copy: Copy) -> dict[str, str]:
    """Return the header fields that request a page only if it has changed; values that no field can hold are left out.

    >>> conditions(Copy(etag='"a"'))
    {'If-None-Match': '"a"'}
    """
    wanted = {"If-None-Match": copy.etag, "If-Modified-Since": copy.last_modified}
    return {name: value for name, value in wanted.items() if _sendable(value)}


def is_current(fields: Mapping[str, str], etag: str, last_modified: str) -> bool:
    """Return whether the copy named in a request is current; `fields` are its fields by lower-case name.

    `etag` and `last_modified` are those of the current page, empty if it has none. Tags take precedence over dates.

    >>> is_current({"if-none-match": 'W/"a", "b"'}, etag='"a"', last_modified="")
    True
    """
    tags = fields.get("if-none-match")
    if tags is not None:
        return bool(etag) and (tags.strip() == "*" or _opaque(etag) in map(_opaque, tags.split(",")))
    since, modified = _date(fields.get("if-modified-since", "")), _date(last_modified)
    return since is not None and modified is not None and modified <= since


def _sendable(value: str) -> bool:
    return bool(value) and len(value) <= LONGEST and value.isascii() and value.isprintable()


def _opaque(tag: str) -> str:
    """Return a tag without its weakness mark, which does not count here."""
    return tag.strip().removeprefix("W/")


def _date(value: str) -> datetime | None:
    with suppress(ValueError, TypeError, IndexError, OverflowError):
        date = parsedate_to_datetime(value)
        return date if date.tzinfo else date.replace(tzinfo=UTC)
    return None
