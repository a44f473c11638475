"""Clusters by given centroids: each row goes to the nearest, and nothing is learned."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Self

import numpy as np

from thresher.learn.k_means import NONE, Floats, Labels, leads, unit_rows

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


class GivenCentroids:
    """Clusters rows by given centroids, one per row over the same columns; a row unlike all of them has no cluster.

    >>> from scipy.sparse import csr_matrix
    >>> rows = csr_matrix([[1.0, 0.0, 0.0], [0.0, 0.8, 0.6], [0.0, 0.0, 1.0]])
    >>> GivenCentroids(np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])).fit(rows).labels_.tolist()
    [0, 1, -1]
    """

    def __init__(self, centroids: Floats) -> None:
        self.centroids: Floats = np.asarray(unit_rows(np.asarray(centroids, np.float64)))
        self.labels_: Labels = np.zeros(0, np.int64)
        self.confidences_: Floats = np.zeros(0)

    def fit(self, rows: "csr_matrix") -> Self:
        """Cluster rows."""
        similarities = np.asarray(rows @ self.centroids.T)
        like_any = similarities.max(axis=1, initial=0.0) > 0
        self.labels_ = np.where(like_any, similarities.argmax(axis=1), NONE).astype(np.int64)
        self.confidences_ = leads(similarities)
        return self


def aligned(terms: Sequence[str], centroids: Sequence[Sequence[float]], columns: Mapping[str, int]) -> Floats:
    """Return centroids over other columns; terms without a column are dropped.

    >>> aligned(["boat", "sail"], [[0.6, 0.8]], {"sail": 0, "wind": 1}).tolist()
    [[0.8, 0.0]]
    """
    found = np.zeros((len(centroids), len(columns)))
    here = [(place, columns[term]) for place, term in enumerate(terms) if term in columns]
    if here:
        sources, targets = map(list, zip(*here, strict=True))
        found[:, targets] = np.asarray(centroids, np.float64)[:, sources]
    return found
