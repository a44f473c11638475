"""Keys and signed messages: what a forger, a replayer and a flooder can do."""

import asyncio
import os
import stat
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from thresher.errors import PortalError
from thresher.peers.client import PeerClient
from thresher.peers.keys import FILE, PeerKey, own_key, verified
from thresher.peers.messages import (
    ANSWER,
    MEANING,
    MOST_BYTES,
    WINDOW,
    Envelope,
    Refusal,
    answered,
    opened,
    request_of,
    sealed,
)
from thresher.reasons import Reason
from thresher.web.posting import Posted

ANN, BOB, EVE = (PeerKey(bytes([number]) * 32) for number in (1, 2, 3))
NOW = 1_000_000.0


def letter(sender: PeerKey = ANN, to: str = BOB.public, body: dict[str, Any] | None = None, at: float = NOW) -> bytes:
    return sealed(sender, to, "topics", body or {}, at=at, nonce=b"n" * 16)


def altered(data: bytes, **fields: Any) -> bytes:
    return msgspec.json.encode(replace(request_of(data), **fields))


def test_a_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    key = own_key(tmp_path)
    file = tmp_path / FILE
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.chmod(0o644)
    assert own_key(tmp_path).public == key.public
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert os.listdir(tmp_path) == [FILE]


@pytest.mark.parametrize("content", ["", "abcd", "zz" * 32, "é"])
def test_a_damaged_key_file_is_told_and_kept(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content)
    with pytest.raises(PortalError, match=r"peers\.key cannot be used"):
        own_key(tmp_path)
    assert (tmp_path / FILE).read_text() == content


def test_a_message_arrives_as_it_was_sent() -> None:
    body = {"topic": "Sciencé/☃", "numbers": [1, 0.1, -2.5e-9, True, None], "deep": {"a": {"b": []}}}
    found = opened(letter(body=body), BOB.public, NOW + 5)
    assert isinstance(found, Envelope)
    assert (found.sender, found.body, found.kind) == (ANN.public, body, "topics")


@pytest.mark.parametrize(
    ("data", "refusal"),
    [
        (b"", Refusal.MALFORMED),
        (b"[" * 100_000, Refusal.MALFORMED),
        (b'{"version": 1}', Refusal.MALFORMED),
        (b" " * (MOST_BYTES + 1), Refusal.TOO_LARGE),
        (altered(letter(), version=2), Refusal.OTHER_VERSION),
        (altered(letter(), nonce="ab"), Refusal.MALFORMED),
        (altered(letter(), nonce="AB" * 16), Refusal.MALFORMED),
        (altered(letter(), sender="x"), Refusal.MALFORMED),
        (letter(to=EVE.public), Refusal.NOT_FOR_US),
        (letter(to=""), Refusal.NOT_FOR_US),
        (letter(at=NOW - WINDOW - 1), Refusal.STALE),
        (letter(at=NOW + WINDOW + 1), Refusal.STALE),
        (altered(letter(), sender=EVE.public), Refusal.FORGED),
        (altered(letter(), kind="model"), Refusal.FORGED),
        (altered(letter(), at=NOW + 1), Refusal.FORGED),
        (altered(letter(), body={"more": 1}), Refusal.FORGED),
        (altered(letter(), re="00" * 16), Refusal.FORGED),
        (altered(letter(), signature="00" * 64), Refusal.FORGED),
        (altered(letter(), signature="00"), Refusal.FORGED),
        (letter().replace(b'"body":{}', b'"body":{"a":NaN}'), Refusal.MALFORMED),
        (letter().replace(b'"body":{}', b'"body":{"a":1e999}'), Refusal.MALFORMED),
        (letter().replace(b'"body":{}', b'"body":{"a":' + b"9" * 500_000 + b"}"), Refusal.MALFORMED),
    ],
    ids=range(22),
)
def test_what_is_not_a_message_for_us_is_refused(data: bytes, refusal: Refusal) -> None:
    found = opened(data, BOB.public, NOW)
    assert found in (refusal, Refusal.FORGED) if b"999" in data else found == refusal


@settings(deadline=None, max_examples=80)
@given(st.integers(0, 10_000), st.integers(0, 255))
def test_no_changed_byte_passes(place: int, value: int) -> None:
    data = bytearray(letter(body={"topic": "boats"}))
    place %= len(data)
    if data[place] == value:
        return
    data[place] = value
    found = opened(bytes(data), BOB.public, NOW)
    # White space and the like may change without changing what is said.
    assert isinstance(found, Refusal) or found == opened(letter(body={"topic": "boats"}), BOB.public, NOW)


def test_an_answer_must_answer_this_request_and_come_from_whom_was_asked() -> None:
    asked = request_of(letter())
    good = sealed(BOB, ANN.public, ANSWER, {"a": 1}, at=NOW, nonce=b"m" * 16, re=asked.nonce)
    found = answered(good, ANN.public, asked, NOW)
    assert isinstance(found, Envelope)
    other = replace(asked, nonce="00" * 16)
    assert answered(good, ANN.public, other, NOW) is Refusal.REPLAYED
    forged = sealed(EVE, ANN.public, ANSWER, {"a": 1}, at=NOW, nonce=b"m" * 16, re=asked.nonce)
    assert answered(forged, ANN.public, asked, NOW) is Refusal.FORGED


def test_a_body_nested_at_any_depth_is_refused() -> None:
    for depth in (*range(900, 1100), 100_000):
        data = letter().replace(b'"body":{}', b'"body":{"a":' + b"[" * depth + b"]" * depth + b"}")
        assert opened(data, BOB.public, NOW) in (Refusal.MALFORMED, Refusal.FORGED)


@pytest.mark.parametrize("body", [b'{"refused":[]}', b'{"refused":{}}', b'{"refused":' + b"[" * 989, b"[]", b""])
def test_a_refusal_that_is_none_is_a_failure(body: bytes) -> None:
    class Posts:
        async def post(self, url: str, data: bytes) -> Posted:
            return Posted(400, body)

    client = PeerClient(ANN, Posts(), clock=lambda: NOW, nonce=lambda: bytes(16))
    assert asyncio.run(client.send(BOB.public, "http://bob.test/", "topics", {})) is Reason.PROTOCOL_ERROR


def test_every_refusal_has_a_meaning() -> None:
    assert set(MEANING) == set(Refusal)


def test_signatures_of_wrong_shapes_are_refused() -> None:
    assert not verified("xyz", b"", b"")
    assert not verified(ANN.public, b"", b"short")
    assert not verified("00" * 32, b"", bytes(64))
