"""PLSI and PHITS together: EM never steps down, and aspects are found."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csc_matrix, random_array

from thresher.learn.plsa import Plsa

few = settings(deadline=None, max_examples=10)


def counts(seed: int, rows: int, columns: int) -> Any:
    return csc_matrix(random_array((rows, columns), density=0.3, rng=np.random.default_rng(seed)))


@few
@given(st.integers(0, 2**32 - 1), st.sampled_from([1.0, 0.9, 0.81]), st.sampled_from([0.0, 0.5, 1.0]))
def test_the_likelihood_never_falls_at_a_fixed_temperature(seed: int, beta: float, text: float) -> None:
    words, links = counts(seed, 20, 12), counts(seed + 1, 6, 12)
    model = Plsa(aspects=3, text=text, iterations=1, coolest=1.0, seed=seed % 1000).fit(words, links)
    before = model.likelihood(words, links, beta)
    for _ in range(6):
        model.mixtures_ = model._step(model._parts(words, links), beta, model.mixtures_, learn=True)
        after = model.likelihood(words, links, beta)
        assert after >= before - 1e-9 * abs(before)
        before = after


@few
@given(st.integers(0, 2**32 - 1))
def test_all_shares_sum_to_one(seed: int) -> None:
    words, links = counts(seed, 15, 8), counts(seed + 1, 5, 8)
    model = Plsa(aspects=4, iterations=3).fit(words, links)
    for table in (model.words_, model.links_, model.mixtures_.T, model.fold_in(words, links).T):
        assert table.sum(axis=0) == pytest.approx(np.ones(table.shape[1]))
        assert (table >= 0).all()


def test_documents_of_two_kinds_part_and_links_alone_tell_which() -> None:
    words = np.zeros((6, 8))
    words[:3, :4], words[3:, 4:] = 1.0, 1.0
    links = np.zeros((2, 8))
    links[0, :4], links[1, 4:] = 1.0, 1.0
    model = Plsa(aspects=2, iterations=30, seed=1).fit(csc_matrix(words), csc_matrix(links))
    assert np.abs(model.mixtures_[0] - model.mixtures_[5]).max() > 0.9
    by_links = model.fold_in(csc_matrix((6, 2)), csc_matrix(np.eye(2)))
    assert np.abs(by_links - model.mixtures_[[0, 5]]).max() < 0.1
    unknown = model.fold_in(csc_matrix((6, 1)), csc_matrix((2, 1)))
    assert unknown == pytest.approx(np.full((1, 2), 0.5))


def test_it_goes_on_with_more_documents_and_links() -> None:
    words, links = counts(3, 15, 10), counts(4, 5, 10)
    model = Plsa(aspects=3, iterations=5).fit(words[:, :6], links[:3, :6])
    model.fit_more(words, links, iterations=2)
    assert model.mixtures_.shape == (10, 3)
    assert model.links_.shape == (5, 3)
    assert model.links_.sum(axis=0) == pytest.approx(np.ones(3))
    with pytest.raises(ValueError, match="aspects"):
        Plsa(aspects=0)
