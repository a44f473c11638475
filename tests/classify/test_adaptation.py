"""A classifier adapted to answers: it follows them, a little, where pages are similar."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from tests.train.made import page
from thresher.classify.adaptation import adapted
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.learn.calibration import sigmoids
from thresher.learn.corrected_odds import correction
from thresher.types import ParsedPage

WORDS = {
    "Boats/Sail": "boat water sail mast wind keel",
    "Boats/Row": "boat water oar stroke crew lane",
    "Tea": "tea leaf kettle cup milk pot",
}


@pytest.fixture(scope="module")
def fitted() -> HierarchicalClassifier:
    examples: list[tuple[ParsedPage, str | None]] = [
        (page(f"{words} {words} extra{number}", f"http://{topic[-3:]}{number}.test/".lower()), topic)
        for topic, words in WORDS.items()
        for number in range(4)
    ]
    return HierarchicalClassifier().fit(examples)


def confidence(classifier: HierarchicalClassifier, asked: ParsedPage, child: int = 0, parent: str = "") -> float:
    family = classifier.families_[parent]
    return float(family.judge(family.known(asked.terms)).confidences[child])


def test_an_answer_moves_its_page_most_and_unlike_pages_little(fitted: HierarchicalClassifier) -> None:
    doubtful, other = page("boat water glue glue paper"), page("tea leaf kettle cup milk")
    no = adapted(fitted, [(doubtful, None)])
    yes = adapted(fitted, [(doubtful, "Boats/Sail")])
    assert confidence(no, doubtful) < confidence(fitted, doubtful) < confidence(yes, doubtful)
    tea = 1
    moved = confidence(fitted, doubtful) - confidence(no, doubtful)
    assert abs(confidence(no, other, tea) - confidence(fitted, other, tea)) < moved / 2
    assert len({fitted.version_, no.version_, yes.version_}) == 3


def test_repeated_answers_convince(fitted: HierarchicalClassifier) -> None:
    asked = page("boat water sail glue glue paper paper")
    said = [confidence(adapted(fitted, [(asked, None)] * number), asked) for number in (0, 1, 3, 9)]
    assert said == sorted(said, reverse=True)
    assert said[0] == confidence(fitted, asked)


def test_answers_reach_the_topics_on_the_way_to_theirs(fitted: HierarchicalClassifier) -> None:
    asked = page("boat water oar mast")
    row, sail = ([child.name for child in fitted.families_["Boats"].children].index(name) for name in ("Row", "Sail"))
    to_row = adapted(fitted, [(asked, "Boats/Row")])
    assert confidence(to_row, asked, row, "Boats") > confidence(fitted, asked, row, "Boats")
    assert confidence(to_row, asked, sail, "Boats") < confidence(fitted, asked, sail, "Boats")
    assert adapted(fitted, [(asked, "Tea")]).families_["Boats"] is fitted.families_["Boats"]
    stays = adapted(fitted, [(asked, "Boats")])
    assert confidence(stays, asked, row, "Boats") < confidence(fitted, asked, row, "Boats"), "it is neither"


def test_an_adapted_classifier_survives_its_file_and_pages_without_words(fitted: HierarchicalClassifier) -> None:
    changed = adapted(fitted, [(page("boat paper glue"), None), (page(""), "Tea")])
    again = HierarchicalClassifier.from_bytes(changed.to_bytes())
    asked = page("boat water paper")
    assert again.classify(asked) == changed.classify(asked)
    assert again.version_ == changed.version_


def test_only_the_latest_answers_count(fitted: HierarchicalClassifier, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thresher.classify.adaptation.MOST", 3)
    asked = page("boat water glue")
    late = [(asked, None), (page("kettle"), "Tea"), (page("kettle cup"), None)]
    assert adapted(fitted, [(asked, "Boats/Sail"), *late]).version_ == adapted(fitted, late).version_


@given(
    st.lists(
        st.tuples(st.floats(-20, 20), st.booleans(), st.integers(0, 3), st.sampled_from([0.5, 1.0])),
        min_size=1,
        max_size=12,
    ),
    st.floats(0.1, 3),
    st.floats(0.1, 5),
)
def test_corrections_are_the_most_probable(
    items: list[tuple[float, bool, int, float]], shift: float, change: float
) -> None:
    """At the optimum, the coefficient of each item is what is missing from its probability."""
    odds, labels, features, counts = (np.array(column) for column in zip(*items, strict=True))
    rows = csr_matrix(np.eye(4)[features])
    found = correction(odds, labels, counts, rows, shift=shift, change=change)
    missing = counts * (labels - sigmoids(odds + found.shift + rows @ found.weights))
    assert found.shift == pytest.approx(shift**2 * missing.sum(), abs=1e-3 * (1 + shift**2))
    assert found.weights == pytest.approx(change**2 * (rows.T @ missing), abs=1e-3 * (1 + change**2))
