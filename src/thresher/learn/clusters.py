"""Clusters rows by direction: k-means on normalised rows, with the number of clusters chosen from the data.

X-means (Pelleg and Moore, 2000) starts with few clusters and splits each in two if that explains it better by the
Bayesian information criterion, until there are as many as allowed or no split is better.
"""

from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

_STARTS: Final = 4
_SMALLEST: Final = 1e-12


def unit_rows(rows: Floats) -> Floats:
    """Return rows scaled to unit length; rows of zeros stay."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    found: Floats = rows / np.where(lengths > _SMALLEST, lengths, 1.0)
    return found


def cosine_means(rows: Floats, k: int, seed: int = 0) -> Labels:
    """Return the cluster of each row, 0 to at most k − 1, by k-means on unit-length rows.

    >>> cosine_means(np.array([[1.0, 0.1], [9.0, 0.0], [0.1, 1.0]]), 2).tolist() in ([0, 0, 1], [1, 1, 0])
    True
    """
    from sklearn.cluster import KMeans

    unit = unit_rows(rows)
    k = min(k, len(np.unique(unit.round(9), axis=0)))
    if k < 2:
        return np.zeros(len(rows), np.int64)
    found = KMeans(k, n_init=_STARTS, random_state=seed).fit_predict(unit)
    return np.asarray(found, np.int64)


class XMeans:
    """Finds between `fewest` and `most` clusters. Learned: `labels_`, the cluster of each row, and their `number_`."""

    def __init__(self, fewest: int = 3, most: int = 8, seed: int = 0) -> None:
        if not 1 <= fewest <= most:
            raise ValueError("fewest must be at least 1 and at most `most`")
        self.fewest = fewest
        self.most = most
        self.seed = seed
        self.labels_: Labels = np.zeros(0, np.int64)
        self.number_ = 0

    def fit(self, rows: Floats) -> Self:
        """Cluster the rows."""
        unit = unit_rows(rows)
        labels = cosine_means(unit, self.fewest, self.seed) if len(unit) else np.zeros(0, np.int64)
        undecided = set(labels.tolist())
        while undecided and labels.max(initial=-1) + 1 < self.most:
            cluster = undecided.pop()
            own = np.flatnonzero(labels == cluster)
            halves = cosine_means(unit[own], 2, self.seed)
            if halves.max(initial=0) and bic(unit[own], halves) > bic(unit[own], np.zeros(len(own), np.int64)):
                new = int(labels.max()) + 1
                labels[own[halves == 1]] = new
                undecided |= {cluster, new}
        self.labels_ = labels
        self.number_ = int(labels.max(initial=-1)) + 1
        return self


def bic(rows: Floats, labels: Labels) -> float:
    """Return how well clusters explain rows, less the cost of their number; higher is better.

    Clusters are spherical Gaussians with one variance.
    """
    count, width = rows.shape
    number = int(labels.max(initial=0)) + 1
    if count <= number:
        return -np.inf
    sizes = np.bincount(labels, minlength=number)
    centres = np.stack([rows[labels == cluster].mean(axis=0) for cluster in range(number)])
    variance = max(float(((rows - centres[labels]) ** 2).sum()) / (width * (count - number)), _SMALLEST)
    likelihood = float((sizes * np.log(np.maximum(sizes, 1) / count)).sum())
    likelihood -= count * width / 2 * np.log(2 * np.pi * variance) + width * (count - number) / 2
    return float(likelihood - (number + number * width) / 2 * np.log(count))
