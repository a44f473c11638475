"""The responder: what peers get, what strangers get, and what hostile ones cost."""

import logging
import math
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from tests.peers.network import Peer, Wires, befriend, shared
from thresher.peers.cards import card_of, written_cards
from thresher.peers.messages import MOST_BYTES, WINDOW, Refusal, sealed
from thresher.peers.models import checked_model
from thresher.peers.overlay import Neighbour
from thresher.peers.responder import MOST_ASKING, WEEK
from thresher.peers.sharing import MOST_TOPICS, NOTHING, Shared
from thresher.store.peer_records import PeerMeasureRow, PeerState

SEA = shared({"sailing": "Boats", "baking": "Bread"}, 0, "sea")
LAND = shared({"sailing": "Yachts", "baking": "Kitchen", "chess": "Games"}, 30, "land")


@pytest.fixture
def wires() -> Wires:
    return Wires()


@pytest.fixture
def ann(wires: Wires) -> Peer:
    return Peer(1, wires, SEA)


@pytest.fixture
def bob(wires: Wires) -> Peer:
    return Peer(2, wires, LAND)


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name == "thresher.peers"]


def test_a_stranger_can_ask_and_nothing_else(ann: Peer, bob: Peer) -> None:
    for kind in ("topics", "model", "measure", "measures", "neighbours", "clusters"):
        assert ann.send(bob, kind) is Refusal.UNKNOWN_PEER
    answer = ann.send(bob, "ask", {"name": "Ann\x1b[31m", "address": ann.address})
    assert answer == {"state": "asked", "name": "peer2", "address": bob.address}
    row = bob.store.peers.get(ann.key.public)
    assert row is not None
    assert (row.state, row.name, row.address) == (PeerState.ASKED, "Ann[31m", ann.address)
    assert ann.send(bob, "topics") is Refusal.UNKNOWN_PEER
    bob.store.peers.put(replace(row, state=PeerState.ALLOWED))
    assert isinstance(ann.send(bob, "topics"), dict)
    assert ann.send(bob, "ask") == {"state": "allowed", "name": "peer2", "address": bob.address}


@pytest.mark.parametrize("body", [{"name": 5}, {"address": "file:///etc/passwd"}, {"address": ["x"]}])
def test_nonsense_in_an_ask_is_refused(ann: Peer, bob: Peer, body: dict[str, Any]) -> None:
    assert ann.send(bob, "ask", body) is Refusal.BAD_CONTENT
    assert bob.store.peers.all() == []


def test_models_are_given_by_topic_and_hold_no_page(ann: Peer, bob: Peer, wires: Wires) -> None:
    befriend(ann, bob)
    listed = ann.send(bob, "topics")
    assert isinstance(listed, dict)
    assert [(one["topic"], one["pages"]) for one in listed["topics"]] == [("Games", 8), ("Kitchen", 8), ("Yachts", 8)]
    answer = ann.send(bob, "model", {"topic": "Yachts"})
    assert isinstance(answer, dict)
    assert checked_model(answer["model"]) == LAND.models["Yachts"]
    assert ann.send(bob, "model", {"topic": "Elsewhere"}) is Refusal.NO_SUCH_TOPIC
    assert ann.send(bob, "model", {"topic": ["x"]}) is Refusal.NO_SUCH_TOPIC
    said = msgspec.json.encode(answer)
    assert b"http" not in said
    assert b"sailing-land.test" not in said


def test_a_model_is_measured_and_the_result_is_kept(ann: Peer, bob: Peer) -> None:
    befriend(ann, bob)
    answer = ann.send(bob, "measure", {"model": msgspec.to_builtins(SEA.models["Boats"])})
    assert isinstance(answer, dict)
    assert answer["topic"] == "Yachts"
    assert answer["accuracy"] > 0.8
    assert ann.send(bob, "measures") == {
        "measures": [
            {
                "peer": ann.key.public,
                "version": SEA.versions["Boats"],
                "accuracy": answer["accuracy"],
                "pages": answer["pages"],
            }
        ]
    }


def hostile_models() -> list[Any]:
    good = msgspec.to_builtins(SEA.models["Boats"])
    plain = good["model"]
    return [
        None,
        {**good, "model": {**plain, "weights": [math.nan] * len(plain["terms"])}},
        {**good, "model": {**plain, "weights": [1e300] * len(plain["terms"])}},
        {**good, "model": {**plain, "terms": ["x"] * len(plain["terms"])}},
        {**good, "model": {**plain, "weights": plain["weights"][:1]}},
        {**good, "model": {**plain, "terms": [f"t{n}" for n in range(30_000)], "weights": [1.0] * 30_000}},
        {**good, "ids": list(range(10_000))},
        {**good, "code": "import os"},
    ]


@pytest.mark.parametrize("model", hostile_models(), ids=range(8))
def test_a_hostile_model_costs_a_line_in_the_log(
    ann: Peer, bob: Peer, model: Any, caplog: pytest.LogCaptureFixture
) -> None:
    befriend(ann, bob)
    assert ann.send(bob, "measure", {"model": model}) is Refusal.BAD_CONTENT
    assert lines(caplog) == ["refused a message from 192.0.2.1: bad-content"]
    assert bob.store.peers.measures() == []


def test_a_model_that_says_yes_to_everything_is_measured_as_worthless(ann: Peer, bob: Peer) -> None:
    befriend(ann, bob)
    good = msgspec.to_builtins(SEA.models["Boats"])
    yes = {**good, "model": {**good["model"], "weights": [0.0] * len(good["model"]["weights"]), "bias": 9.0}}
    assert ann.send(bob, "measure", {"model": yes}) == {"topic": None}
    assert bob.store.peers.measures() == []


def test_a_replayed_message_is_refused(ann: Peer, bob: Peer, wires: Wires) -> None:
    befriend(ann, bob)
    ann.send(bob, "topics")
    _, data = wires.carried[-1]
    assert bob.responder.answer(data, "192.0.2.9") is Refusal.REPLAYED
    bob.time += WINDOW - 1
    assert bob.responder.answer(data, "192.0.2.9") is Refusal.REPLAYED
    bob.time += 10
    assert bob.responder.answer(data, "192.0.2.9") is Refusal.STALE


def test_a_forged_sender_is_refused_and_costs_the_real_one_nothing(
    ann: Peer, bob: Peer, wires: Wires, caplog: pytest.LogCaptureFixture
) -> None:
    eve = Peer(3, wires, NOTHING)
    befriend(ann, bob)
    real = sealed(eve.key, bob.key.public, "topics", {}, at=bob.time, nonce=bytes(16))
    forged = real.replace(eve.key.public.encode(), ann.key.public.encode())
    for _ in range(1000):
        assert bob.responder.answer(forged, "192.0.2.9") is Refusal.FORGED
    assert isinstance(ann.send(bob, "topics"), dict)
    assert len(lines(caplog)) == 100


def test_floods_are_refused_and_end_with_the_hour(ann: Peer, wires: Wires, caplog: pytest.LogCaptureFixture) -> None:
    bob = Peer(2, wires, LAND, messages=5)
    befriend(ann, bob)
    answers = [ann.send(bob, "measures") for _ in range(150)]
    assert [isinstance(answer, dict) for answer in answers].count(True) == 5
    assert answers[-1] is Refusal.TOO_MANY
    # The log is not flooded either.
    assert len(lines(caplog)) == 100
    for peer in (ann, bob):
        peer.time += 3601
    assert isinstance(ann.send(bob, "topics"), dict)


def test_strangers_cannot_fill_the_list(bob: Peer, wires: Wires) -> None:
    strangers = [Peer(number, wires, NOTHING) for number in range(10, 30)]
    answers = [stranger.send(bob, "ask", {"name": "x"}) for stranger in strangers]
    # They come from one network address.
    assert answers.count(Refusal.TOO_MANY) == 10
    for number in range(MOST_ASKING):
        bob.store.peers.put(replace(strangers[0].row(PeerState.ASKED), key=f"{number:064x}", since=bob.time))
    bob.time += 3601
    late = Peer(40, wires, NOTHING)
    late.time = bob.time
    assert late.send(bob, "ask") is Refusal.TOO_MANY
    # After a week the one that waited longest makes room.
    bob.time = late.time = late.time + WEEK
    assert isinstance(late.send(bob, "ask"), dict)
    assert bob.store.peers.get(late.key.public) is not None


def test_a_name_that_looks_like_a_key_is_not_taken(ann: Peer, bob: Peer) -> None:
    assert isinstance(ann.send(bob, "ask", {"name": "0123 89AB"}), dict)
    assert [row.name for row in bob.store.peers.all()] == [ann.key.public[:8]]


def test_measurements_of_one_peer_are_bounded(ann: Peer, bob: Peer) -> None:
    befriend(ann, bob)
    row = PeerMeasureRow(
        measurer=bob.key.public, peer=ann.key.public, topic="", version="v", accuracy=0.9, pages=3, at=0.0
    )
    rows = [replace(row, topic=f"T{number}", at=float(number)) for number in range(MOST_TOPICS)]
    other = replace(row, peer="cc" * 32)
    bob.store.peers.put_measures(bob.key.public, [*rows, other])
    assert isinstance(ann.send(bob, "measure", {"model": msgspec.to_builtins(SEA.models["Boats"])}), dict)
    kept = bob.store.peers.measures()
    topics = {one.topic for one in kept if one.peer == ann.key.public}
    assert topics == {"Boats", *(f"T{number}" for number in range(1, MOST_TOPICS))}
    assert other in kept


def test_a_private_address_on_a_card_does_not_replace_a_known_one(ann: Peer, bob: Peer) -> None:
    befriend(ann, bob)
    bob.neighbourhood.merge([card_of(ann.key, "http://127.0.0.1:8090/", ann.time)], bob.time)
    partner = bob.neighbourhood.partner(bob.time)
    assert partner is not None
    assert partner.address == ann.address
    bob.store.peers.put(replace(ann.row(), address=""))
    partner = bob.neighbourhood.partner(bob.time)
    assert partner is not None
    assert partner.address == "http://127.0.0.1:8090/"


def test_a_blocked_peer_gets_nothing(ann: Peer, bob: Peer) -> None:
    bob.store.peers.put(ann.row(PeerState.BLOCKED))
    assert ann.send(bob, "ask") is Refusal.BLOCKED
    assert ann.send(bob, "topics") is Refusal.BLOCKED


def test_a_huge_message_is_refused_before_it_is_read(bob: Peer, caplog: pytest.LogCaptureFixture) -> None:
    assert bob.responder.answer(b"{" + b" " * MOST_BYTES, "192.0.2.1") is Refusal.TOO_LARGE
    assert lines(caplog) == ["refused a message from 192.0.2.1: too-large"]


def test_an_unknown_kind_is_refused(ann: Peer, bob: Peer) -> None:
    befriend(ann, bob)
    assert ann.send(bob, "run") is Refusal.BAD_CONTENT


def test_neighbours_are_exchanged_and_forged_ones_left_out(ann: Peer, bob: Peer, wires: Wires) -> None:
    befriend(ann, bob)
    carl, dora = Peer(4, wires, NOTHING), Peer(5, wires, NOTHING)
    bob.store.peers.put(dora.row(PeerState.BLOCKED))
    card = card_of(carl.key, carl.address, ann.time - 5)
    entries = [
        card_of(ann.key, ann.address, ann.time),
        card,
        replace(card, address="http://evil.test/", at=ann.time),
        card_of(dora.key, dora.address, ann.time),
        card_of(bob.key, "http://elsewhere.test/", ann.time),
        card_of(Peer(6, wires, NOTHING).key, "http://x.test/", ann.time + 10_000),
        Neighbour("zz", "", 0.0),
    ]
    body = {"entries": [*written_cards(entries), 5, {"key": 1}, {**written_cards([card])[0], "signature": "zz"}]}
    answer = ann.send(bob, "neighbours", body)
    assert isinstance(answer, dict)
    known = {one.key: one.address for one in bob.neighbourhood.entries(bob.time)}
    assert known == {ann.key.public: ann.address, carl.key.public: carl.address}
    assert [one["key"] for one in answer["entries"]] == [bob.key.public]
    assert ann.send(bob, "neighbours", {"entries": "x"}) is not None


@pytest.mark.parametrize(
    "body", [{}, {"topic": "Boats"}, {"topic": "Boats", "k": 1}, {"topic": 1, "k": 3}, {"topic": "B", "k": 10**9}]
)
def test_clusters_need_a_topic_and_a_sensible_number(ann: Peer, bob: Peer, body: dict[str, Any]) -> None:
    befriend(ann, bob)
    assert ann.send(bob, "clusters", body) is Refusal.BAD_CONTENT


def test_clusterings_are_rationed(ann: Peer, bob: Peer) -> None:
    befriend(ann, bob)
    answers = [ann.send(bob, "clusters", {"topic": "Yachts", "k": 2}) for _ in range(22)]
    assert isinstance(answers[0], dict)
    assert answers.count(Refusal.TOO_MANY) == 2


def test_a_portal_that_shares_nothing_says_so(ann: Peer, wires: Wires) -> None:
    empty = Peer(7, wires, Shared({}, {}, []))
    befriend(ann, empty)
    assert ann.send(empty, "topics") == {"topics": []}
    assert ann.send(empty, "measure", {"model": msgspec.to_builtins(SEA.models["Boats"])}) == {"topic": None}


logging.getLogger("thresher.peers").setLevel(logging.WARNING)
