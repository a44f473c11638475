"""Measures of terms against their definitions, and the greedy choice against its slow form."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from sklearn.feature_selection import chi2 as reference_chi2
from sklearn.metrics import mutual_info_score

from thresher.learn.feature_selection import (
    _conditional,
    chi_square,
    contingency,
    information_gain,
    select,
    select_counted,
)


@st.composite
def tables(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    documents, terms = draw(st.integers(4, 12)), draw(st.integers(1, 8))
    cells = draw(st.lists(st.booleans(), min_size=documents * terms, max_size=documents * terms))
    labels = draw(st.lists(st.booleans(), min_size=documents, max_size=documents))
    labels[0], labels[1] = True, False
    return np.array(cells, int).reshape(documents, terms), np.array(labels)


@given(tables())
def test_information_gain_is_mutual_information_of_two_variables(table: tuple[np.ndarray, np.ndarray]) -> None:
    rows, labels = table
    gain = information_gain(*contingency(csr_matrix(rows), labels))
    expected = [mutual_info_score(rows[:, term], labels) / np.log(2) for term in range(rows.shape[1])]
    assert gain == pytest.approx(np.array(expected), abs=1e-9)


@given(tables())
def test_chi_square_counts_all_four_cells(table: tuple[np.ndarray, np.ndarray]) -> None:
    rows, labels = table
    found = chi_square(*contingency(csr_matrix(rows), labels))
    # The reference leaves out documents without the term; with a column for their absence both must agree.
    for term in range(rows.shape[1]):
        both = np.stack([rows[:, term], 1 - rows[:, term]], axis=1)
        expected = np.nansum(reference_chi2(both, labels)[0])
        assert found[term] == pytest.approx(expected, abs=1e-9)


@given(tables(), st.sampled_from(["mi", "ig", "chi2", "cmi"]), st.integers(1, 5))
def test_selection_is_ranked_bounded_and_positive(
    table: tuple[np.ndarray, np.ndarray], measure: str, number: int
) -> None:
    rows, labels = table
    columns, scores = select(csr_matrix(rows), labels, number, measure)
    assert len(columns) == len(scores) == len(set(columns.tolist())) <= number
    assert (scores > 0).all() or measure == "cmi"
    assert (scores >= 0).all()
    assert (np.diff(scores) <= 1e-12).all()


@given(tables())
def test_the_lazy_choice_is_the_greedy_one(table: tuple[np.ndarray, np.ndarray]) -> None:
    rows, labels = table
    columns, scores = select(csr_matrix(rows), labels, 4, "cmi")
    has = rows.astype(bool)
    gains = information_gain(*contingency(csr_matrix(rows), labels))
    for place, column in enumerate(columns):
        least = [
            min([gains[term], *(_conditional(has[:, term], has[:, other], labels) for other in columns[:place])])
            for term in range(rows.shape[1])
            if term not in columns[:place]
        ]
        assert scores[place] == pytest.approx(max(*least, 0.0), abs=1e-9)
        assert column in range(rows.shape[1])


def test_a_repeated_term_adds_nothing_under_conditional_information() -> None:
    rows = csr_matrix([[1, 1, 0], [1, 1, 1], [1, 1, 0], [0, 0, 1], [0, 0, 0], [1, 1, 0]])
    labels = np.array([1, 1, 1, 0, 0, 0])
    assert set(select(rows, labels, 2, "mi")[0].tolist()) == {0, 1}
    _, scores = select(rows, labels, 3, "cmi")
    assert (scores > 0).tolist() == [True, False]


def test_only_frequent_terms_are_candidates() -> None:
    rows = csr_matrix([[1, 1, 1], [1, 1, 0], [0, 1, 0], [0, 1, 0]])
    assert select(rows, np.array([1, 1, 0, 0]), 5, "mi", candidates=1)[0].tolist() == []


def test_an_unknown_measure_is_refused() -> None:
    with pytest.raises(ValueError, match="mi, ig, chi2, cmi"):
        select(csr_matrix([[1]]), np.array([1]), 1, "pmi")
    with pytest.raises(ValueError, match=r"mi, ig, chi2$"):
        select_counted((np.ones(1), np.ones(1), 1, 1), 1, "cmi")
