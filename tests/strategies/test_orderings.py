"""The confidence orders: priorities, queues, focus and tunnels."""

import pytest
from msgspec.structs import replace

from tests.strategies.following import EmptyView
from thresher.plugins import make_strategy
from thresher.strategies.memos import Memos
from thresher.strategies.orderings import PathState
from thresher.types import MEMO_BYTES, Candidate, Judgement, Link, Reading

MEMOS = Memos(PathState)
LINK = Link("http://a.test/x", "x", 0, 1)


def followed(name: str, way: PathState, topic: str | None, confidence: float, depth: int) -> Candidate | None:
    candidate = Candidate(url="http://a.test/", priority=(1.0,), depth=depth, memo=MEMOS.write(way))
    judgement = Judgement(topic=topic, confidence=confidence, probability=0.5)
    reading = Reading(candidate=candidate, links=[LINK], judgement=judgement)
    return next(iter(make_strategy(name).rank(reading, EmptyView())), None)


@pytest.mark.parametrize(
    ("name", "priority"),
    [("classifier", 0.6), ("classifier-breadth", 0.2), ("classifier-depth", 1.8), ("bookmark", 0.3)],
)
def test_confidence_is_shaped_by_the_distance_from_the_seeds(name: str, priority: float) -> None:
    child = followed(name, PathState(0.9, 0, "A"), "A", 0.6, depth=2)
    assert child is not None
    assert child.priority == pytest.approx((priority,))
    assert (child.queue, child.depth) == ("A", 3)


def test_the_bookmark_order_starts_with_the_seeds_own_confidence() -> None:
    child = followed("bookmark", PathState(), "A", 0.4, depth=0)
    assert child is not None
    assert MEMOS.of(child) == PathState(0.4, 0, "A")


def test_tunnels_end() -> None:
    way = PathState(0.8, 0, "A")
    ways = []
    for depth in range(1, 5):
        child = followed("classifier(tunnel=3;decay=0.5)", way, None, -1.0, depth)
        ways.append(MEMOS.of(child) if child else None)
        way = ways[-1] or way
    assert ways == [PathState(0.4, 1, "A"), PathState(0.2, 2, "A"), PathState(pytest.approx(0.1), 3, "A"), None]


def test_an_accepted_page_ends_the_tunnel_and_names_the_queue() -> None:
    child = followed("classifier", PathState(0.1, 2, "A"), "B", 0.7, 3)
    assert child is not None
    assert (child.queue, MEMOS.of(child)) == ("B", PathState(0.7, 0, "B"))


def test_the_sharp_focus_takes_another_topic_for_a_rejection() -> None:
    way = PathState(0.8, 0, "A")
    assert followed("classifier(focus=sharp;tunnel=0)", way, "B", 0.7, 1) is None
    assert followed("classifier(focus=sharp;tunnel=0)", way, "A", 0.7, 1) is not None
    assert followed("classifier(focus=soft;tunnel=0)", way, "B", 0.7, 1) is not None


def test_long_names_of_topics_fit_into_a_memo_and_are_told_apart() -> None:
    first, second = ("A/" + 1000 * "\U0001f41f" + end for end in "xy")
    child = followed("classifier(focus=sharp;tunnel=0)", PathState(), first, 0.7, 1)
    assert child is not None
    assert len(child.memo.encode()) <= MEMO_BYTES
    way = MEMOS.of(child)
    assert way is not None
    assert followed("classifier(focus=sharp;tunnel=0)", way, first, 0.7, 1) is not None
    assert followed("classifier(focus=sharp;tunnel=0)", way, second, 0.7, 1) is None


def test_seeds_come_first_and_need_no_judgement() -> None:
    reading = Reading(candidate=Candidate(url="", priority=(), depth=-1), links=[LINK])
    child = next(iter(make_strategy("classifier").rank(reading, EmptyView())))
    assert (child.depth, child.priority) == (0, (1.0,))
    page = Reading(candidate=replace(child), links=[LINK], judgement=None)
    assert MEMOS.of(next(iter(make_strategy("classifier").rank(page, EmptyView())))) == PathState(0.5, 1, "")
