"""Term weights."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfTransformer

from thresher.learn.tfidf import TfIdf, log_count

BAGS = st.lists(st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 500), max_size=8), min_size=1, max_size=8)


@given(BAGS)
def test_weights_are_those_of_scikit_learn(bags: list[dict[str, int]]) -> None:
    weighing = TfIdf(min_bags=1).fit(bags)
    counts = np.array([[bag.get(term, 0) for term in weighing.terms_] for bag in bags]).reshape(len(bags), -1)
    if counts.size == 0:
        assert weighing.transform(bags).shape == (len(bags), 0)
        return
    reference = TfidfTransformer(sublinear_tf=True, smooth_idf=True).fit_transform(counts).toarray()
    assert np.allclose(weighing.transform(bags).toarray(), reference)


@given(BAGS)
def test_the_order_of_the_bags_does_not_matter(bags: list[dict[str, int]]) -> None:
    one, other = TfIdf(min_bags=1).fit(bags), TfIdf(min_bags=1).fit(bags[::-1])
    assert one.terms_ == other.terms_
    assert one.idf_.tolist() == other.idf_.tolist()


def test_rare_terms_and_those_beyond_the_limit_do_not_count() -> None:
    bags = [{"common": 1, "often": 1}, {"common": 1, "often": 1}, {"common": 1, "once": 9}]
    assert TfIdf(min_bags=2).fit(bags).terms_ == ["common", "often"]
    assert TfIdf(min_bags=1, max_terms=1).fit(bags).terms_ == ["common"]


@pytest.mark.parametrize("count", [1, 2, 255, 256, 257, 10**9])
def test_weight_of_a_count(count: int) -> None:
    assert log_count(count) == pytest.approx(1 + math.log(count))
