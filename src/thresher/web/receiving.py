"""Receives a body: detects its type and stops at the size limit.

There is no time to decode large bodies while receiving: a large compressed body is passed on as it is, and decoded by
whoever reads it.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import aiohttp

from thresher.reasons import Reason
from thresher.web.body_room import LARGE, BodyRoom
from thresher.web.codings import Decoder
from thresher.web.robots import MAX_ROBOTS
from thresher.web.sniff import SIGNATURES, SNIFFED, essence, last_type, may_lie, sniff

PACKED: Final = LARGE // 4
"""Size in bytes from which a compressed body counts as large: pages shrink to about a quarter."""

_DETAIL: Final = 200
_PIECE: Final = 1 << 12


class ReceivedBody(NamedTuple):
    """A complete body: its type, its decoded bytes, and its bytes as received.

    The `coding` of a large body is still to be decoded, to at most `limit` bytes.
    """

    mime: str
    body: bytes
    raw: bytes
    coding: str = ""
    limit: int = 0


class BodyRefused(NamedTuple):
    """Why a body was refused, and what is known about it."""

    reason: Reason
    detail: str = ""


class Hold:
    """The room a body holds during an exchange with a `deadline`."""

    def __init__(self, room: BodyRoom, deadline: asyncio.Timeout) -> None:
        self._room = room
        self._deadline = deadline

    @property
    def refuses_large(self) -> bool:
        """Whether a large body would be refused now."""
        return self._room.refuses_large

    async def grow(self, size: int, *, large: bool = False) -> bool:
        """Wait until the body may hold this many bytes, among `large` ones if it will become one.

        Return False if too many bodies are waiting.
        """
        return await self._room.take(self, size, self._deadline, large=large)

    def end(self, answer: object | None = None) -> None:
        """Release the room, now or once an answer with the body is no longer in memory."""
        if answer is None:
            self._room.leave(self)
        else:
            self._room.leave_with(answer, self)


class _Label:
    """The declared type of a body, and its actual type once the first bytes are there."""

    def __init__(
        self, response: aiohttp.ClientResponse, types: Mapping[str, int], signatures: Sequence[tuple[bytes, str]]
    ) -> None:
        self.length = response.content_length or 0
        self._types = types
        self._signatures = signatures
        self._declared = last_type(response.headers.getall("Content-Type", []))
        self._nosniff = "nosniff" in response.headers.get("X-Content-Type-Options", "").lower()
        self.mime = essence(self._declared) or ""
        self.doubtful = may_lie(self._declared, self._nosniff)

    @property
    def limit(self) -> int:
        """The largest body of this type, or of any type while the type is unknown."""
        return self._types.get(self.mime, max(self._types.values(), default=0))

    def decide(self) -> BodyRefused | None:
        """Refuse a body because of its type or its declared length."""
        if self.mime not in self._types and not self.doubtful:
            return BodyRefused(Reason.TYPE_REFUSED, self.mime[:_DETAIL])
        if self.length > self.limit:
            return BodyRefused(
                Reason.BODY_TOO_LARGE, f"{self.length} bytes of {self.mime}, at most {self.limit}"[:_DETAIL]
            )
        return None

    def look(self, decoder: Decoder) -> BodyRefused | None:
        """Detect the type of the body from its first bytes; refuse it if that type is not accepted."""
        self.doubtful = False
        self.mime = sniff(decoder.head(SNIFFED), self._declared, self._nosniff, self._signatures)
        refused = self.decide()
        if refused is None:
            decoder.tighten(self.limit)
        return refused


class _Arriving:
    """A body as it arrives: decoded at once, unless it turns out to be compressed and large."""

    def __init__(self, response: aiohttp.ClientResponse, label: _Label) -> None:
        self._label = label
        self._coding = _coding(response)
        self._decoder = Decoder(self._coding, label.limit)
        self._received: list[bytes] = []
        self._size = 0
        self.packed = not self._decoder.plain and label.length > PACKED

    @property
    def large(self) -> bool:
        """Whether the body is known to be large, for example from its declared length."""
        return self.packed or self._label.length > LARGE

    @property
    def held(self) -> int:
        """Bytes in memory."""
        return self._size if self.packed else self._decoder.held

    @property
    def failed(self) -> bool:
        """Whether the body cannot be used."""
        return self._decoder.failure is not None

    def take(self, chunk: bytes) -> BodyRefused | None:
        """Add received bytes; refuse a body because of its type as soon as the first bytes reveal it."""
        self._received.append(chunk)
        self._size += len(chunk)
        if self.packed:
            return self._take_packed(chunk)
        self._decoder.feed(chunk)
        refused = None
        if self._label.doubtful and self._decoder.decoded >= SNIFFED:
            refused = self._label.look(self._decoder)
        if not self._decoder.plain and (self._size > PACKED or self._decoder.decoded > LARGE):
            # Discard the decoded bytes, or the body would be in memory twice.
            self.packed = not self._label.doubtful and not self.failed
            self._decoder = Decoder(self._coding, self._label.limit) if self.packed else self._decoder
        return refused

    def _take_packed(self, chunk: bytes) -> BodyRefused | None:
        """Decode only as much as it takes to detect the type."""
        for start in range(0, len(chunk) if self._label.doubtful else 0, _PIECE):
            if self._decoder.feed(chunk[start : start + _PIECE]):
                break
            if self._decoder.decoded >= SNIFFED:
                return self._label.look(self._decoder)
        if self._size > self._label.limit and not self.failed:
            self._decoder.failure = Reason.BODY_TOO_LARGE
        return None

    def finish(self, response: aiohttp.ClientResponse) -> ReceivedBody | BodyRefused:
        """Return the body once it is complete, or why it cannot be used."""
        label, decoder = self._label, self._decoder
        refused = label.look(decoder) if label.doubtful and not self.failed else None
        if refused is not None:
            return refused
        if not self.packed or self.failed:
            return _result(response, label.mime, decoder, decoder.finish(), self._received)
        raw = b"".join(self._received)
        return ReceivedBody(label.mime, raw, raw, self._coding, label.limit)


async def receive(
    response: aiohttp.ClientResponse,
    types: Mapping[str, int],
    hold: Hold | None = None,
    signatures: Sequence[tuple[bytes, str]] = SIGNATURES,
) -> ReceivedBody | BodyRefused:
    """Read a body as far as its type and size allow; `types` maps accepted MIME types to their size limits in bytes.

    Both the declared and the received type and size count: a doubtful type is checked against the first bytes, by the
    `signatures` of known types. A large body waits until it can `hold` this much, and keeps the room afterwards; one
    with a declared length waits, or is refused, before it costs anything.
    """
    label = _Label(response, types, signatures)
    refused = label.decide()
    if refused is not None:
        return refused
    body = _Arriving(response, label)
    if hold is not None and body.large and hold.refuses_large:
        response.close()
        return BodyRefused(Reason.NO_ROOM)
    async for chunk in response.content.iter_any():
        refused = body.take(chunk)
        if refused is not None:
            return refused
        if body.failed:
            break
        if hold is not None and not await hold.grow(body.held, large=body.large):
            response.close()
            return BodyRefused(Reason.NO_ROOM)
    return body.finish(response)


async def receive_robots(response: aiohttp.ClientResponse) -> ReceivedBody | BodyRefused:
    """Read a robots.txt, which may have any type and is cut at its limit."""
    decoder = Decoder(_coding(response), MAX_ROBOTS)
    received: list[bytes] = []
    async for chunk in response.content.iter_any():
        received.append(chunk)
        if decoder.feed(chunk):
            break
    mime = essence(last_type(response.headers.getall("Content-Type", []))) or "text/plain"
    return _result(response, mime, decoder, decoder.cut(), received)


def _coding(response: aiohttp.ClientResponse) -> str:
    return ",".join(response.headers.getall("Content-Encoding", []))


def _result(
    response: aiohttp.ClientResponse, mime: str, decoder: Decoder, body: bytes | Reason, received: list[bytes]
) -> ReceivedBody | BodyRefused:
    if isinstance(body, Reason):
        response.close()
        return BodyRefused(
            body, f"{mime}, at most {decoder.limit} bytes"[:_DETAIL] if body is Reason.BODY_TOO_LARGE else ""
        )
    return ReceivedBody(mime, body, body if decoder.plain else b"".join(received))
