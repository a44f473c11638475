"""Terms of all siblings counted at once are those that counting each by itself gives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from thresher.classify import sibling_space
from thresher.classify.sibling_space import SpaceParameters, TrainingCounts, margins_apart
from thresher.classify.telling_terms import telling_terms
from thresher.classify.term_counts import count_matrix
from thresher.learn import feature_selection
from thresher.learn.feature_selection import select

Family = tuple[csr_matrix, np.ndarray, list[tuple[int, np.ndarray]]]


@st.composite
def families(draw: st.DrawFn) -> Family:
    seed, siblings = draw(st.integers(0, 2**32 - 1)), draw(st.integers(1, 5))
    rng = np.random.default_rng(seed)
    kinds = rng.integers(-1, siblings, 24)
    members = kinds[:, None] == np.arange(siblings)
    parts = [(sibling, members[:, sibling] & (rng.random(24) < 0.5)) for sibling in range(siblings) for _ in range(2)]
    return csr_matrix(rng.poisson(0.4, (24, 12))), members, parts[: draw(st.integers(0, len(parts)))]


@given(families(), st.sampled_from(["mi", "ig", "chi2", "cmi"]), st.integers(1, 12), st.integers(1, 14))
def test_each_sibling_and_part_has_the_terms_it_would_have_alone(
    family: Family, measure: str, number: int, candidates: int
) -> None:
    counts, members, parts = family
    siblings, below = telling_terms(counts, members, parts, number, measure, candidates)
    alone = [select(counts, labels, number, measure, candidates) for labels in members.T]
    for sibling, of_part in parts:
        seen = np.flatnonzero(of_part | ~members[:, sibling])
        alone.append(select(counts[seen], of_part[seen], number, measure, candidates))
    assert [columns.tolist() for columns, _ in siblings + below] == [columns.tolist() for columns, _ in alone]
    assert [scores.tolist() for _, scores in siblings + below] == [scores.tolist() for _, scores in alone]


def test_more_topics_than_are_counted_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    counts = csr_matrix(rng.poisson(0.5, (40, 9)))
    members = rng.integers(0, 7, 40)[:, None] == np.arange(7)
    whole = telling_terms(counts, members, [], 9, "mi", 9)[0]
    monkeypatch.setattr(feature_selection, "_AT_ONCE", 3)
    pieces = telling_terms(counts, members, [], 9, "mi", 9)[0]
    assert [columns.tolist() for columns, _ in pieces] == [columns.tolist() for columns, _ in whole]
    assert len(pieces) == 7


def test_held_out_margins_hardly_depend_on_their_tolerance(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    kinds = np.repeat(np.arange(4), 15)
    counts = csr_matrix(rng.poisson(np.where(np.arange(80) % 4 == kinds[:, None], 0.5, 0.2)))
    members = kinds[:, None] == np.arange(3)
    documents = TrainingCounts(counts, members, np.zeros(60, bool), csr_matrix((0, 80)))
    folds, none = np.arange(60) % 5, np.zeros(0, np.int64)
    loose, _ = margins_apart(SpaceParameters(), documents, folds, none)
    monkeypatch.setattr(sibling_space, "HELD_OUT_TOLERANCE", 1e-6)
    tight, _ = margins_apart(SpaceParameters(), documents, folds, none)
    assert np.abs(loose - tight).max() < 0.02 * tight.std()


@given(st.lists(st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 9)), min_size=1), st.integers(1, 3))
def test_counts_stand_in_the_row_of_their_bag_and_the_column_of_their_term(
    bags: list[dict[str, int]], min_bags: int
) -> None:
    terms, counts = count_matrix(bags, min_bags)
    having = {term: sum(term in bag for bag in bags) for bag in bags for term in bag}
    assert terms == (sorted(term for term in having if having[term] >= min_bags) or sorted(having))
    assert counts.toarray().tolist() == [[bag.get(term, 0) for term in terms] for bag in bags]
    assert counts.has_sorted_indices
