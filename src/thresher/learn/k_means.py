"""k-means by cosine similarity, with the initial centroids taken from a clustering of a small sample.

Rows are unit vectors, sparse or dense; a row of zeros belongs to no cluster.
"""

from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

NONE: Final = -1
"""The label of a row that belongs to no cluster."""

SAMPLE: Final = 20
"""Number of rows per cluster in the initial sample."""

STARTS: Final = 10
"""Number of samples to try."""

ITERATIONS: Final = 30


class KMeans:
    """Spherical k-means (Sizov, section 3.1.1).

    `sample` rows per cluster are clustered first, and the resulting centroids are refined on all rows. This is done
    `starts` times, and the clustering whose rows are closest to their centroids is kept. Learned: `labels_` (-1 for
    rows of zeros), unit-length `centroids_`, and `confidences_`, by how much each row is closer to its centroid than to
    the next one.

    >>> rows = np.array([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0], [0.1, 0.995], [0.0, 0.0]])
    >>> labels = KMeans(2).fit(rows).labels_.tolist()
    >>> labels[0] == labels[1] != labels[2] == labels[3], labels[4]
    (True, -1)
    """

    def __init__(self, k: int, *, sample: int = SAMPLE, starts: int = STARTS, seed: int = 0) -> None:
        if k < 1 or sample < 1 or starts < 1:
            raise ValueError("k, sample and starts must be at least 1")
        self.k = k
        self.sample = sample
        self.starts = starts
        self.seed = seed
        self.labels_: Labels = np.zeros(0, np.int64)
        self.centroids_: Floats = np.zeros((0, 0))
        self.confidences_: Floats = np.zeros(0)

    def fit(self, rows: Any) -> Self:
        """Cluster rows; raise ValueError if fewer than `k` of them are nonzero."""
        filled = np.flatnonzero(_lengths(rows) > 0)
        if len(filled) < self.k:
            raise ValueError(f"{len(filled)} rows cannot make {self.k} clusters")
        rng = np.random.default_rng(self.seed)
        some = rows[filled]
        found = [improved(some, self._start(some, rng)) for _ in range(self.starts)]
        return self._settle(rows, max(found, key=lambda centroids: float(_nearest(some, centroids)[1].mean())))

    def go_on(self, rows: Any, labels: Labels) -> Self:
        """Cluster rows starting from a clustering that is nearly right."""
        filled = _lengths(rows) > 0
        decided = filled & (labels >= 0)
        return self._settle(rows, improved(rows[np.flatnonzero(filled)], centroids_of(rows, labels, self.k, decided)))

    def _start(self, rows: Any, rng: np.random.Generator) -> Floats:
        number = rows.shape[0]
        drawn = rows[np.sort(rng.choice(number, min(number, self.k * self.sample), replace=False))]
        return improved(drawn, _dense(drawn[np.sort(rng.choice(drawn.shape[0], self.k, replace=False))]))

    def _settle(self, rows: Any, centroids: Floats) -> Self:
        self.centroids_ = centroids
        similarities = np.asarray(rows @ centroids.T)
        self.labels_ = np.where(_lengths(rows) > 0, similarities.argmax(axis=1), NONE).astype(np.int64)
        self.confidences_ = leads(similarities)
        return self


def improved(rows: Any, centroids: Floats, iterations: int = ITERATIONS) -> Floats:
    """Return centroids after k-means iterations: rows go to the nearest one, which becomes the mean of its rows.

    A centroid without rows moves to the row that is farthest from its own centroid.
    """
    before: Labels | None = None
    for _ in range(iterations):
        labels, similarities = _nearest(rows, centroids)
        if before is not None and np.array_equal(labels, before):
            break
        for empty in np.setdiff1d(np.arange(len(centroids)), labels):
            farthest = int(similarities.argmin())
            labels[farthest], similarities[farthest] = empty, np.inf
        before, centroids = labels, centroids_of(rows, labels, len(centroids))
    return centroids


def centroids_of(rows: Any, labels: Labels, k: int, counted: NDArray[np.bool_] | None = None) -> Floats:
    """Return the mean of the rows of each cluster, scaled to unit length; only `counted` rows count."""
    from scipy.sparse import csr_matrix

    which = np.flatnonzero(labels >= 0 if counted is None else counted)
    belongs = csr_matrix((np.ones(len(which)), (labels[which], which)), shape=(k, rows.shape[0]))
    sums = _dense(belongs @ rows)
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.asarray(np.divide(sums, lengths, out=np.zeros_like(sums), where=lengths > 0))


def leads(similarities: Floats) -> Floats:
    """Return by how much the largest number of each row exceeds the next, or the number itself if it is the only one.

    >>> leads(np.array([[0.2, 0.7, 0.4], [0.1, 0.1, 0.0]])).round(1).tolist()
    [0.3, 0.0]
    """
    if similarities.shape[1] == 1:
        return similarities[:, 0].astype(np.float64)
    top = np.partition(similarities, similarities.shape[1] - 2, axis=1)[:, -2:]
    return np.asarray(top[:, 1] - top[:, 0], np.float64)


def unit_rows(rows: Any) -> Any:
    """Return rows scaled to unit length; rows of zeros stay.

    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]])).round(3).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    from scipy.sparse import diags, issparse

    lengths = _lengths(rows)
    scale = np.divide(1.0, lengths, out=np.zeros(len(lengths)), where=lengths > 0)
    return (diags(scale) @ rows).tocsr() if issparse(rows) else rows * scale[:, None]


def _nearest(rows: Any, centroids: Floats) -> tuple[Labels, Floats]:
    similarities = np.asarray(rows @ centroids.T)
    labels = similarities.argmax(axis=1).astype(np.int64)
    return labels, similarities[np.arange(len(labels)), labels]


def _lengths(rows: Any) -> Floats:
    from scipy.sparse import issparse

    squares = rows.multiply(rows).sum(axis=1) if issparse(rows) else (rows * rows).sum(axis=1)
    return np.sqrt(np.asarray(squares, np.float64)).ravel()


def _dense(rows: Any) -> Floats:
    return np.asarray(rows.toarray() if hasattr(rows, "toarray") else rows, np.float64)
