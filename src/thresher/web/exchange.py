"""One HTTP exchange: its state, and its possible answers."""

import asyncio
from contextlib import suppress
from contextvars import ContextVar
from typing import Any, Final

import aiohttp
from aiohttp.http_exceptions import HttpProcessingError

from thresher.protocols import Clock
from thresher.reasons import Reason
from thresher.types import Copy, Failed, Fetched, Redirected, Unchanged
from thresher.web.urls import parse

MAX_INTERIM: Final = 16
"""Maximum number of interim answers before the final one."""

_DRAINED: Final = 1 << 16
_DRAIN_SECONDS: Final = 0.5


# The peer of a request; known before there is a response. Each fetch runs in its own context.
_peer: ContextVar[str] = ContextVar("peer", default="")


class Response(aiohttp.ClientResponse):
    """A response that remembers its peer, which the connection forgets once the body has arrived.

    A server may send `MAX_INTERIM` interim answers (1xx) before the final one: each costs time and none says anything.
    """

    peer = ""
    _interim = 0

    async def start(self, connection: Any) -> "aiohttp.ClientResponse":
        """Record the peer that answers."""
        name = connection.transport.get_extra_info("peername") if connection.transport else None
        self.peer = str(name[0]) if name else ""
        _peer.set(self.peer)
        return await super().start(connection)

    @property
    def _continue(self) -> None:  # type: ignore[override]
        """Count interim answers: aiohttp reads this after each of them, for a request that waits to continue."""
        self._interim += 1
        if self._interim > MAX_INTERIM:
            raise HttpProcessingError(message="too many interim answers")


class Exchange:
    """One exchange that begins now; `response` is set as soon as the head of the answer arrives."""

    def __init__(self, url: str, clock: Clock) -> None:
        self.url = url
        self.at = clock.wall()
        self.response: aiohttp.ClientResponse | None = None
        self._clock = clock
        self._start = clock.now()
        _peer.set("")

    def _seconds(self) -> float:
        return self._clock.now() - self._start

    def _ip(self) -> str:
        return self.response.peer if isinstance(self.response, Response) else _peer.get()

    def failed(self, reason: Reason, detail: str = "", status: int | None = None, wait: float | None = None) -> Failed:
        """Return the answer for an exchange without a page; `wait` is in seconds."""
        return Failed(
            url=self.url,
            reason=reason,
            at=self.at,
            detail=detail,
            status=status,
            retry_after=wait,
            seconds=self._seconds(),
            ip=self._ip(),
        )

    def redirected(self, raw: bytes) -> Redirected | Failed:
        """Return where the answer redirects; a redirect to nowhere is a failure."""
        response = self.response
        assert response is not None
        location = next((value for name, value in response.raw_headers if name.lower() == b"location"), b"")
        try:
            text = location.decode()
        except UnicodeDecodeError:
            text = location.decode("latin-1")
        to = parse(text, self.url) if text.strip() else None
        if to is None:
            return self.failed(Reason.BAD_REDIRECT, detail=text[:200], status=response.status)
        return Redirected(
            url=self.url,
            to=to,
            status=response.status,
            at=self.at,
            seconds=self._seconds(),
            ip=self._ip(),
            headers=_fields(response),
            raw=raw,
            http_version=_version(response),
            request=_asked(response),
        )

    def unchanged(self, copy: Copy) -> Unchanged:
        """Return the answer that the copy is still current."""
        response = self.response
        assert response is not None
        return Unchanged(
            url=self.url,
            at=self.at,
            copy=copy,
            headers=_fields(response),
            status=response.status,
            seconds=self._seconds(),
            ip=self._ip(),
            http_version=_version(response),
            request=_asked(response),
        )

    def fetched(self, mime: str, body: bytes, raw: bytes, coding: str = "", limit: int = 0) -> Fetched:
        """Return the complete page; a `coding` that is still to be decoded may yield `limit` bytes."""
        response = self.response
        assert response is not None
        return Fetched(
            url=self.url,
            status=response.status,
            headers=_fields(response),
            body=body,
            raw=raw,
            mime=mime,
            at=self.at,
            seconds=self._seconds(),
            ip=self._ip(),
            http_version=_version(response),
            request=_asked(response),
            coding=coding,
            limit=limit,
        )


def _fields(response: aiohttp.ClientResponse) -> list[tuple[str, str]]:
    return [(name.decode("latin-1"), value.decode("latin-1")) for name, value in response.raw_headers]


def _version(response: aiohttp.ClientResponse) -> str:
    version = response.version
    return f"{version.major}.{version.minor}" if version else "1.1"


def _asked(response: aiohttp.ClientResponse) -> list[tuple[str, str]]:
    return [(str(name), value) for name, value in response.request_info.headers.items()]


async def drain(response: aiohttp.ClientResponse) -> bytes:
    """Read a short body so that its connection can be reused; a long or slow one costs the connection.

    Return the body as received, or nothing if it was not read to the end.
    """
    left = _DRAINED - (response.content_length or 0)
    received: list[bytes] = []
    with suppress(aiohttp.ClientError, OSError):
        async with asyncio.timeout(_DRAIN_SECONDS):
            while left >= 0 and (chunk := await response.content.readany()):
                received.append(chunk)
                left -= len(chunk)
            return b"".join(received) if left >= 0 else b""
    return b""
