"""Requests from other processes to a running crawl, and the replies."""

from enum import StrEnum
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from thresher.reasons import Reason


class _Command(Struct, frozen=True, kw_only=True, tag_field="kind", forbid_unknown_fields=True):
    """A command, stored under its tag."""


class StopCrawl(_Command, frozen=True, tag="stop"):
    """Ends the crawl; it can be resumed."""


class PauseCrawl(_Command, frozen=True, tag="pause"):
    """Stops fetching until the crawl is told to continue."""


class ContinueCrawl(_Command, frozen=True, tag="continue"):
    """Continues a paused crawl."""


class AddUrl(_Command, frozen=True, tag="add-url"):
    """Queues a URL like a start page."""

    url: str


class UnknownCommand(Struct, frozen=True, kw_only=True):
    """A command this program does not know, or not with these details; another version may have left it."""

    kind: str
    detail: dict[str, Any] = {}


_Known: TypeAlias = StopCrawl | PauseCrawl | ContinueCrawl | AddUrl
Command: TypeAlias = _Known | UnknownCommand


class Request(Struct, frozen=True, kw_only=True):
    """A command left for the engine at a wall time."""

    id: int
    at: float
    command: Command


class RequestResult(StrEnum):
    """The result of a request."""

    DONE = "done"
    REFUSED = "refused"
    UNKNOWN = "unknown"


class Reply(Struct, frozen=True, omit_defaults=True):
    """The reply to a request; `reason` is why a URL to be added is not fetched."""

    result: RequestResult
    reason: Reason | None = None


def pack_command(command: Command) -> tuple[str, dict[str, Any]]:
    """Return a command as its kind and its details.

    >>> pack_command(AddUrl(url="http://a.test/"))
    ('add-url', {'url': 'http://a.test/'})
    """
    if isinstance(command, UnknownCommand):
        return command.kind, command.detail
    fields: dict[str, Any] = msgspec.to_builtins(command)
    return fields.pop("kind"), fields


def unpack_command(kind: str, detail: dict[str, Any]) -> Command:
    """Return the command of a kind with its details.

    >>> unpack_command("pause", {}), unpack_command("add-url", {"page": 3})
    (PauseCrawl(), UnknownCommand(kind='add-url', detail={'page': 3}))
    """
    try:
        return msgspec.convert({**detail, "kind": kind}, _Known)  # type: ignore[no-any-return]
    except msgspec.ValidationError:
        return UnknownCommand(kind=kind, detail=detail)
