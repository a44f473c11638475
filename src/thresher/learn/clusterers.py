"""The base methods of meta clustering besides plain k-means: one with feature selection, and one over an SVD.

(Sizov, section 3.1.1.) Both take unit-length rows of term weights.
"""

from typing import TYPE_CHECKING, Final, Protocol, Self

import numpy as np

from thresher.learn.feature_selection import contingencies, mutual_information
from thresher.learn.k_means import STARTS, Floats, KMeans, Labels, unit_rows
from thresher.learn.threads import one_thread

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

FREQUENT: Final = 2000
SELECTED: Final = 500
ROUNDS: Final = 5
RANKS: Final = 4


class Clusterer(Protocol):
    """A method that assigns rows to clusters.

    `labels_` are the clusters of the rows, -1 for none; `confidences_` say how sure each is, in the method's own units.
    """

    labels_: Labels
    confidences_: Floats

    def fit(self, rows: "csr_matrix") -> Self:
        """Cluster rows; raise ValueError if there are fewer rows than clusters."""


class SelectingKMeans:
    """k-means that selects its features by its own results: the terms that distinguish its clusters.

    It starts with the `frequent` terms that occur in most rows. In each of the `rounds`, the `selected` best of them,
    by mutual information with the clusters, span the space in which the clusters are improved.
    """

    def __init__(
        self,
        k: int,
        *,
        frequent: int = FREQUENT,
        selected: int = SELECTED,
        rounds: int = ROUNDS,
        starts: int = STARTS,
        seed: int = 0,
    ) -> None:
        self.frequent = frequent
        self.selected = selected
        self.rounds = rounds
        self._means = KMeans(k, starts=starts, seed=seed)
        self.labels_: Labels = np.zeros(0, np.int64)
        self.confidences_: Floats = np.zeros(0)

    def fit(self, rows: "csr_matrix") -> Self:
        """Cluster rows."""
        having = np.diff(rows.tocsc().indptr)
        common = rows[:, np.sort(np.argsort(-having, kind="stable")[: self.frequent])]
        found = self._means.fit(unit_rows(common))
        for _ in range(self.rounds):
            before = found.labels_
            found = self._means.go_on(unit_rows(common[:, self._telling(common, before)]), before)
            if np.array_equal(found.labels_, before):
                break
        self.labels_, self.confidences_ = found.labels_, found.confidences_
        return self

    def _telling(self, rows: "csr_matrix", labels: Labels) -> Labels:
        decided = np.flatnonzero(labels >= 0)
        members = labels[decided, None] == np.arange(self._means.k)
        scores = np.max([mutual_information(*counts) for counts in contingencies(rows[decided], members)], axis=0)
        return np.sort(np.argsort(-scores, kind="stable")[: self.selected])


class SvdKMeans:
    """k-means on the rows in the space of the `rank` largest singular values, by default four per cluster.

    The source uses two in all, which is far too few for more than two clusters (docs/RESULTS.md).

    >>> from scipy.sparse import csr_matrix
    >>> rows = csr_matrix([[1.0, 0.1, 0.0], [0.9, 0.2, 0.0], [0.0, 0.1, 1.0], [0.0, 0.2, 0.9]])
    >>> labels = SvdKMeans(2, rank=2).fit(rows).labels_.tolist()
    >>> labels[0] == labels[1] != labels[2] == labels[3]
    True
    """

    def __init__(self, k: int, *, rank: int | None = None, starts: int = STARTS, seed: int = 0) -> None:
        self.rank = RANKS * k if rank is None else rank
        self.seed = seed
        self._means = KMeans(k, starts=starts, seed=seed)
        self.labels_: Labels = np.zeros(0, np.int64)
        self.confidences_: Floats = np.zeros(0)

    def fit(self, rows: "csr_matrix") -> Self:
        """Cluster rows."""
        found = self._means.fit(unit_rows(in_svd_space(rows, self.rank, self.seed)))
        self.labels_, self.confidences_ = found.labels_, found.confidences_
        return self


def in_svd_space(rows: "csr_matrix", rank: int, seed: int = 0) -> Floats:
    """Return the coordinates of rows in the space of the largest singular values, at most `rank` of them.

    >>> from scipy.sparse import csr_matrix
    >>> in_svd_space(csr_matrix([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]]), 1).shape
    (3, 1)
    """
    from scipy.sparse.linalg import svds

    most = min(rows.shape) - 1
    if most < 1:
        return np.asarray(rows.toarray(), np.float64)
    with one_thread():
        _, values, directions = svds(rows, k=min(rank, most), random_state=seed)
    # Largest first, so that fewer coordinates are the first ones.
    order = np.argsort(-values, kind="stable")
    return np.asarray(rows @ directions[order].T)
