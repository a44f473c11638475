"""Latent semantic indexing: updating against computing anew."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csc_matrix, random_array

from thresher.learn.lsi import LatentSpace

seeds = st.integers(0, 2**32 - 1)
few = settings(deadline=None, max_examples=15)


def matrix(seed: int, rows: int, columns: int, density: float = 0.3) -> Any:
    return csc_matrix(random_array((rows, columns), density=density, rng=np.random.default_rng(seed)))


def whole(space: LatentSpace) -> np.ndarray:
    return space.terms_ @ np.diag(space.values_) @ space.documents_.T


def orthonormal(columns: np.ndarray) -> bool:
    return bool(np.allclose(columns.T @ columns, np.eye(columns.shape[1]), atol=1e-8))


@few
@given(seeds)
def test_the_space_is_the_best_of_its_rank(seed: int) -> None:
    given = matrix(seed, 30, 20)
    space = LatentSpace(k=20).fit(given)
    assert whole(space) == pytest.approx(given.toarray(), abs=1e-8)
    exact = np.linalg.svd(given.toarray(), compute_uv=False)
    assert LatentSpace(k=6).fit(given).values_ == pytest.approx(exact[:6], rel=0.02)


@few
@given(seeds, st.integers(1, 12), st.integers(0, 5))
def test_an_update_without_truncation_is_the_decomposition_of_the_whole(seed: int, more: int, rows: int) -> None:
    first, new = matrix(seed, 20, 15), matrix(seed + 1, 20 + rows, more)
    space = LatentSpace(k=60, residual=60).fit(first)
    space.add_terms(csc_matrix((rows, 15))).add_documents(new)
    padded = np.vstack([first.toarray(), np.zeros((rows, 15))])
    expected = np.hstack([padded, new.toarray()])
    assert whole(space) == pytest.approx(expected, abs=1e-8)
    exact = np.linalg.svd(expected, compute_uv=False)
    assert space.values_ == pytest.approx(exact[: len(space.values_)], abs=1e-8)
    assert orthonormal(space.terms_)
    assert orthonormal(space.documents_)


@few
@given(seeds, st.integers(1, 6))
def test_new_rows_may_have_entries_of_old_documents(seed: int, rows: int) -> None:
    first, new = matrix(seed, 20, 15), matrix(seed + 1, rows, 15)
    space = LatentSpace(k=60, residual=60).fit(first).add_terms(new)
    assert whole(space) == pytest.approx(np.vstack([first.toarray(), new.toarray()]), abs=1e-8)
    assert orthonormal(space.terms_)
    assert orthonormal(space.documents_)


@few
@given(seeds)
def test_a_truncated_update_loses_little_more_than_any_of_its_rank_must(seed: int) -> None:
    # Documents about a few things, as texts are: noise of full rank has nothing that could be kept.
    rng = np.random.default_rng(seed)
    dense = rng.random((60, 5)) @ rng.random((5, 50)) + 0.05 * rng.random((60, 50))
    space = LatentSpace(k=8, residual=8).fit(csc_matrix(dense[:, :30]))
    for start in range(30, 50, 5):
        space.add_documents(csc_matrix(dense[:, start : start + 5]))
        assert orthonormal(space.terms_)
        assert orthonormal(space.documents_)
    best = float(np.sqrt((np.linalg.svd(dense, compute_uv=False)[8:] ** 2).sum()))
    assert np.linalg.norm(whole(space) - dense) <= 1.2 * best


@few
@given(seeds)
def test_documents_that_were_taken_in_lie_where_they_would_be_folded_in(seed: int) -> None:
    given = matrix(seed, 25, 18)
    space = LatentSpace(k=6).fit(given)
    assert space.coordinates() == pytest.approx(space.fold_in(given), abs=0.05)


def test_without_the_residual_new_rows_stay_empty() -> None:
    space = LatentSpace(k=5, residual=0).fit(matrix(1, 10, 8)).add_terms(csc_matrix((1, 8)))
    only_new = csc_matrix(np.eye(11)[:, 10:])
    assert np.abs(space.copy().add_documents(only_new).coordinates()[-1]).max() == 0.0
    space.residual = 5
    assert (
        np.abs(
            LatentSpace(k=9, residual=5)
            .fit(matrix(1, 10, 8))
            .add_terms(csc_matrix((1, 8)))
            .add_documents(only_new)
            .coordinates()[-1]
        ).max()
        > 0.5
    )


@pytest.mark.parametrize("shape", [(5, 0), (0, 5), (1, 1), (4, 3)])
def test_empty_and_tiny_matrices_are_no_trouble(shape: tuple[int, int]) -> None:
    space = LatentSpace(k=3).fit(csc_matrix(shape))
    space.add_terms(csc_matrix((2, shape[1])))
    space.add_documents(csc_matrix(np.eye(shape[0] + 2)[:, :2])) if shape[0] else None
    assert np.isfinite(space.coordinates()).all()
    with pytest.raises(ValueError, match="k must"):
        LatentSpace(k=0)


def test_an_update_does_work_for_what_is_new_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    plain = np.linalg.svd

    def noted(given: Any, **how: Any) -> Any:
        sizes.append(given.shape[0] * given.shape[1])
        return plain(given, **how)

    monkeypatch.setattr(np.linalg, "svd", noted)
    for documents in (100, 800):
        space = LatentSpace(k=10, residual=10).fit(matrix(1, 60, documents, 0.1))
        sizes.clear()
        space.add_documents(matrix(2, 60, 20, 0.1))
        assert max(sizes) <= 20 * 30
