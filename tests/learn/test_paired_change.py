"""Paired changes of judgements."""

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.learn.paired_change import paired_change


def test_nothing_changed() -> None:
    found = paired_change([True, False], [True, False])
    assert (found.lost, found.won, found.p_value, found.before) == (0, 0, 1.0, 0.5)


def test_no_documents_at_all() -> None:
    assert paired_change([], []).p_value == 1.0


def test_documents_must_be_the_same() -> None:
    with pytest.raises(ValueError, match="zip"):
        paired_change([True], [])


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=40))
def test_the_probability_is_that_of_a_fair_coin(pairs: list[tuple[bool, bool]]) -> None:
    found = paired_change([was for was, _ in pairs], [now for _, now in pairs])
    number = found.lost + found.won
    expected = sum(comb(number, heads) for heads in range(found.lost, number + 1)) / 2**number
    assert found.p_value == pytest.approx(expected)
