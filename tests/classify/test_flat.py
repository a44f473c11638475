"""The plain page classifier."""

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.classify.flat import FlatClassifier
from thresher.errors import InputError
from thresher.learn.linear import LinearSvm, Logistic
from thresher.learn.model_file import pack, unpack
from thresher.learn.naive_bayes import NaiveBayes
from thresher.learn.one_hidden_layer import OneHiddenLayer
from thresher.learn.term_margins import LinearMargins
from thresher.learn.tfidf import TfIdf
from thresher.protocols import PageClassifier, TermScorer
from thresher.types import ParsedPage

MODELS = ["logistic", "svm", "naive-bayes", "network"]
LEARNERS = {"logistic": Logistic, "svm": LinearSvm, "naive-bayes": NaiveBayes, "network": OneHiddenLayer}
TERMS = [f"boat{n}" for n in range(20)] + [f"car{n}" for n in range(20)] + [f"word{n}" for n in range(40)]


def page(terms: dict[str, int]) -> ParsedPage:
    return ParsedPage(url="http://a.test/", title="", words=[], links=[], terms=terms)


def drawn(on_topic: bool, seed: int) -> ParsedPage:
    """Draw a page in which words of the topic are three times as likely as those of another."""
    rng = np.random.default_rng([seed, on_topic])
    rates = np.array([0.9 if on_topic else 0.3] * 20 + [0.3 if on_topic else 0.9] * 20 + [1.0] * 40)
    counts = rng.poisson(rates).tolist()
    return page({term: count for term, count in zip(TERMS, counts, strict=True) if count})


EXAMPLES = [(drawn(True, n), "boats") for n in range(10)] + [(drawn(False, n), None) for n in range(30)]
BAGS = st.dictionaries(st.sampled_from([*TERMS, "unknown"]), st.integers(1, 2000), max_size=60)


@pytest.fixture(scope="module", params=MODELS)
def classifier(request: pytest.FixtureRequest) -> FlatClassifier:
    return FlatClassifier(model=request.param).fit(EXAMPLES)


def test_keeps_both_protocols(classifier: FlatClassifier) -> None:
    assert isinstance(classifier, PageClassifier)
    assert isinstance(classifier, TermScorer)


def test_tells_unseen_pages_apart(classifier: FlatClassifier) -> None:
    unseen = [(drawn(topic, n), topic) for n in range(100, 200) for topic in (True, False)]
    right = [(classifier.classify(found).topic == "boats") is topic for found, topic in unseen]
    assert sum(right) / len(right) > 0.85


def test_judgement_says_what_it_rests_on(classifier: FlatClassifier) -> None:
    judgement = classifier.classify(page({"boat1": 2, "boat2": 1, "boat3": 1, "unknown": 9}))
    assert (judgement.topic, judgement.path) == ("boats", ("boats",))
    assert judgement.confidence == pytest.approx(2 * judgement.probability - 1)
    assert {word for word, _ in judgement.evidence} == {"boat1", "boat2", "boat3"}
    assert judgement.model == classifier.version_ != ""
    other = classifier.classify(page({"car1": 2, "car2": 1}))
    assert (other.topic, other.path) == (None, ())
    assert other.confidence < 0


@pytest.mark.parametrize("model", MODELS)
def test_quick_margins_are_those_of_the_arrays(model: str) -> None:
    bags = [found.terms for found, _ in EXAMPLES]
    weighing = TfIdf().fit(bags)
    slow = LEARNERS[model]().fit(weighing.transform(bags), np.arange(40) < 10)
    quick = FlatClassifier(model=model).fit(EXAMPLES)  # type: ignore[arg-type]

    @given(bag=BAGS)
    def agree(bag: dict[str, int]) -> None:
        (found,) = quick.relevance([bag])
        assert found == pytest.approx(slow.predict_proba(weighing.transform([bag]))[0, 1], abs=1e-9)
        assert found == quick.classify(page(bag)).probability

    agree()


def test_contributions_of_a_linear_model_add_up() -> None:
    weights = np.random.default_rng(0).normal(size=len(TERMS))
    margins = LinearMargins(TERMS, np.linspace(1, 3, len(TERMS)), weights, -0.7)

    @given(bag=BAGS)
    def add_up(bag: dict[str, int]) -> None:
        total = math.fsum(weight for _, weight in margins.strongest(bag, len(bag)))
        assert total == pytest.approx(margins.margin(bag) + 0.7, abs=1e-9)

    add_up()


def test_empty_bags_get_an_answer(classifier: FlatClassifier) -> None:
    assert classifier.relevance([]) == []
    (probability,) = classifier.relevance([{}])
    assert 0 < probability < 1
    assert classifier.classify(page({})).evidence == ()


def test_round_trip_through_a_file_is_exact(classifier: FlatClassifier, tmp_path: Path) -> None:
    classifier.save(tmp_path / "flat.npz")
    again = FlatClassifier.load(tmp_path / "flat.npz")
    found = [drawn(topic, n) for n in range(20) for topic in (True, False)]
    assert [again.classify(one) for one in found] == [classifier.classify(one) for one in found]
    assert again.to_bytes() == classifier.to_bytes()


def test_same_examples_same_version() -> None:
    versions = [FlatClassifier().fit(EXAMPLES).version_ for _ in range(2)]
    assert versions[0] == versions[1] != FlatClassifier(cost=2.0).fit(EXAMPLES).version_


@pytest.mark.parametrize(
    "examples",
    [[], EXAMPLES[:10], EXAMPLES[10:], [*EXAMPLES, (drawn(False, 99), "cars")]],
    ids=["none", "all positive", "all negative", "two topics"],
)
def test_needs_pages_of_one_topic_and_of_none(examples: list[tuple[ParsedPage, str | None]]) -> None:
    with pytest.raises(InputError) as caught:
        FlatClassifier().fit(examples)
    assert "one topic" in caught.value.remedy


def test_unknown_model_is_misuse() -> None:
    with pytest.raises(ValueError, match="logistic"):
        FlatClassifier(model="oracle")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "change",
    [
        {"format": 99},
        {"kind": "tree"},
        {"model": "magic"},
        {"topic": 3},
        {"terms": ["a"]},
        {"terms": [1, 2]},
        {"terms": 5},
        {"slope": -1.0},
        {"slope": "x"},
        {"bias": None},
    ],
    ids=lambda change: "-".join(f"{key}={value}" for key, value in change.items()),
)
def test_damaged_headers_are_refused(change: dict[str, object]) -> None:
    header, arrays = unpack(FlatClassifier().fit(EXAMPLES).to_bytes())
    with pytest.raises(InputError, match="flat classifier"):
        FlatClassifier.from_bytes(pack({**header, **change}, arrays))


@pytest.mark.parametrize("array", [np.ones(3), np.full(80, np.nan), np.ones(80, int), np.ones((80, 1))])
def test_damaged_arrays_are_refused(array: np.ndarray) -> None:
    header, arrays = unpack(FlatClassifier().fit(EXAMPLES).to_bytes())
    for changed in ({**arrays, "weights": array}, {name: a for name, a in arrays.items() if name != "idf"}):
        with pytest.raises(InputError, match="flat classifier"):
            FlatClassifier.from_bytes(pack(header, changed))


def test_judging_needs_no_scikit_learn(tmp_path: Path) -> None:
    FlatClassifier().fit(EXAMPLES).save(tmp_path / "flat.npz")
    code = (
        "import sys; from pathlib import Path; from thresher.classify.flat import FlatClassifier\n"
        f"found = FlatClassifier.load(Path({str(tmp_path / 'flat.npz')!r})).relevance([{{'boat1': 1}}])\n"
        "assert found[0] > 0.5\n"
        "assert not any(name.split('.')[0] in ('sklearn', 'scipy') for name in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
