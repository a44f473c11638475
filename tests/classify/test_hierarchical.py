"""The classifier of a topic tree: decisions, rules, confidence, and its file."""

import random

import pytest

from thresher.classify.acceptance import Rules, TopicWishes
from thresher.classify.examples import families
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.classify.sibling_space import SpaceParameters
from thresher.errors import InputError
from thresher.learn.model_file import pack, unpack
from thresher.reasons import Unmet
from thresher.types import ParsedPage, Rejection

COMMON = [f"common{number}" for number in range(30)]


def page(rng: random.Random, *vocabularies: str, language: str = "en") -> ParsedPage:
    """Return a page of 60 words, half of them of the named vocabularies."""
    terms: dict[str, int] = {}
    for _ in range(60):
        word = rng.choice(COMMON) if rng.random() < 0.5 else f"{rng.choice(vocabularies)}{rng.randrange(20)}"
        terms[word] = terms.get(word, 0) + 1
    return ParsedPage(url="", title="", words=[], links=[], terms=terms, language=language)


def examples(pages: int = 12) -> list[tuple[ParsedPage, str | None]]:
    rng = random.Random(1)
    made: list[tuple[ParsedPage, str | None]] = []
    for _ in range(pages):
        made += [
            (page(rng, "physics", "science"), "Science/Physics"),
            (page(rng, "biology", "science"), "Science/Biology"),
            (page(rng, "boats"), "Boats"),
            (page(rng, "news", "sport"), None),
        ]
    return made


@pytest.fixture(scope="module")
def classifier() -> HierarchicalClassifier:
    return HierarchicalClassifier().fit(examples())


@pytest.mark.parametrize(
    ("vocabularies", "topic"),
    [
        (("physics", "science"), "Science/Physics"),
        (("biology", "science"), "Science/Biology"),
        (("boats",), "Boats"),
        (("news",), None),
    ],
    ids=["physics", "biology", "boats", "none"],
)
def test_pages_find_their_topic(
    classifier: HierarchicalClassifier, vocabularies: tuple[str, ...], topic: str | None
) -> None:
    judged = classifier.classify(page(random.Random(7), *vocabularies))
    assert judged.topic == topic
    assert judged.path == (tuple(topic.split("/")) if topic else ())
    assert (judged.confidence > 0) == (topic is not None)
    assert judged.model == classifier.version_
    assert 0 <= judged.probability <= 1


def test_evidence_names_the_words_that_decided(classifier: HierarchicalClassifier) -> None:
    judged = classifier.classify(page(random.Random(7), "boats"))
    assert judged.evidence[0][0].startswith("boats")
    assert judged.evidence[0][1] > 0


def test_a_page_no_child_takes_stays_at_the_parent(classifier: HierarchicalClassifier) -> None:
    strict = HierarchicalClassifier(rules=Rules(threshold=0.4)).fit(examples())
    between = page(random.Random(3), "science")
    assert strict.classify(between).topic in ("Science", None)
    assert classifier.classify(ParsedPage(url="", title="", words=[], links=[])).topic is None


def test_a_higher_threshold_takes_fewer_pages(classifier: HierarchicalClassifier) -> None:
    rng = random.Random(5)
    pages = [page(rng, "physics", "science", "news") for _ in range(40)]
    taken = []
    for threshold in (-0.5, 0.0, 0.5, 50.0):
        strict = HierarchicalClassifier(rules=Rules(threshold=threshold))
        strict.families_ = classifier.families_
        taken.append(sum(strict.classify(other).topic is not None for other in pages))
    assert taken == sorted(taken, reverse=True)
    assert taken[0] > taken[-1] == 0


def test_pages_with_too_few_known_words_are_rejected(classifier: HierarchicalClassifier) -> None:
    short = ParsedPage(url="", title="", words=[], links=[], terms={"boats1": 3, "boats2": 3})
    judged = classifier.classify(short)
    assert judged.topic is None
    assert judged.rejection == Rejection(rule=Unmet.TOO_FEW_FEATURES, topic="Boats", needed=3, found=2)


def test_a_page_below_the_threshold_names_the_topic_it_came_nearest_to(classifier: HierarchicalClassifier) -> None:
    rules = Rules(threshold=50.0)
    strict = HierarchicalClassifier(rules=rules)
    strict.families_ = classifier.families_
    given = page(random.Random(7), "boats")
    assert classifier.classify(given).rejection is None
    assert strict.classify(given).rejection == Rejection(rule=Unmet.BELOW_THRESHOLD, topic="Boats", needed=50.0)


def test_the_weights_of_all_words_less_the_border_are_the_confidence(classifier: HierarchicalClassifier) -> None:
    for kind in ("boats", "physics", "news"):
        given = page(random.Random(7), kind)
        judged = classifier.classify(given)
        parent = "/".join(judged.path[:-1])
        family = classifier.families_[parent]
        named = judged.path[-1] if judged.path else judged.rejection.topic  # type: ignore[union-attr]
        place = [child.name for child in family.children].index(named)
        known = family.known(given.terms)
        words = sum(weight for _, weight in family.evidence(known, place, len(known.places)))
        assert judged.border is not None
        assert words - judged.border == pytest.approx(judged.confidence, abs=1e-3)


def test_indicators_and_languages_are_required() -> None:
    wishes = {"Boats": TopicWishes(("mast",), ("de",))}
    choosy = HierarchicalClassifier().fit(examples(), wishes)
    plain = page(random.Random(7), "boats", language="de")
    with_mast = ParsedPage(url="", title="", words=[], links=[], terms={**plain.terms, "mast": 1}, language="de")
    english = ParsedPage(url="", title="", words=[], links=[], terms=with_mast.terms, language="en")
    assert [choosy.classify(one).topic for one in (plain, with_mast, english)] == [None, "Boats", None]
    rejections = [choosy.classify(one).rejection for one in (plain, english)]
    assert rejections == [
        Rejection(rule=Unmet.INDICATORS_MISSING, topic="Boats", needed=1, found=0),
        Rejection(rule=Unmet.LANGUAGE, topic="Boats"),
    ]


def test_quality_is_measured_on_held_out_pages(classifier: HierarchicalClassifier) -> None:
    child = next(child for child in classifier.families_[""].children if child.name == "Boats")
    assert child.quality.f is not None
    assert child.quality.f > 0.8
    assert child.pages == 12
    assert child.mean_confidence > 0
    assert child.sites == 12
    rng = random.Random(2)
    noise = [(page(rng, "same"), topic) for topic in ("A", "B") for _ in range(20)]
    hopeless = HierarchicalClassifier().fit(noise).families_[""].children[0].quality
    assert hopeless.f is None or hopeless.f < 0.75


def test_the_same_examples_give_the_same_bytes_and_the_file_the_same_judgements() -> None:
    first, second = (HierarchicalClassifier().fit(examples()) for _ in range(2))
    assert first.to_bytes() == second.to_bytes()
    again = HierarchicalClassifier.from_bytes(first.to_bytes())
    other = page(random.Random(9), "biology", "science")
    assert again.classify(other) == first.classify(other)
    assert again.relevance([other.terms]) == first.relevance([other.terms])


@pytest.mark.parametrize("spoil", ["kind", "weights", "spread", "sites", "root", "junk"])
def test_damaged_files_are_refused(classifier: HierarchicalClassifier, spoil: str) -> None:
    header, arrays = unpack(classifier.to_bytes())
    if spoil == "kind":
        header["kind"] = "flat"
    elif spoil == "weights":
        arrays["weights0"] = arrays["weights0"][:-1]
    elif spoil == "spread":
        header["families"][0]["children"][0]["spread"] = 0.0
    elif spoil == "sites":
        header["families"][0]["evidence"]["sites"]["a.test"] = [3, [0.5]]
    elif spoil == "root":
        header["families"] = [family for family in header["families"] if family["parent"]]
    packed = b"PK junk" if spoil == "junk" else pack(header, arrays)
    with pytest.raises(InputError):
        HierarchicalClassifier.from_bytes(packed)


def test_small_and_strange_trees() -> None:
    rng = random.Random(4)
    two = [(page(rng, "boats"), "Boats"), (page(rng, "cars"), "Cars")]
    assert HierarchicalClassifier().fit(two).classify(two[0][0]).topic == "Boats"
    deep = [(page(rng, "deep"), "/".join("abcdefghij")), (page(rng, "other"), None)]
    assert HierarchicalClassifier().fit(deep * 3).classify(deep[0][0]).topic == "a/b/c/d/e/f/g/h/i/j"
    same = page(rng, "boats")
    twins = HierarchicalClassifier().fit([(same, "A"), (same, "B"), (page(rng, "news"), None)])
    assert twins.classify(same).confidence == twins.classify(same).confidence
    alone = HierarchicalClassifier().fit([(same, "A")])
    assert alone.classify(same).topic == "A"
    assert alone.classify(page(rng, "news")).confidence < alone.classify(same).confidence
    with pytest.raises(InputError):
        HierarchicalClassifier().fit([(same, None)])
    blank = ParsedPage(url="", title="", words=[], links=[])
    assert HierarchicalClassifier().fit([(blank, "A"), (blank, None), (same, "A"), (same, None)]).version_


def test_others_are_negative_for_the_children_of_their_topic() -> None:
    blank = ParsedPage(url="", title="", words=[], links=[])
    found = {family.parent: family for family in families([(blank, "A/B"), (blank, "A/Others"), (blank, "C")])}
    assert found[""].members.tolist() == [[True, False], [False, True]]
    assert found["A"].members.tolist() == [[True], [False]]


@pytest.mark.parametrize(
    ("measure", "weighting"),
    [
        *((measure, weighting) for measure in ("mi", "ig", "chi2") for weighting in ("rtf", "tfidf", "rsj")),
        pytest.param("cmi", "rtf", marks=pytest.mark.slow),
    ],
)
def test_every_measure_and_weighting_learns(weighting: str, measure: str) -> None:
    parameters = SpaceParameters(features=40, weighting=weighting, measure=measure)
    learnt = HierarchicalClassifier(parameters).fit(examples(8))
    rng = random.Random(11)
    right = sum(learnt.classify(page(rng, "boats")).topic == "Boats" for _ in range(20))
    assert right >= 16
