"""Matches the clusters of several clusterings: maps all labels onto common ones.

(Sizov, section 3.1.3.) Clusterings have a row per method and a column per document; -1 is no cluster. Optimal
assignment is the default: its overlap is never smaller than that of the greedy choice by purity, and it costs less for
many clusters.
"""

from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from thresher.learn.k_means import NONE, Floats, Labels

Mapping = Literal["assignment", "purity"]

MOST_CELLS: Final = 10_000_000
"""Maximum number of combinations of clusters that mapping by purity may count."""


def mapped(clusterings: Labels, k: int, mapping: Mapping = "assignment") -> Labels:
    """Return the clusterings with common labels.

    >>> mapped(np.array([[0, 0, 1, 1], [1, 1, 0, 0]]), 2).tolist()
    [[0, 0, 1, 1], [0, 0, 1, 1]]
    """
    maps = _by_purity(clusterings, k) if mapping == "purity" else _by_assignment(clusterings, k)
    return np.where(clusterings >= 0, np.take_along_axis(maps, np.maximum(clusterings, 0), axis=1), NONE)


def agreements(votes: Labels) -> Floats:
    """Return for each method, a row of mapped labels, the mean share of documents on which others agree with it.

    >>> agreements(np.array([[0, 1, 1], [0, 1, 0], [1, 1, 1]])).round(2).tolist()
    [0.67, 0.5, 0.5]
    """
    number = len(votes)
    if number == 1:
        return np.ones(1)
    alike = [[float(((one == other) & (one >= 0)).mean()) for other in votes] for one in votes]
    np.fill_diagonal(table := np.array(alike), 0.0)
    return np.asarray(table.sum(axis=1) / (number - 1))


def purities(clusterings: Labels, k: int) -> Floats:
    """Return the purity of each method: the mean of its clusters' purities.

    The purity of a cluster is the variance of its overlaps with all combinations of clusters of the other methods,
    divided by the largest of them: high if it overlaps one combination and no other.
    """
    overlaps = _overlaps(clusterings, k)
    return np.array(
        [
            np.mean([_purity(np.take(overlaps, cluster, axis=method)) for cluster in range(k)])
            for method in range(len(clusterings))
        ]
    )


def _by_assignment(clusterings: Labels, k: int) -> Labels:
    """Return the common label of each cluster of each method, by the method that all others overlap most."""
    from scipy.optimize import linear_sum_assignment

    best: tuple[float, Labels] = -1.0, np.zeros((0, 0), np.int64)
    for reference in clusterings:
        total, maps = 0.0, []
        for other in clusterings:
            overlaps = _overlaps(np.array([other, reference]), k)
            clusters, labels = linear_sum_assignment(-overlaps)
            total += float(overlaps[clusters, labels].sum())
            maps.append(labels[np.argsort(clusters)])
        if total > best[0]:
            best = total, np.array(maps, np.int64)
    return best[1]


def _by_purity(clusterings: Labels, k: int) -> Labels:
    """Return the common label of each cluster of each method: first the purest cluster and those it overlaps most."""
    overlaps = _overlaps(clusterings, k)
    maps = np.full((len(clusterings), k), NONE, np.int64)
    left = [list(range(k)) for _ in clusterings]
    for label in range(k):
        here = overlaps[np.ix_(*left)]
        candidates = [
            (_purity(np.take(here, place, axis=method)), -method, -place)
            for method in range(len(clusterings))
            for place in range(len(left[method]))
        ]
        _, method, place = max(candidates)
        inside = np.take(here, -place, axis=-method)
        combination = [int(one) for one in np.unravel_index(int(inside.argmax()), inside.shape)]
        combination.insert(-method, -place)
        for other, chosen in enumerate(combination):
            maps[other, left[other].pop(chosen)] = label
    return maps


def _purity(overlaps: NDArray[np.int64]) -> float:
    largest = int(overlaps.max(initial=0))
    return float(overlaps.var()) / largest if largest else 0.0


def _overlaps(clusterings: Labels, k: int) -> NDArray[np.int64]:
    """Return how many documents are in each combination of clusters, one of every method."""
    if k ** len(clusterings) > MOST_CELLS:
        raise ValueError(f"{len(clusterings)} methods with {k} clusters have too many combinations")
    decided = clusterings[:, (clusterings >= 0).all(axis=0)]
    cells = np.ravel_multi_index(tuple(decided), (k,) * len(clusterings))
    return np.bincount(cells, minlength=k ** len(clusterings)).reshape((k,) * len(clusterings))
