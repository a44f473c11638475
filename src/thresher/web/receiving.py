"""Receives a body: detects its type and stops at the size limit."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import aiohttp

from thresher.reasons import Reason
from thresher.web.body_room import BodyRoom
from thresher.web.codings import Decoder
from thresher.web.robots import MAX_ROBOTS
from thresher.web.sniff import SIGNATURES, SNIFFED, essence, last_type, may_lie, sniff

_DETAIL: Final = 200


class Received(NamedTuple):
    """A complete body: its type, its bytes with the codings undone, and its bytes as they came."""

    mime: str
    body: bytes
    raw: bytes


class BodyRefused(NamedTuple):
    """Why a body was not taken, and what is known of it."""

    reason: Reason
    detail: str = ""


class Hold:
    """What a body holds in the room for all of them while an exchange with a `deadline` lasts."""

    def __init__(self, room: BodyRoom, deadline: asyncio.Timeout) -> None:
        self._room = room
        self._deadline = deadline

    async def grow(self, size: int) -> bool:
        """Wait until the body may be so large; return False if there is no room to wait for."""
        return await self._room.take(self, size, self._deadline)

    def end(self, answer: object | None = None) -> None:
        """Give the room back, now or once an answer with the body is no longer in memory."""
        if answer is None:
            self._room.leave(self)
        else:
            self._room.leave_with(answer, self)


class _Label:
    """What a body is said to be, and what it turns out to be once its first bytes are there."""

    def __init__(
        self, response: aiohttp.ClientResponse, types: Mapping[str, int], signatures: Sequence[tuple[bytes, str]]
    ) -> None:
        self._length = response.content_length or 0
        self._types = types
        self._signatures = signatures
        self._declared = last_type(response.headers.getall("Content-Type", []))
        self._nosniff = "nosniff" in response.headers.get("X-Content-Type-Options", "").lower()
        self.mime = essence(self._declared) or ""
        self.doubtful = may_lie(self._declared, self._nosniff)

    @property
    def limit(self) -> int:
        """The largest body of this type, or of any type as long as the type is not known."""
        return self._types.get(self.mime, max(self._types.values(), default=0))

    def decide(self) -> BodyRefused | None:
        """Refuse a body for its type, or for the length it announces."""
        if self.mime not in self._types and not self.doubtful:
            return BodyRefused(Reason.TYPE_REFUSED, self.mime[:_DETAIL])
        if self._length > self.limit:
            return BodyRefused(
                Reason.BODY_TOO_LARGE, f"{self._length} bytes of {self.mime}, at most {self.limit}"[:_DETAIL]
            )
        return None

    def look(self, decoder: Decoder) -> BodyRefused | None:
        """Find out what the body is from its first bytes; refuse it for what it is."""
        self.doubtful = False
        self.mime = sniff(decoder.head(SNIFFED), self._declared, self._nosniff, self._signatures)
        refused = self.decide()
        if refused is None:
            decoder.tighten(self.limit)
        return refused


async def receive(
    response: aiohttp.ClientResponse,
    types: Mapping[str, int],
    hold: Hold | None = None,
    signatures: Sequence[tuple[bytes, str]] = SIGNATURES,
) -> Received | BodyRefused:
    """Read a body as far as its type and size allow; `types` maps accepted MIME types to their largest bodies in bytes.

    Both the declared and the received type and size count: a label that may lie is checked against the first bytes, by
    the `signatures` of known types. A large body waits until it can `hold` so much, which it still does in the end.
    """
    label = _Label(response, types, signatures)
    refused = label.decide()
    if refused is not None:
        return refused
    decoder = _decoder(response, label.limit)
    received: list[bytes] = []
    async for chunk in response.content.iter_any():
        received.append(chunk)
        decoder.feed(chunk)
        if label.doubtful and decoder.decoded >= SNIFFED:
            refused = label.look(decoder)
        if refused or decoder.failure:
            break
        if hold is not None and not await hold.grow(decoder.held):
            response.close()
            return BodyRefused(Reason.NO_ROOM)
    if label.doubtful and not decoder.failure:
        refused = label.look(decoder)
    return refused or _result(response, label.mime, decoder, decoder.finish(), received)


async def receive_robots(response: aiohttp.ClientResponse) -> Received | BodyRefused:
    """Read a robots file, which may have any type and is cut at its limit."""
    decoder = _decoder(response, MAX_ROBOTS)
    received: list[bytes] = []
    async for chunk in response.content.iter_any():
        received.append(chunk)
        if decoder.feed(chunk):
            break
    mime = essence(last_type(response.headers.getall("Content-Type", []))) or "text/plain"
    return _result(response, mime, decoder, decoder.cut(), received)


def _decoder(response: aiohttp.ClientResponse, limit: int) -> Decoder:
    return Decoder(",".join(response.headers.getall("Content-Encoding", [])), limit)


def _result(
    response: aiohttp.ClientResponse, mime: str, decoder: Decoder, body: bytes | Reason, received: list[bytes]
) -> Received | BodyRefused:
    if isinstance(body, Reason):
        response.close()
        return BodyRefused(
            body, f"{mime}, at most {decoder.limit} bytes"[:_DETAIL] if body is Reason.BODY_TOO_LARGE else ""
        )
    return Received(mime, body, body if decoder.plain else b"".join(received))
