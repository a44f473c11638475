"""Models of peers are fetched, measured, matched, weighed and heard; liars are left out."""

import asyncio
import math
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from tests.peers.made import classifier_of, page, training
from tests.peers.network import Peer, Wires, befriend, shared
from thresher.classify.acceptance import Rules
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.classify.linear_model import LinearModel
from thresher.classify.opinions import HearingClassifier, Opinion, TopicOpinions
from thresher.peers.models import TopicModel, version_of
from thresher.peers.sharing import Shared
from thresher.peers.using import PeerNote, choose, get_models, opinions_in_use, weight_in
from thresher.reasons import Unmet
from thresher.store.peer_records import PeerMeasureRow
from thresher.types import ParsedPage, Rejection

OURS = shared({"sailing": "Boats", "baking": "Bread"}, 0, "sea")
OTHERS = [shared({"sailing": "Yachts", "baking": "Kitchen"}, first, f"h{first}") for first in (30, 60, 90)]


def fetched(ann: Peer, *peers: Peer) -> list[str]:
    """Let a peer get the models of others, and return what went wrong."""
    notes: list[str] = []
    for peer in peers:
        row = ann.store.peers.get(peer.key.public)
        assert row is not None
        found = asyncio.run(get_models(ann.client, row, ann.shared, at=ann.time))
        if isinstance(found, PeerNote):
            notes.append(found.sentence)
            continue
        ann.store.peers.put_models(peer.key.public, found.models)
        ann.store.peers.put_measures(peer.key.public, found.measures)
        notes += [note.sentence for note in found.notes]
    return notes


def poisoned(shared: Shared, **changes: Any) -> Shared:
    """Return what is shared with every model changed."""
    models = {
        topic: replace(model, model=replace(model.model, **{key: value(model.model) for key, value in changes.items()}))
        for topic, model in shared.models.items()
    }
    return Shared(models, {topic: version_of(model) for topic, model in models.items()}, shared.pages)


def test_models_of_several_peers_are_matched_weighed_and_planned() -> None:
    wires = Wires()
    ann = Peer(1, wires, OURS)
    others = [Peer(number, wires, made) for number, made in enumerate(OTHERS, 2)]
    befriend(ann, *others)
    assert fetched(ann, *others) == []
    matched = {(row.topic, row.own) for row in ann.store.peers.models()}
    assert matched == {("Yachts", "Boats"), ("Kitchen", "Bread")}
    plans = choose(ann.store, OURS, ann.key.public)
    assert [(plan.topic, plan.models) for plan in plans] == [("Boats", 3), ("Bread", 3)]
    assert all(plan.plan is not None and 0 <= plan.plan.error <= 0.5 for plan in plans)
    heard = opinions_in_use(ann.store, ann.key.public)
    assert {topic: len(found.opinions) for topic, found in heard.items()} == {"Boats": 3, "Bread": 3}
    assert choose(ann.store, OURS, ann.key.public, error=1.0)[0].models == 1
    assert len(ann.store.peers.models(used=True)) == 2


def test_accuracy_measured_by_others_lowers_a_weight_and_its_sender_has_no_say() -> None:
    wires = Wires()
    ann, bob, carl = Peer(1, wires, OURS), Peer(2, wires, OTHERS[0]), Peer(3, wires, OTHERS[1])
    befriend(ann, bob, carl)
    fetched(ann, bob)
    (row,) = [one for one in ann.store.peers.models() if one.topic == "Yachts"]
    before = weight_in(ann.store, ann.key.public, row)
    measure = PeerMeasureRow(
        measurer=carl.key.public,
        peer=bob.key.public,
        topic="Yachts",
        version=row.version,
        accuracy=0.5,
        pages=10,
        at=0.0,
    )
    ann.store.peers.put_measures(carl.key.public, [measure])
    assert weight_in(ann.store, ann.key.public, row) < before
    ann.store.peers.put_measures(carl.key.public, [replace(measure, version="other")])
    ann.store.peers.put_measures(bob.key.public, [replace(measure, measurer=bob.key.public, accuracy=0.0)])
    assert weight_in(ann.store, ann.key.public, row) == before


def test_measures_that_a_peer_sends_are_checked() -> None:
    wires = Wires()
    ann, bob = Peer(1, wires, OURS), Peer(2, wires, OTHERS[0])
    befriend(ann, bob)
    row = PeerMeasureRow(measurer=bob.key.public, peer="cc" * 32, topic="T", version="v", accuracy=0.9, pages=3, at=0.0)
    bad = [
        replace(row, peer=bob.key.public),
        replace(row, topic="U", accuracy=7.0),
        replace(row, topic="V", pages=-1),
        replace(row, topic="W", pages=1 << 70),
        replace(row, topic="X", version="v" * 65),
        replace(row, peer="nobody"),
    ]
    bob.store.peers.put_measures(bob.key.public, [row, *bad])
    fetched(ann, bob)
    kept = [one for one in ann.store.peers.measures() if one.peer != ann.key.public]
    # The names of a third peer's topics are not passed on.
    assert [(one.peer, one.topic, one.version) for one in kept] == [("cc" * 32, "v", "v")]


LIES: dict[str, dict[str, Any]] = {
    "yes to everything": {"weights": lambda m: [0.0] * len(m.weights), "bias": lambda _: 100.0},
    "no to everything": {"weights": lambda m: [0.0] * len(m.weights), "bias": lambda _: -100.0},
    "the opposite": {"weights": lambda m: [-weight for weight in m.weights]},
    "shuffled": {"weights": lambda m: m.weights[::-1]},
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES.keys())
def test_a_lying_model_gets_no_vote_for_its_topic(lie: dict[str, Any]) -> None:
    wires = Wires()
    ann, eve = Peer(1, wires, OURS), Peer(2, wires, poisoned(OTHERS[0], **lie))
    befriend(ann, eve)
    fetched(ann, eve)
    choose(ann.store, OURS, ann.key.public)
    heard = opinions_in_use(ann.store, ann.key.public)
    said = [(topic, one.topic) for topic, found in heard.items() for one in found.opinions]
    assert ("Boats", "Yachts") not in said
    assert ("Bread", "Kitchen") not in said


BROKEN: dict[str, dict[str, Any]] = {
    "NaN": {"weights": lambda m: [math.nan] * len(m.weights)},
    "huge numbers": {"weights": lambda m: [1e200] * len(m.weights)},
    "too few": {"weights": lambda m: m.weights[:3]},
    "many": {"terms": lambda _: [f"t{number}" for number in range(30_000)]},
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_model_is_noted_and_left_out(broken: dict[str, Any], caplog: pytest.LogCaptureFixture) -> None:
    wires = Wires()
    ann, eve = Peer(1, wires, OURS), Peer(2, wires, poisoned(OTHERS[0], **broken))
    befriend(ann, eve)
    notes = fetched(ann, eve)
    assert len(notes) == 2
    assert all("cannot be used" in note for note in notes)
    assert ann.store.peers.models() == []
    assert len([record for record in caplog.records if record.name == "thresher.peers"]) == 2


def test_scaled_weights_say_no_more_than_plain_ones() -> None:
    classifier = classifier_of(training({"sailing": "Boats", "baking": "Bread"}, range(8)))
    plain = OTHERS[0].models["Yachts"].model
    loud = replace(plain, weights=[1000 * weight for weight in plain.weights], bias=1000 * plain.bias)
    for subject in ("sailing", "baking", "chess"):
        for number in range(200, 210):
            one = page(subject, number)
            judged = [
                HearingClassifier(
                    classifier, {"Boats": TopicOpinions(1.0, [Opinion("p", "Yachts", 0.8, 0.0, unit, model)])}
                ).classify(one)
                for model, unit in ((plain, 1.0), (loud, 1000.0))
            ]
            assert judged[0].topic == judged[1].topic


def test_a_peer_that_cannot_be_reached_or_refuses_is_noted() -> None:
    wires = Wires()
    ann, bob = Peer(1, wires, OURS), Peer(2, wires, OTHERS[0])
    ann.store.peers.put(bob.row())
    assert fetched(ann, bob) == ["It refused the message: The sender has not been allowed."]
    wires.responders.clear()
    assert fetched(ann, bob)[0].startswith("It cannot be reached")


@pytest.mark.parametrize("most", range(1, 6))
def test_nothing_is_taken_from_a_peer_that_falls_silent_midway(most: int) -> None:
    wires = Wires()
    ann, bob = Peer(1, wires, OURS), Peer(2, wires, OTHERS[0], messages=most)
    befriend(ann, bob)
    # Topics, two models, two measurements of ours, and the list of measurements are six messages.
    assert fetched(ann, bob) == ["It refused the message: The sender sends too many messages."]
    assert ann.store.peers.models() == ann.store.peers.measures() == []


@pytest.mark.parametrize("said", [{}, {"topics": 5}, {"topics": [1, {"topic": 2}, {}]}])
def test_nonsense_in_place_of_topics_is_left_out(said: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    wires = Wires()
    ann, eve = Peer(1, wires, OURS), Peer(2, wires, OTHERS[0])
    befriend(ann, eve)
    monkeypatch.setitem(eve.responder._handlers, "topics", lambda _: said)  # type: ignore[index]
    fetched(ann, eve)
    assert ann.store.peers.models() == []


def test_a_model_of_another_topic_than_asked_for_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    wires = Wires()
    ann, eve = Peer(1, wires, OURS), Peer(2, wires, OTHERS[0])
    befriend(ann, eve)
    other = msgspec.to_builtins(replace(OTHERS[0].models["Yachts"], topic="Bread"))
    monkeypatch.setitem(eve.responder._handlers, "model", lambda _: {"model": other})  # type: ignore[index]
    assert len(fetched(ann, eve)) == 2
    assert ann.store.peers.models() == []


def test_our_model_is_sent_only_for_a_topic_that_seems_to_match() -> None:
    wires = Wires()
    chess = shared({"chess": "Games", "baking": "Kitchen"}, 30, "chess")
    ann, bob = Peer(1, wires, OURS), Peer(2, wires, chess)
    befriend(ann, bob)
    fetched(ann, bob)
    sent = [msgspec.json.decode(data) for _, data in wires.carried]
    measured = [one["body"]["model"]["topic"] for one in sent if one["kind"] == "measure"]
    assert measured == ["Bread"]


def opinions(one: ParsedPage, weight: float, number: int) -> TopicOpinions:
    """Return unanimous opinions about a page, as loud as a model can be."""
    model = LinearModel(list(one.terms), [1.0] * len(one.terms), [weight] * len(one.terms), 0.0)
    return TopicOpinions(1.0, [Opinion(f"p{place}", "T", 1.0, 0.0, 1.0, model) for place in range(number)])


def boats(threshold: float = 0.0) -> HierarchicalClassifier:
    made = training({"sailing": "Boats", "baking": "Bread"}, range(8))
    return HierarchicalClassifier(rules=Rules(threshold=threshold)).fit(made.examples)


def test_opinions_settle_doubtful_pages_and_not_clear_ones() -> None:
    classifier = boats()
    child = classifier.child("Boats")
    assert child is not None
    pages = [page("sailing", number) for number in range(300, 340)]
    clear = [one for one in pages if classifier.classify(one).confidence > child.mean_confidence]
    doubtful = [one for one in pages if 0 < classifier.classify(one).confidence < child.mean_confidence / 2]
    assert clear
    assert doubtful
    for one in clear:
        own = classifier.classify(one)
        for weight in (-1e6, 1e6):
            assert HearingClassifier(classifier, {"Boats": opinions(one, weight, 50)}).classify(one) == own
    for one in doubtful:
        heard = HearingClassifier(classifier, {"Boats": opinions(one, -1e6, 3)}).classify(one)
        assert heard.topic is None
        assert heard.rejection == Rejection(rule=Unmet.PEERS_DISAGREE, topic="Boats", needed=0.0)
        assert heard.evidence[0][0] == "opinions of 3 peers"
        assert heard.confidence <= 0


def test_a_page_nearly_taken_is_taken_with_the_help_of_peers() -> None:
    classifier = boats()
    child = classifier.child("Boats")
    assert child is not None
    said = [(classifier.classify(one).confidence, one) for one in (page("sailing", n) for n in range(300, 340))]
    confidence, one = next((found, one) for found, one in said if 0 < found < child.mean_confidence / 2)
    strict = boats(confidence + 0.01)
    judged = strict.classify(one)
    assert judged.topic is None
    heard = HearingClassifier(strict, {"Boats": opinions(one, 1e6, 2)})
    found = heard.classify(one)
    assert (found.topic, found.path, found.rejection) == ("Boats", ("Boats",), None)
    assert found.confidence > strict.rules.threshold
    assert HearingClassifier(strict, {"Bread": opinions(one, 1e6, 2)}).classify(one) == judged
    assert heard.wishes_ == strict.wishes_


def test_one_peer_is_one_peer() -> None:
    classifier = boats()
    judged = [(classifier.classify(one), one) for one in (page("sailing", number) for number in range(300, 340))]
    one = min((own.confidence, one.url, one) for own, one in judged if own.topic == "Boats")[2]
    found = HearingClassifier(classifier, {"Boats": opinions(one, -1e6, 1)}).classify(one)
    assert found.evidence[0][0] == "opinions of 1 peer"


def test_a_page_talked_out_of_a_topic_below_stays_with_the_one_above() -> None:
    made = training({"sailing": "Sport/Boats", "chess": "Sport/Chess", "baking": "Bread"}, range(8))
    classifier = HierarchicalClassifier().fit(made.examples)
    found = 0
    for number in range(300, 330):
        one = page("sailing", number)
        own = classifier.classify(one)
        heard = HearingClassifier(classifier, {"Sport/Boats": opinions(one, -1e6, 5)}).classify(one)
        if own.topic == "Sport/Boats" and heard != own:
            found += 1
            assert (heard.topic, heard.path) == ("Sport", ("Sport",))
            assert heard.confidence > 0
    assert found


def test_the_model_of_a_row_is_what_was_sent() -> None:
    assert (
        msgspec.json.decode(msgspec.json.encode(OTHERS[0].models["Yachts"]), type=TopicModel)
        == OTHERS[0].models["Yachts"]
    )
