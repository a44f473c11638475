"""The confidence orders: priorities, queues, focus and tunnels."""

import msgspec
import pytest
from msgspec.structs import replace

from tests.strategies.test_battery import EmptyView
from thresher.plugins import make_strategy
from thresher.types import MEMO_BYTES, Candidate, Judgement, Link, Reading

LINK = Link("http://a.test/x", "x", 0, 1)


def followed(name: str, memo: dict[str, object], topic: str | None, confidence: float, depth: int) -> Candidate | None:
    candidate = Candidate(url="http://a.test/", priority=(1.0,), depth=depth, memo=memo)
    judgement = Judgement(topic=topic, confidence=confidence, probability=0.5)
    reading = Reading(candidate=candidate, links=[LINK], judgement=judgement)
    return next(iter(make_strategy(name).rank(reading, EmptyView())), None)


@pytest.mark.parametrize(
    ("name", "priority"),
    [("classifier", 0.6), ("classifier-breadth", 0.2), ("classifier-depth", 1.8), ("bookmark", 0.3)],
)
def test_confidence_is_shaped_by_the_distance_from_the_seeds(name: str, priority: float) -> None:
    child = followed(name, {"topic": "A", "worth": 0.9, "steps": 0}, "A", 0.6, depth=2)
    assert child is not None
    assert child.priority == pytest.approx((priority,))
    assert (child.queue, child.depth) == ("A", 3)


def test_the_bookmark_order_starts_with_the_seeds_own_confidence() -> None:
    child = followed("bookmark", {"worth": 1.0, "steps": 0}, "A", 0.4, depth=0)
    assert child is not None
    assert child.memo["worth"] == 0.4


def test_tunnels_end() -> None:
    memo: dict[str, object] = {"topic": "A", "worth": 0.8, "steps": 0}
    worth = []
    for depth in range(1, 5):
        child = followed("classifier(tunnel=3;decay=0.5)", memo, None, -1.0, depth)
        worth.append(child.memo["worth"] if child else None)
        memo = child.memo if child else memo
    assert worth == [0.4, 0.2, pytest.approx(0.1), None]


def test_an_accepted_page_ends_the_tunnel_and_names_the_queue() -> None:
    child = followed("classifier", {"topic": "A", "worth": 0.1, "steps": 2}, "B", 0.7, 3)
    assert child is not None
    assert (child.queue, child.memo) == ("B", {"topic": "B", "worth": 0.7, "steps": 0})


def test_the_sharp_focus_takes_another_topic_for_a_rejection() -> None:
    memo: dict[str, object] = {"topic": "A", "worth": 0.8, "steps": 0}
    assert followed("classifier(focus=sharp;tunnel=0)", memo, "B", 0.7, 1) is None
    assert followed("classifier(focus=sharp;tunnel=0)", memo, "A", 0.7, 1) is not None
    assert followed("classifier(focus=soft;tunnel=0)", memo, "B", 0.7, 1) is not None


def test_long_names_of_topics_fit_into_a_memo_and_are_told_apart() -> None:
    first, second = ("A/" + 1000 * "\U0001f41f" + end for end in "xy")
    child = followed("classifier(focus=sharp;tunnel=0)", {"worth": 1.0, "steps": 0}, first, 0.7, 1)
    assert child is not None
    assert len(msgspec.json.encode(child.memo)) <= MEMO_BYTES
    assert followed("classifier(focus=sharp;tunnel=0)", child.memo, first, 0.7, 1) is not None
    assert followed("classifier(focus=sharp;tunnel=0)", child.memo, second, 0.7, 1) is None


def test_seeds_come_first_and_need_no_judgement() -> None:
    reading = Reading(candidate=Candidate(url="", priority=(), depth=-1), links=[LINK])
    child = next(iter(make_strategy("classifier").rank(reading, EmptyView())))
    assert (child.depth, child.priority) == (0, (1.0,))
    page = Reading(candidate=replace(child), links=[LINK], judgement=None)
    assert next(iter(make_strategy("classifier").rank(page, EmptyView()))).memo["steps"] == 1
