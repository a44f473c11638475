"""The interval of a share among documents yet to be seen."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.learn.predictive_interval import MOST, predictive_interval


@pytest.mark.parametrize(("rate", "whole", "among"), [(0.02, 40, 60), (0.1, 40, 200), (0.3, 100, 30), (0.5, 12, 12)])
def test_it_holds_at_least_95_times_of_100(rate: float, whole: int, among: int) -> None:
    rng = np.random.default_rng(0)
    held = 0
    for _ in range(400):
        low, high = predictive_interval(int(rng.binomial(whole, rate)), whole, among)
        held += low <= rng.binomial(among, rate) / among <= high
    assert held >= 0.93 * 400


@given(st.integers(0, 200), st.integers(0, 200), st.one_of(st.none(), st.integers(0, 300)))
def test_bounds_are_shares_around_the_middle(part: int, rest: int, among: int | None) -> None:
    low, high = predictive_interval(part, part + rest, among)
    assert 0.0 <= low <= high <= 1.0
    if not part + rest:
        assert (low, high) == (0.0, 1.0)


def test_it_narrows_with_more_documents_down_to_the_interval_of_the_rate() -> None:
    widths = [high - low for low, high in (predictive_interval(4, 40, among) for among in (10, 100, 1000, None))]
    assert widths == sorted(widths, reverse=True)
    assert predictive_interval(4, 40, MOST) == pytest.approx(predictive_interval(4, 40), abs=1e-3)
    assert predictive_interval(0, 40)[0] == 0.0
    assert predictive_interval(40, 40)[1] == 1.0
