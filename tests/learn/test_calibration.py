"""Probabilities from margins."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from thresher.learn.calibration import PlattScaling, held_out_margins, sigmoid, sigmoids

MARGINS = st.lists(st.floats(-50, 50), min_size=2, max_size=40)


@given(MARGINS, st.integers(0, 2**32 - 1))
def test_never_falls_and_never_degenerates(margins: list[float], seed: int) -> None:
    labels = np.random.default_rng(seed).random(len(margins)) < 0.5
    labels[0], labels[-1] = True, False
    scaling = PlattScaling().fit(np.array(margins), labels)
    assert scaling.slope_ > 0
    probabilities = scaling.probabilities(np.linspace(-60, 60, 200))
    assert np.isfinite(probabilities).all()
    assert (np.diff(probabilities) >= 0).all()


def test_separable_margins_give_no_certainty() -> None:
    margins = np.r_[np.full(30, -0.8), np.full(10, 0.4)]
    found = PlattScaling().fit(margins, margins > 0).probabilities(margins)
    assert found[0] == pytest.approx(1 / 32, abs=0.01)
    assert found[-1] == pytest.approx(11 / 12, abs=0.01)


def test_recovers_the_sigmoid_the_labels_were_drawn_from() -> None:
    rng = np.random.default_rng(0)
    margins = rng.normal(size=20_000)
    labels = rng.random(20_000) < 1 / (1 + np.exp(-(3 * margins - 1)))
    scaling = PlattScaling().fit(margins, labels)
    assert scaling.slope_ == pytest.approx(3, rel=0.05)
    assert scaling.offset_ == pytest.approx(-1, rel=0.1)


def test_margins_the_wrong_way_round_keep_their_order() -> None:
    scaling = PlattScaling().fit(np.array([1.0, 2.0, -1.0, -2.0]), np.array([False, False, True, True]))
    low, high = scaling.probabilities(np.array([-1.0, 1.0]))
    assert low < high


@pytest.mark.parametrize(("positive", "negative", "folds"), [(10, 30, 5), (3, 30, 3), (2, 2, 2), (1, 9, 1)])
def test_every_example_is_judged_by_a_model_that_has_not_seen_it(positive: int, negative: int, folds: int) -> None:
    labels = np.array([True] * positive + [False] * negative)
    rows = csr_matrix(np.arange(len(labels), dtype=float)[:, None])
    lessons = []

    def margins(seen: csr_matrix, truth: np.ndarray, unseen: csr_matrix) -> np.ndarray:
        known, asked = set(seen.toarray().ravel()), unseen.toarray().ravel()
        assert folds == 1 or known.isdisjoint(asked)
        assert truth.any()
        assert not truth.all()
        lessons.append(len(asked))
        return asked

    assert held_out_margins(rows, labels, margins).tolist() == rows.toarray().ravel().tolist()
    assert len(lessons) == folds


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_sigmoid_never_overflows(value: float) -> None:
    assert 0.0 <= sigmoid(value) <= 1.0
    assert sigmoid(value) + sigmoid(-value) == pytest.approx(1.0)


@given(st.floats(-1e4, 1e4))
def test_many_sigmoids_are_those_of_each(value: float) -> None:
    assert sigmoids(np.array([value])).tolist() == [pytest.approx(sigmoid(value), rel=1e-12)]
