"""Topics without pages of their own keep a page that no topic below takes only where they are sure of it."""

import random

import pytest

from thresher.classify.acceptance import EMPTY, Rules
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.reasons import Unmet
from thresher.types import ParsedPage

OWN = "Science"


def page(rng: random.Random, strange: float, *vocabularies: str) -> ParsedPage:
    """Return a page of 60 words, a share of them strange and the others of the named vocabularies."""
    words = [
        f"strange{rng.randrange(40)}" if rng.random() < strange else f"{rng.choice(vocabularies)}{rng.randrange(20)}"
        for _ in range(60)
    ]
    return ParsedPage(
        url="", title="", words=[], links=[], terms={word: words.count(word) for word in words}, language="en"
    )


def trained(*, own: bool) -> HierarchicalClassifier:
    rng = random.Random(1)
    made: list[tuple[ParsedPage, str | None]] = []
    for _ in range(6):
        made += [
            (page(rng, 0.5, "physics", "science"), f"{OWN}/Physics"),
            (page(rng, 0.5, "biology", "science"), f"{OWN}/Biology"),
            (page(rng, 0.5, "science"), f"{OWN}/OTHERS"),
            (page(rng, 0.5, "news"), None),
        ]
    made += [(page(rng, 0.5, "science"), OWN) for _ in range(4)] if own else []
    return HierarchicalClassifier().fit(made)


@pytest.fixture(scope="module")
def empty() -> HierarchicalClassifier:
    return trained(own=False)


@pytest.fixture(scope="module")
def pages() -> list[ParsedPage]:
    """Pages of science, from plain ones to hardly any."""
    rng = random.Random(5)
    return [page(rng, strange / 40, "science") for strange in range(41)]


def test_only_sure_pages_stay_at_a_topic_without_pages_of_its_own(
    empty: HierarchicalClassifier, pages: list[ParsedPage]
) -> None:
    judged = [empty.classify(one) for one in pages]
    stayed = [one for one in judged if one.topic == OWN]
    doubtful = [one for one in judged if one.topic is None and one.confidence > 0]
    assert stayed
    assert doubtful
    assert min(one.confidence for one in stayed) > EMPTY
    for one in doubtful:
        assert one.confidence <= EMPTY
        assert one.rejection is not None
        assert (one.rejection.rule, one.rejection.topic, one.rejection.needed) == (Unmet.BELOW_THRESHOLD, OWN, EMPTY)
        assert one.path == ()
        assert 0 < one.probability < 1


def test_with_pages_of_its_own_it_keeps_all(pages: list[ParsedPage]) -> None:
    full = trained(own=True)
    judged = [full.classify(one) for one in pages]
    assert not [one for one in judged if one.topic is None and one.confidence > 0]


def test_pages_of_topics_below_are_not_touched(empty: HierarchicalClassifier) -> None:
    rng = random.Random(9)
    judged = [empty.classify(page(rng, 0.5, "physics", "science")) for _ in range(8)]
    assert {one.topic for one in judged if one.confidence > 0} == {f"{OWN}/Physics"}
    assert sum(one.confidence > 0 for one in judged) >= 6


def test_a_stricter_threshold_adds_to_it(empty: HierarchicalClassifier, pages: list[ParsedPage]) -> None:
    again = HierarchicalClassifier.from_bytes(empty.to_bytes())
    again.rules = Rules(threshold=0.5)
    judged = [again.classify(one) for one in pages]
    assert all(one.confidence > 0.5 + EMPTY for one in judged if one.topic == OWN)
