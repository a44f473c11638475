"""Options of the classifier that are off unless somebody asks for them, and probabilities from a few sites."""

import random

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from thresher.classify.family_fitting import USUAL_OFFSET, USUAL_SLOPE, _scaling
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.classify.relevance_weights import relevance_weights
from thresher.classify.several_votes import with_votes
from thresher.classify.sibling_space import SpaceParameters
from thresher.learn.linear import LinearSvm
from thresher.types import ParsedPage


def page(rng: random.Random, kind: str) -> ParsedPage:
    words = [f"{kind if rng.random() < 0.4 else 'common'}{rng.randrange(25)}" for _ in range(50)]
    return ParsedPage(
        url="", title="", words=[], links=[], terms={word: words.count(word) for word in words}, language="en"
    )


@pytest.mark.parametrize(
    "parameters", [SpaceParameters(weighting="rsj"), SpaceParameters(vote=True)], ids=["rsj", "vote"]
)
def test_options_learn_and_survive_their_file(parameters: SpaceParameters) -> None:
    rng = random.Random(2)
    examples = [(page(rng, kind), kind) for kind in ("boats", "cars") for _ in range(5)]
    learnt = HierarchicalClassifier(parameters).fit(examples)
    unseen = [(page(rng, kind), kind) for kind in ("boats", "cars") for _ in range(8)]
    assert sum(learnt.classify(one).topic == kind for one, kind in unseen) >= 14
    again = HierarchicalClassifier.from_bytes(learnt.to_bytes())
    assert again.parameters == parameters
    assert [again.classify(one) for one, _ in unseen] == [learnt.classify(one) for one, _ in unseen]
    plain = HierarchicalClassifier().fit(examples)
    assert learnt.version_ != plain.version_


def test_a_term_of_all_examples_and_of_nothing_else_weighs_most() -> None:
    counts = csr_matrix([[1, 1, 1, 0], [1, 0, 1, 0], [0, 0, 1, 1], [0, 1, 1, 0]])
    members = np.array([[True], [True], [False], [False]])
    only, some, every, other = relevance_weights(counts, members, csr_matrix((0, 4))).tolist()
    assert only > some
    assert (every, other) == (0.0, 0.0)
    met = csr_matrix([[1, 0, 0, 0]] * 3)
    assert relevance_weights(counts, members, met)[0] < only


def test_several_classifiers_vote_with_equal_weight() -> None:
    rows = csr_matrix([[1.0, 0.0], [0.0, 1.0]])
    labels, machine = np.array([True, False]), LinearSvm(balanced=True)
    # One member is wrong; the other four outvote it.
    wrong = np.array([-2.0, 2.0])
    weights, _ = with_votes(wrong, 0.0, rows, labels, np.ones(2), machine)
    assert weights[0] > 0 > weights[1]
    right, _ = with_votes(-wrong, 0.0, rows, labels, np.ones(2), machine)
    assert np.linalg.norm(right) == pytest.approx(np.linalg.norm(wrong))
    assert (right[0] - weights[0]) == pytest.approx(4.0 / 5)


def test_members_that_learned_nothing_do_not_vote() -> None:
    same = csr_matrix([[1.0, 0.0], [1.0, 0.0]])
    weights = np.array([0.0, 2.0])
    labels, machine = np.array([True, False]), LinearSvm(balanced=True)
    voted, _ = with_votes(weights, 0.0, same, labels, np.ones(2), machine)
    assert voted == pytest.approx(weights)


def test_examples_of_few_sites_hardly_move_probabilities_and_those_of_many_do() -> None:
    confidences, labels = np.array([4.0, 5.0, 6.0, -5.0, -6.0, -4.0]), np.array([True] * 3 + [False] * 3)
    one, many, alone = (_scaling(confidences, labels, sites) for sites in (1, 2000, None))
    assert one[0] == pytest.approx(USUAL_SLOPE, abs=0.1)
    assert one[1] == pytest.approx(USUAL_OFFSET, abs=0.1)
    assert many == pytest.approx(alone, abs=0.05)
    assert _scaling(confidences[:3], labels[:3], 0) == (USUAL_SLOPE, USUAL_OFFSET)
