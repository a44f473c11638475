"""Latent semantic indexing: the truncated singular value decomposition of a sparse matrix, with updates.

Columns are documents, rows are terms or anything else that documents share. New rows and columns are added by updating:
their part inside the space is projected, and for the rest, the residual, a few further directions are found. The
residual is never formed as a dense matrix: it is a product with the sparse columns minus a product with the projection
(Zha and Simon, 1999). Folding in projects without changing the space; `fit` recomputes it.
"""

from typing import TYPE_CHECKING, Final, Self

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix

Floats = NDArray[np.float64]

SPARE: Final = 8
"""Number of extra directions, so that the last of those kept are accurate."""

PASSES: Final = 2
"""Power iterations when searching for directions."""

_NOTHING: Final = 1e-9
"""A direction is empty if its singular value is below this share of the largest."""


class LatentSpace:
    """A space of at most `k` dimensions; an update looks for at most `residual` new directions.

    Learned: `terms_`, a row per term, and `documents_`, a row per document, both with orthonormal columns, and the
    singular values `values_`, largest first.

    >>> from scipy.sparse import csc_matrix
    >>> space = LatentSpace(k=2).fit(csc_matrix(np.diag([3.0, 2.0, 1.0])))
    >>> space.values_.round(6).tolist()
    [3.0, 2.0]
    """

    def __init__(self, k: int = 50, residual: int = 50, seed: int = 0) -> None:
        if k < 1 or residual < 0:
            raise ValueError("k must be at least 1 and residual not negative")
        self.k = k
        self.residual = residual
        self.seed = seed
        self.terms_: Floats = np.zeros((0, 0))
        self.values_: Floats = np.zeros(0)
        self.documents_: Floats = np.zeros((0, 0))

    def fit(self, columns: "csc_matrix") -> Self:
        """Decompose a matrix from scratch."""
        rows, count = columns.shape
        self.terms_, self.values_, self.documents_ = np.zeros((rows, 0)), np.zeros(0), np.zeros((0, 0))
        self._widen(columns, np.zeros((0, count)), self.k)
        return self

    def copy(self) -> "LatentSpace":
        """Return a copy that can grow independently."""
        other = LatentSpace(self.k, self.residual, self.seed)
        other.terms_, other.values_, other.documents_ = self.terms_, self.values_, self.documents_
        return other

    def add_terms(self, rows: "csc_matrix") -> Self:
        """Add new rows, each with an entry for every document; rows of zeros cost nothing."""
        if rows.nnz == 0:
            self.terms_ = np.vstack([self.terms_, np.zeros((rows.shape[0], self.terms_.shape[1]))])
            return self
        self.terms_, self.documents_ = self.documents_, self.terms_
        self.add_documents(rows.T.tocsc())
        self.terms_, self.documents_ = self.documents_, self.terms_
        return self

    def add_documents(self, columns: "csc_matrix") -> Self:
        """Add new columns, each with an entry for every term, and keep the `k` best directions."""
        known = self.fold_in(columns).T
        self._widen(columns, known, self.residual)
        return self

    def fold_in(self, columns: "csc_matrix") -> Floats:
        """Return the coordinates of documents in the current space, a row per document, without adding them."""
        found: Floats = columns.T @ self.terms_
        return found

    def coordinates(self) -> Floats:
        """Return the coordinates of the documents in the space, a row per document."""
        return self.documents_ * self.values_

    def _widen(self, columns: "csc_matrix", known: Floats, most: int) -> None:
        """Add columns: `known` is their part inside the space; of the rest, at most `most` directions are kept."""
        new, rest = self._residual(columns, known, min(most, *columns.shape))
        held = len(self.values_)
        inner = np.zeros((held + len(rest), held + columns.shape[1]))
        inner[:held, :held] = np.diag(self.values_)
        inner[:held, held:] = known
        inner[held:, held:] = rest
        left, found, right = _decomposed(inner)
        kept = min(self.k, int(np.count_nonzero(found > _NOTHING * max(found.max(initial=0.0), _NOTHING))))
        self.terms_ = np.hstack([self.terms_, new]) @ left[:, :kept]
        self.values_ = found[:kept]
        before = self.documents_ @ right[:held, :kept]
        self.documents_ = np.vstack([before, right[held:, :kept]])

    def _residual(self, columns: "csc_matrix", known: Floats, most: int) -> tuple[Floats, Floats]:
        """Return orthonormal directions of the part of columns outside the space, and the columns in these."""
        count = columns.shape[1]
        if most < 1:
            return np.zeros((len(self.terms_), 0)), np.zeros((0, count))
        drawn = np.random.default_rng(self.seed).standard_normal((count, min(count, most + SPARE)))
        found = self._outside(columns @ drawn - self.terms_ @ (known @ drawn))
        for _ in range(PASSES):
            # The residual is orthogonal to the space, so a product with it is one with the columns themselves.
            back, _ = np.linalg.qr(columns.T @ found)
            found = self._outside(columns @ back - self.terms_ @ (known @ back))
        rest: Floats = (columns.T @ found).T
        left, values, right = _decomposed(rest)
        kept = min(most, int(np.count_nonzero(values > _NOTHING)))
        return found @ left[:, :kept], (values[:kept, None] * right[:, :kept].T)

    def _outside(self, block: Floats) -> Floats:
        """Return an orthonormal basis of a block of columns, orthogonal to the space."""
        # Project twice: after the first projection, rounding leaves a trace of the space.
        block = block - self.terms_ @ (self.terms_.T @ block)
        base, size = np.linalg.qr(block)
        worth = np.abs(np.diag(size)) > _NOTHING
        base = base[:, worth]
        found, _ = np.linalg.qr(base - self.terms_ @ (self.terms_.T @ base))
        return np.asarray(found)


def _decomposed(matrix: Floats) -> tuple[Floats, Floats, Floats]:
    """Return left vectors, values and right vectors, each in columns, with deterministic signs."""
    left, values, right = np.linalg.svd(matrix, full_matrices=False)
    if left.shape[1]:
        signs = np.sign(left[np.abs(left).argmax(axis=0), np.arange(left.shape[1])])
        left, right = left * signs, right * signs[:, None]
    return left, values, right.T
