"""Messages between peers: JSON, signed, for one receiver, fresh, and valid only once.

A message is an envelope around a body. The signature covers every field of the envelope, so a message cannot be
redirected, delayed or changed. The receiver's store knows which nonces have been used (`store/peer_tables.py`).
"""

import hashlib
import json
from collections.abc import Callable
from enum import StrEnum
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from thresher.peers.keys import PeerKey, is_public_key, verified

VERSION: Final = 1
MOST_BYTES: Final = 2 << 20
"""Maximum size of a message in bytes."""

WINDOW: Final = 300.0
"""Seconds by which the clocks of two peers may differ; an older message is refused."""

Kind = Literal["ask", "neighbours", "topics", "model", "measure", "measures", "clusters"]
KINDS: Final[tuple[Kind, ...]] = ("ask", "neighbours", "topics", "model", "measure", "measures", "clusters")
ANSWER: Final = "answer"

_NONCE: Final = 16


class Refusal(StrEnum):
    """Why a message is not answered."""

    TOO_LARGE = "too-large"
    MALFORMED = "malformed"
    OTHER_VERSION = "other-version"
    NOT_FOR_US = "not-for-us"
    STALE = "stale"
    FORGED = "forged"
    REPLAYED = "replayed"
    UNKNOWN_PEER = "unknown-peer"
    BLOCKED = "blocked"
    TOO_MANY = "too-many"
    BAD_CONTENT = "bad-content"
    NO_SUCH_TOPIC = "no-such-topic"


MEANING: Final[dict[Refusal, str]] = {
    Refusal.TOO_LARGE: "The message is too large.",
    Refusal.MALFORMED: "The message is malformed.",
    Refusal.OTHER_VERSION: "The message uses another version of the protocol.",
    Refusal.NOT_FOR_US: "The message is for another key.",
    Refusal.STALE: "The message is too old, or the two clocks differ too much.",
    Refusal.FORGED: "The signature does not belong to the sender's key.",
    Refusal.REPLAYED: "The message was already received.",
    Refusal.UNKNOWN_PEER: "The sender has not been allowed.",
    Refusal.BLOCKED: "The sender is blocked.",
    Refusal.TOO_MANY: "The sender sends too many messages.",
    Refusal.BAD_CONTENT: "The body of the message cannot be used.",
    Refusal.NO_SUCH_TOPIC: "The topic is not shared.",
}
"""What each refusal means; every one has an entry."""


class Envelope(Struct, frozen=True, forbid_unknown_fields=True):
    """A message on the wire: sender, receiver, time, nonce and signed body.

    `re` is the nonce of the message that this one answers, empty for a request. `to` is empty only when a peer is first
    asked for its key. `at` is in seconds since 1970.
    """

    version: int
    sender: str
    to: str
    kind: str
    at: float
    nonce: str
    body: dict[str, Any]
    re: str = ""
    signature: str = ""


def sealed(key: PeerKey, to: str, kind: str, body: dict[str, Any], *, at: float, nonce: bytes, re: str = "") -> bytes:
    """Return a signed message as bytes; `nonce` must be 16 random bytes."""
    written = msgspec.json.encode(Envelope(VERSION, key.public, to, kind, float(at), nonce.hex(), body, re))
    # Sign exactly what the receiver will read.
    envelope = request_of(written)
    signature = key.sign(_signed(envelope)).hex()
    return msgspec.json.encode(msgspec.structs.replace(envelope, signature=signature))


def opened(data: bytes, own: str, now: float) -> Envelope | Refusal:
    """Return the content of a message if it is well-formed, addressed to the `own` public key, fresh and authentic.

    The receiver must check whether the sender is allowed and the nonce unused.
    """
    if len(data) > MOST_BYTES:
        return Refusal.TOO_LARGE
    try:
        envelope = msgspec.json.decode(data, type=Envelope)
        signature, nonce = bytes.fromhex(envelope.signature), bytes.fromhex(envelope.nonce)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return Refusal.MALFORMED
    if envelope.version != VERSION:
        return Refusal.OTHER_VERSION
    # There is only one valid encoding, so no altered message passes for another.
    as_written = envelope.nonce == nonce.hex() and envelope.signature == signature.hex()
    if len(nonce) != _NONCE or not is_public_key(envelope.sender) or not as_written:
        return Refusal.MALFORMED
    if envelope.to != own and not (envelope.kind == "ask" and envelope.to == ""):
        return Refusal.NOT_FOR_US
    if not abs(envelope.at - now) <= WINDOW:
        return Refusal.STALE
    try:
        signed = _signed(envelope)
    except (RecursionError, ValueError):
        # It is nested too deeply.
        return Refusal.MALFORMED
    return envelope if verified(envelope.sender, signed, signature) else Refusal.FORGED


def answered(data: bytes, own: str, request: Envelope, now: float) -> Envelope | Refusal:
    """Return the content of an answer if it belongs to this request and was signed by its receiver."""
    envelope = opened(data, own, now)
    if isinstance(envelope, Refusal):
        return envelope
    if envelope.re != request.nonce or envelope.kind != ANSWER:
        return Refusal.REPLAYED
    return Refusal.FORGED if request.to and envelope.sender != request.to else envelope


def request_of(data: bytes) -> Envelope:
    """Return the envelope of one of our own messages."""
    return msgspec.json.decode(data, type=Envelope)


def nonces(random: Callable[[int], bytes]) -> Callable[[], bytes]:
    """Return a source of nonces, given a source of random bytes such as `os.urandom`."""
    return lambda: random(_NONCE)


def _signed(envelope: Envelope) -> bytes:
    """Return the bytes that a signature covers: a digest over all fields in a canonical form."""
    fields = [
        *("thresher-peers", envelope.version, envelope.sender, envelope.to, envelope.kind),
        *(envelope.at, envelope.nonce, envelope.re, envelope.body),
    ]
    written = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.blake2b(written.encode("ascii"), digest_size=32, person=b"thresher-peers").digest()
