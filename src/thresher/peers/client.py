"""Sends messages to peers and reads their answers; failures are values."""

from collections.abc import Callable
from typing import Any, Final, Protocol

import msgspec

from thresher.peers.keys import PeerKey
from thresher.peers.messages import Envelope, Kind, Refusal, answered, request_of, sealed
from thresher.reasons import Reason
from thresher.web.posting import Posted

PATH: Final = "peers/message"
"""The path at which a portal's server accepts messages."""

_OK: Final = 200
_MOST_SAID: Final = 1_000


class Posts(Protocol):
    """Sends bytes to an address."""

    async def post(self, url: str, data: bytes) -> Posted | Reason:
        """Return the answer, or the reason why there is none; never raise."""


class SignedReply(msgspec.Struct, frozen=True):
    """The answer to a message: who signed it, and what it says."""

    sender: str
    body: dict[str, Any]


class PeerClient:
    """Sends messages to peers on behalf of a key's owner; `clock` is wall time, `nonce` returns 16 random bytes."""

    def __init__(self, key: PeerKey, poster: Posts, *, clock: Callable[[], float], nonce: Callable[[], bytes]) -> None:
        self._key = key
        self._poster = poster
        self._clock = clock
        self._nonce = nonce

    async def send(self, to: str, address: str, kind: Kind, body: dict[str, Any]) -> dict[str, Any] | Refusal | Reason:
        """Return the body of a peer's answer, or why there is none: its refusal, or a failure of the transfer."""
        found = await self.ask(to, address, kind, body)
        return found.body if isinstance(found, SignedReply) else found

    async def ask(self, to: str, address: str, kind: Kind, body: dict[str, Any]) -> SignedReply | Refusal | Reason:
        """Return the answer of a peer and its sender, who is not known in advance if `to` is empty."""
        data = sealed(self._key, to, kind, body, at=self._clock(), nonce=self._nonce())
        posted = await self._poster.post(url_of(address), data)
        if isinstance(posted, Reason):
            return posted
        if posted.status != _OK:
            return _refusal(posted.body) or Reason.PROTOCOL_ERROR
        envelope = answered(posted.body, self._key.public, request_of(data), self._clock())
        return SignedReply(envelope.sender, envelope.body) if isinstance(envelope, Envelope) else envelope


def url_of(address: str) -> str:
    """Return the URL at which a portal at an address accepts messages.

    >>> url_of("https://a.test"), url_of("https://a.test/portal/")
    ('https://a.test/peers/message', 'https://a.test/portal/peers/message')
    """
    return f"{address.rstrip('/')}/{PATH}"


def _refusal(body: bytes) -> Refusal | None:
    """Return the refusal that a server sent instead of an answer, or None if it is not a known one."""
    try:
        said = msgspec.json.decode(body[:_MOST_SAID], type=dict[str, Any]).get("refused")
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    return Refusal(said) if isinstance(said, str) and said in set(Refusal) else None
