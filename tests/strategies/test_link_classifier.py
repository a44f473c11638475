"""A link classifier that learns from where links led."""

import json
from collections.abc import Mapping, Sequence

import pytest

from thresher.documents import read
from thresher.strategies.contexts import PageStems
from thresher.strategies.link_classifier import LIMITS, Followed, LinkClassifier
from thresher.strategies.link_neighbourhood import ANCHOR, AROUND, MOST, URL, features, field_of
from thresher.strategies.memos import Memos
from thresher.types import MEMO_BYTES, Candidate, Judgement, Link, ParsedPage

from .following import followed

YES = Judgement(topic="boats", confidence=0.9, probability=0.95)
NO = Judgement(topic=None, confidence=-0.9, probability=0.05)


class Undecided:
    def relevance(self, bags: Sequence[Mapping[str, int]]) -> list[float]:
        return [0.4] * len(bags)


def page_of(*anchors: str) -> ParsedPage:
    links = " and ".join(f"<a href='/{anchor.replace(' ', '-')}'>{anchor}</a>" for anchor in anchors)
    return read(f"<p>Here stand links: {links}.".encode(), "text/html", "http://a.test/")


def taught(pages: int, **parameters: int) -> LinkClassifier:
    """Return a strategy that saw links named after boats lead to the topic and others away from it."""
    strategy = LinkClassifier(**parameters)
    strategy.consult(Undecided())
    for number in range(pages):
        good = number % 3 == 0
        (child,) = followed(strategy, page_of(f"boat {number % 7}" if good else f"car {number % 11}"))
        strategy.observe(child, YES if good else NO)
    return strategy


def test_until_the_first_lesson_a_link_is_worth_its_page() -> None:
    strategy = taught(29, every=30)
    assert {child.priority for child in followed(strategy, page_of("boat", "car"), YES)} == {(0.95,)}
    assert {child.priority for child in followed(strategy, page_of("boat", "car"))} == {(0.4,)}


def test_after_a_lesson_links_like_the_good_ones_come_first_and_before_all_others() -> None:
    boat, car = followed(taught(30, every=30), page_of("boat", "car"), YES)
    assert boat.priority > (1.5,) > car.priority > (1.0,)


def test_one_class_alone_teaches_nothing() -> None:
    strategy = LinkClassifier(every=10)
    strategy.consult(Undecided())
    for number in range(20):
        strategy.observe(followed(strategy, page_of(f"car {number}"))[0], NO)
    assert followed(strategy, page_of("boat"))[0].priority == (0.4,)


def test_start_pages_count_as_pages_but_teach_nothing() -> None:
    strategy = LinkClassifier(every=2)
    for judgement in (YES, NO, YES, NO):
        strategy.observe(Candidate(url="http://a.test/", priority=(2.0,)), judgement)
    assert strategy.state()["observed"] == 4
    assert strategy.state()["relevant"] == []


@pytest.mark.parametrize("after", [10, 30, 45])
def test_killed_and_restored_it_goes_on_as_if_nothing_had_happened(after: int) -> None:
    whole, first = taught(90, every=30), taught(after, every=30)
    second = LinkClassifier(every=30)
    second.consult(Undecided())
    second.restore(json.loads(json.dumps(first.state())))
    for number in range(after, 90):
        good = number % 3 == 0
        (child,) = followed(second, page_of(f"boat {number % 7}" if good else f"car {number % 11}"))
        second.observe(child, YES if good else NO)
    assert second.state() == whole.state()


def test_memory_is_bounded() -> None:
    state = taught(60, every=30, samples=5).state()
    assert len(state["relevant"]) == len(state["irrelevant"]) == 5
    assert len(state["weights"]) <= sum(LIMITS.values())


def test_features_fit_into_a_memo() -> None:
    words = [f"word{n}" for n in range(400)]
    link = Link("http://a.test/" + "/".join(words[:200]), " ".join(words), 0, 400)
    found = features(link, 400, PageStems(words, "en"))
    assert len(found) <= MOST
    assert len(Memos(Followed).write(Followed(found))) <= MEMO_BYTES


def test_fields_are_kept_apart() -> None:
    page = read(b"<p>boats <a href='/boats?boats'>boats</a> boats", "text/html", "http://boats.test/")
    found = features(page.links[0], len(page.words), PageStems(page.words, "en"))
    assert sorted(map(field_of, found)) == sorted([AROUND, URL, ANCHOR])


@pytest.mark.parametrize("parameters", [{"every": 0}, {"around": -1}, {"samples": 1}])
def test_misuse_is_refused(parameters: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="at least"):
        LinkClassifier(**parameters)
