"""Clusters whose number the data choose, and a hidden Markov model that is filtered forward."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.learn.clusters import XMeans, bic, cosine_means
from thresher.learn.hmm import HiddenMarkov

few = settings(deadline=None, max_examples=15)


def groups(number: int, each: int = 15, width: int = 10, spread: float = 0.05) -> np.ndarray:
    rng = np.random.default_rng(number)
    return np.concatenate(
        [np.eye(width)[group] + spread * rng.standard_normal((each, width)) for group in range(number)]
    )


@pytest.mark.parametrize("number", [3, 5])
def test_as_many_clusters_are_found_as_there_are(number: int) -> None:
    found = XMeans(fewest=2, most=8).fit(groups(number))
    assert found.number_ == number
    for group in found.labels_.reshape(number, -1):
        assert len(set(group.tolist())) == 1


def test_the_bounds_of_their_number_hold() -> None:
    assert XMeans(fewest=3, most=4).fit(groups(8)).number_ == 4
    assert XMeans(fewest=3, most=8).fit(groups(1)).number_ >= 3
    assert XMeans().fit(np.zeros((0, 4))).number_ == 0
    assert XMeans().fit(np.ones((5, 4))).number_ == 1
    with pytest.raises(ValueError, match="fewest"):
        XMeans(fewest=5, most=2)


def test_only_directions_count() -> None:
    rows = groups(3, each=4)
    scaled = rows * np.linspace(0.1, 50, len(rows))[:, None]
    one, other = cosine_means(rows, 3), cosine_means(scaled, 3)
    assert [one[0] == label for label in one] == [other[0] == label for label in other]


def test_the_criterion_prefers_the_true_clusters() -> None:
    rows, two = groups(2), np.repeat([0, 1], 15)
    assert bic(rows, two) > bic(rows, np.zeros(30, np.int64))
    one_cloud = groups(1, each=30)
    assert bic(one_cloud, two) < bic(one_cloud, np.zeros(30, np.int64))


pairs = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=30)


@few
@given(pairs, pairs, st.lists(st.integers(0, 3), min_size=1, max_size=6), st.sampled_from([0.0, 0.1]))
def test_filtering_is_the_sum_over_all_paths(
    moves: list[tuple[int, int]], seen: list[tuple[int, int]], path: list[int], smoothing: float
) -> None:
    model = HiddenMarkov(4, 4, smoothing).fit(moves, seen)
    belief = model.begin(model.emissions_[:, path[0]])
    for observation in path[1:]:
        belief = model.step(belief, model.emissions_[:, observation])
    joint = model.emissions_[:, path[0]] / 4
    for observation in path[1:]:
        joint = model.emissions_[:, observation] * (joint @ model.transitions_)
    assert belief.sum() == pytest.approx(1.0)
    if joint.sum() > 0 and smoothing:
        assert belief == pytest.approx(joint / joint.sum())
    assert model.transitions_.sum(axis=1) == pytest.approx(np.ones(4))
    assert model.emissions_.sum(axis=1) == pytest.approx(np.ones(4))


def test_long_paths_do_not_vanish_and_impossible_ones_begin_anew() -> None:
    model = HiddenMarkov(3, 2, 0.0).fit([(0, 1), (1, 2), (2, 2)], [(0, 0), (1, 0), (2, 0)])
    usual, impossible = model.emissions_.T
    belief = model.begin(usual)
    for _ in range(5000):
        belief = model.step(belief, usual)
    assert belief == pytest.approx([0, 0, 1])
    assert model.step(belief, impossible) == pytest.approx([1 / 3] * 3)


def test_the_usual_states_are_those_of_a_long_walk() -> None:
    model = HiddenMarkov(2, 1, 0.0).fit([(0, 0), (0, 0), (0, 0), (0, 1), (1, 0)], [(0, 0), (1, 0)])
    assert model.usual() == pytest.approx([0.8, 0.2])
    assert model.predict(model.usual()) == pytest.approx(model.usual())
    in_turns = HiddenMarkov(2, 1, 0.0).fit([(0, 1), (1, 0)], [(0, 0), (1, 0)])
    assert in_turns.usual() == pytest.approx([0.5, 0.5])
