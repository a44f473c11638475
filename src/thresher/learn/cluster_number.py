"""Chooses the number of clusters: stable and well separated.

For each number, the documents are clustered several times, each time without a fifth of them. Stability is the
similarity of two of these clusterings (the adjusted Rand index: 1 is identical, 0 is chance); the silhouette is how
much closer documents are to their own cluster than to the next. The number with the largest product of both is
proposed.
"""

from collections.abc import Callable
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec import Struct

from thresher.learn.clusterers import RANKS, in_svd_space
from thresher.learn.k_means import Floats, KMeans, Labels, unit_rows

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

MOST: Final = 10
"""Maximum number of clusters to try."""

SAMPLE: Final = 1500
"""Maximum number of documents to use; more hardly change the answer."""

EACH: Final = 10
"""Minimum number of documents per cluster on average; smaller groups are found by chance."""

REPEATS: Final = 4
LEFT_OUT: Final = 0.2


class NumberTried(Struct, frozen=True):
    """The result for a number of clusters."""

    k: int
    stability: float
    silhouette: float


class Proposal(Struct, frozen=True):
    """The best number of clusters, and all that were tried."""

    k: int
    tried: list[NumberTried]

    @property
    def best(self) -> NumberTried:
        """The result for the best number."""
        return next(one for one in self.tried if one.k == self.k)


def propose_number(
    rows: "csr_matrix", most: int = MOST, *, seed: int = 0, on_try: Callable[[int, int], None] = lambda _done, _of: None
) -> Proposal:
    """Return the best number of clusters, at least two, for rows of term weights.

    `on_try` is called before each number with how many were tried and how many will be.

    Raises ValueError if there are fewer than four nonzero rows.
    """
    rng = np.random.default_rng(seed)
    filled = np.flatnonzero(np.diff(rows.indptr))
    if len(filled) < 4:
        raise ValueError("there are too few documents to split")
    drawn = rows[np.sort(rng.choice(filled, min(SAMPLE, len(filled)), replace=False))]
    highest = max(2, min(most, len(filled) // EACH))
    places = in_svd_space(drawn, RANKS * highest, seed)
    tried: list[NumberTried] = []
    for k in range(2, highest + 1):
        on_try(len(tried), highest - 1)
        tried.append(_tried(places, k, rng))
    return Proposal(max(tried, key=lambda one: max(0.0, one.stability) * max(0.0, one.silhouette)).k, tried)


def _tried(places: Floats, k: int, rng: np.random.Generator) -> NumberTried:
    rows = unit_rows(places[:, : RANKS * k])
    number = len(rows)
    clusterings: list[Labels] = []
    for _ in range(REPEATS):
        part = np.sort(rng.choice(number, max(k, round((1 - LEFT_OUT) * number)), replace=False))
        means = KMeans(k, starts=3, seed=int(rng.integers(1 << 31))).fit(rows[part])
        # All rows are assigned to the centroids of a part of them, so that any two clusterings can be compared.
        clusterings.append(np.asarray((rows @ means.centroids_.T).argmax(axis=1), np.int64))
    alike = [rand_index(one, other) for one, other in combinations(clusterings, 2)]
    # In the space for all numbers: with fewer dimensions, every silhouette is larger.
    return NumberTried(k, float(np.mean(alike)), silhouette(unit_rows(places), clusterings[0], k))


def rand_index(one: Labels, other: Labels) -> float:
    """Return the adjusted Rand index of two clusterings: 1 if they are identical, about 0 by chance.

    >>> rand_index(np.array([0, 0, 1, 1]), np.array([1, 1, 0, 0]))
    1.0
    """
    cells = np.zeros((int(one.max()) + 1, int(other.max()) + 1))
    np.add.at(cells, (one, other), 1)
    alike, rows, columns = (float((n * (n - 1)).sum()) / 2 for n in (cells, cells.sum(axis=1), cells.sum(axis=0)))
    chance = rows * columns / (len(one) * (len(one) - 1) / 2)
    most = (rows + columns) / 2
    return (alike - chance) / (most - chance) if most != chance else 1.0


def silhouette(rows: Floats, labels: Labels, k: int) -> float:
    """Return the mean silhouette of unit-length rows by cosine distance, 0 if all are in one cluster.

    The distance to a cluster is that to the mean of its rows, which takes one product instead of one per pair.

    >>> rows = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    >>> silhouette(rows, np.array([0, 0, 1]), 2)
    1.0
    """
    members = (labels[:, None] == np.arange(k)).astype(np.float64)
    sizes = members.sum(axis=0)
    if (sizes > 0).sum() < 2:
        return 0.0
    sums = rows @ (members.T @ rows).T
    own = members.astype(bool)
    inside = np.where(own, (sums - 1.0) / np.maximum(sizes - 1.0, 1.0), -np.inf).max(axis=1)
    inside = np.where(sizes[labels] > 1, inside, 1.0)
    outside = np.where(own | (sizes == 0), -np.inf, sums / np.maximum(sizes, 1.0)).max(axis=1)
    near, far = 1.0 - inside, 1.0 - outside
    largest = np.maximum(near, far)
    return float(np.mean(np.divide(far - near, largest, out=np.zeros(len(rows)), where=largest > 1e-12)))
