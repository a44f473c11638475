"""The base methods of meta clustering besides plain k-means: one with feature selection, and two over an SVD.

(Sizov, section 3.1.1.) All take unit-length rows of term weights.
"""

from typing import TYPE_CHECKING, Final, Protocol, Self

import numpy as np

from thresher.learn.feature_selection import contingencies, mutual_information
from thresher.learn.k_means import NONE, STARTS, Floats, KMeans, Labels, leads, unit_rows
from thresher.learn.threads import one_thread

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

FREQUENT: Final = 2000
SELECTED: Final = 500
ROUNDS: Final = 5
RANKS: Final = 4

SHARE: Final = 0.7
"""Share of the columns that a clustering of a subspace uses."""

SAMPLE: Final = 1500
"""Maximum number of rows from which a subspace is learned."""


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


class SubspaceKMeans:
    """k-means on the rows in an SVD space of a random `share` of their columns.

    Clusterings of different columns err on different rows, so several of them vote well together. The space and the
    centroids are learned from at most `sample` rows; all rows are assigned.

    >>> from scipy.sparse import csr_matrix
    >>> rows = csr_matrix([[1.0, 0.1, 0.0, 0.9], [0.9, 0.2, 0.0, 1.0], [0.0, 0.1, 1.0, 0.0], [0.0, 0.2, 0.9, 0.1]])
    >>> labels = SubspaceKMeans(2, rank=2, share=0.75).fit(rows).labels_.tolist()
    >>> labels[0] == labels[1] != labels[2] == labels[3]
    True
    """

    def __init__(
        self,
        k: int,
        *,
        rank: int | None = None,
        share: float = SHARE,
        sample: int = SAMPLE,
        starts: int = STARTS,
        seed: int = 0,
    ) -> None:
        if not 0.0 < share <= 1.0:
            raise ValueError("the share must be above 0 and at most 1")
        self.rank = RANKS * k if rank is None else rank
        self.share = share
        self.sample = sample
        self.seed = seed
        self._means = KMeans(k, starts=starts, seed=seed)
        self.labels_: Labels = np.zeros(0, np.int64)
        self.confidences_: Floats = np.zeros(0)

    def fit(self, rows: "csr_matrix") -> Self:
        """Cluster rows."""
        rng = np.random.default_rng(self.seed)
        number = rows.shape[1]
        part = rows[:, np.sort(rng.choice(number, max(1, round(self.share * number)), replace=False))]
        filled = np.flatnonzero(np.diff(part.indptr))
        if len(filled) < self._means.k:
            part, filled = rows, np.flatnonzero(np.diff(rows.indptr))
        drawn = np.sort(rng.choice(filled, min(self.sample, len(filled)), replace=False))
        part = unit_rows(part)
        places = unit_rows(np.asarray(part @ svd_directions(part[drawn], self.rank, self.seed).T))
        centroids = self._means.fit(places[drawn]).centroids_
        similarities = places @ centroids.T
        self.labels_ = np.where(places.any(axis=1), similarities.argmax(axis=1), NONE).astype(np.int64)
        self.confidences_ = leads(similarities)
        return self


def in_svd_space(rows: "csr_matrix", rank: int, seed: int = 0) -> Floats:
    """Return the coordinates of rows in the space of the largest singular values, at most `rank` of them.

    >>> from scipy.sparse import csr_matrix
    >>> in_svd_space(csr_matrix([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]]), 1).shape
    (3, 1)
    """
    return np.asarray(rows @ svd_directions(rows, rank, seed).T)


def svd_directions(rows: "csr_matrix", rank: int, seed: int = 0) -> Floats:
    """Return the right singular vectors of the largest singular values as rows, at most `rank` of them, largest first.

    >>> from scipy.sparse import csr_matrix
    >>> svd_directions(csr_matrix([[0.0, 2.0], [0.0, 3.0], [1.0, 0.0]]), 1).round(3).tolist() in ([[0, 1]], [[0, -1]])
    True
    """
    from scipy.sparse.linalg import svds

    most = min(rows.shape) - 1
    if most < 1:
        return np.asarray(unit_rows(rows[:1].toarray()), np.float64) if rows.shape[1] > 1 else np.ones((1, 1))
    with one_thread():
        _, values, directions = svds(rows, k=min(rank, most), random_state=seed)
    # Largest first, so that fewer coordinates are the first ones.
    return np.asarray(directions[np.argsort(-values, kind="stable")])
