"""Two kinds of values in groups: shares and borders."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from thresher.learn.grouped_mixture import SHARES, GroupedMixture

Floats = NDArray[np.float64]


def drawn(shares: list[float], each: int, apart: float = 6.0) -> tuple[Floats, NDArray[np.int64], NDArray[np.bool_]]:
    """Return values of groups with such shares of the upper kind, their groups, and which are of it."""
    rng = np.random.default_rng(1)
    groups = np.repeat(np.arange(len(shares)), each)
    upper = rng.random(len(groups)) < np.array(shares)[groups]
    return rng.normal(np.where(upper, apart, 0.0)), groups, upper


def test_shares_and_kinds_are_found_without_labels() -> None:
    shares = [0.0] * 10 + [0.5] * 5 + [1.0] * 5
    values, groups, upper = drawn(shares, 40)
    found = GroupedMixture().fit(values, groups, np.full(len(values), np.nan), start=3.0)
    true = np.bincount(groups, upper) / 40
    assert np.abs(found.shares_ - true).max() < 0.1
    assert found.upper_[0] == pytest.approx(6.0, abs=0.3)
    assert found.upper_[1] == pytest.approx(1.0, abs=0.3)


def test_groups_of_one_kind_are_drawn_less_towards_the_mean() -> None:
    pure, mixed = (drawn(shares, 20) for shares in ([0.0] * 15 + [1.0] * 5, [0.25] * 20))
    priors = [GroupedMixture().fit(v, g, np.full(len(v), np.nan), start=3.0).prior_ for v, g, _ in (pure, mixed)]
    assert priors[0] < 1 < 4 < priors[1]


def test_labels_hold_whatever_the_values_say() -> None:
    values, groups, _ = drawn([0.0] * 10, 10)
    known = np.full(len(values), np.nan)
    known[groups == 0] = 1.0
    found = GroupedMixture().fit(values, groups, known, start=3.0)
    assert found.shares_[0] > 0.8
    assert found.shares_[1:].max() < 0.3


@given(st.lists(st.floats(-20, 20), min_size=1, max_size=30), st.integers(1, 6), st.floats(0.5, 4))
@settings(max_examples=40)
def test_any_values_give_borders_that_fall_with_the_share(values: list[float], groups: int, start: float) -> None:
    places = np.arange(len(values)) % min(groups, len(values))
    found = GroupedMixture().fit(np.array(values), places, np.full(len(values), np.nan), start)
    assert ((found.shares_ >= SHARES[0]) & (found.shares_ <= SHARES[1])).all()
    borders = found.borders(np.array([0.01, 0.3, 0.5, 0.98]))
    assert np.isfinite(borders).all()
    assert (np.diff(borders) <= 1e-9).all()
    assert borders[0] <= found.upper_[0] + 1e-9


def test_a_group_that_taught_does_not_move_the_border_of_others() -> None:
    rng = np.random.default_rng(1)
    groups = np.repeat(np.arange(12), 10)
    # The first group lies far out, and some of it is known; the upper kind of the next three lies nearer.
    values = rng.normal(np.where(groups == 0, 16.0, np.where(groups < 4, 5.0, 0.0)))
    known = np.full(len(values), np.nan)
    known[:4] = 1.0
    found = GroupedMixture().fit(values, groups, known, start=3.0)
    assert found.upper_[0] < 7
    assert float(found.borders(np.array([0.3]))[0]) < 4
    assert (found.shares_[:4] > 0.5).all()
