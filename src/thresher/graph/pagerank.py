"""PageRank: how often a reader who follows random links visits each page (Sizov, section 2.2.3)."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from thresher.graph.adjacency import adjacency

Floats = NDArray[np.float64]
Ids = NDArray[np.int64]

_STABLE: Final = 1e-10


def pagerank(
    sources: Ids,
    targets: Ids,
    nodes: int,
    *,
    jump: float = 0.15,
    preference: Floats | None = None,
    relevance: Floats | None = None,
    iterations: int = 100,
    tolerance: float = _STABLE,
) -> Floats:
    """Return the PageRank of nodes 0 … `nodes` − 1; it sums to 1.

    `jump` (δ) is the probability of jumping to a random page instead of following a link, weighted by `preference` if
    given, else uniform. A page without out-links links to all pages. Parallel edges count once. With `relevance`, links
    are followed in proportion to the relevance of their targets, or uniformly if all are 0.

    >>> pagerank(np.array([0, 1]), np.array([1, 0]), 2).tolist()
    [0.5, 0.5]
    >>> ranks = pagerank(np.array([0, 0]), np.array([1, 2]), 3, relevance=np.array([0.0, 1.0, 3.0]))
    >>> bool(ranks[2] > ranks[1])
    True
    """
    if nodes == 0:
        return np.zeros(0)
    into = adjacency(targets, sources, nodes)
    degree = np.bincount(into.indices, minlength=nodes)
    dangling = degree == 0
    leave = 1.0 / np.maximum(degree, 1)
    worth, prefers = np.zeros(nodes), np.zeros(nodes)
    if relevance is not None:
        worth = np.maximum(np.nan_to_num(relevance, nan=0.0), 0.0)
        offered = into.T @ worth
        prefers = np.where(offered > 0, 1.0 / np.where(offered > 0, offered, 1.0), 0.0)
        leave = np.where(offered > 0, 0.0, leave)
    wanted = np.full(nodes, 1.0 / nodes)
    if preference is not None and preference.sum() > 0:
        wanted = preference / preference.sum()
    rank = wanted.copy()
    for _ in range(iterations):
        before = rank
        stranded = rank[dangling].sum()
        along = into @ (rank * leave)
        if relevance is not None:
            along += worth * (into @ (rank * prefers))
        rank = (1.0 - jump) * (along + stranded * wanted) + jump * wanted
        if np.abs(rank - before).sum() < tolerance:
            break
    result: Floats = rank / rank.sum()
    return result
