"""Virtual links: links added between pages of a topic that are far apart (Sizov, section 2.2.3).

The pages of a topic often do not know each other, because their authors compete or never met. Links between pages
without a short path let a topic's PageRank flow as if they did.
"""

from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from thresher.linkscores.page_graph import PageGraph

Ids = NDArray[np.int64]
Floats = NDArray[np.float64]

FAR: Final = 3
"""Longest path, in links, between two pages that need no virtual link."""

MOST: Final = 200
"""Maximum number of pages of a topic to connect, the surest first, since links grow with the square."""


class VirtualLinks(StrEnum):
    """Which pages of a topic get virtual links: none, the surest pages, or the best hub of each host."""

    NONE = "none"
    PAGES = "pages"
    HUBS = "hubs"


def chosen_pages(members: Ids, confidences: Floats) -> Ids:
    """Return the pages of a topic to connect with virtual links: the surest ones.

    >>> chosen_pages(np.array([4, 7, 9]), np.array([0.2, np.nan, 0.5])).tolist()
    [9, 4]
    """
    known = members[confidences > 0]
    return known[np.argsort(-confidences[confidences > 0], kind="stable")][:MOST]


def chosen_hubs(members: Ids, hosts: Ids, hubs: Floats) -> Ids:
    """Return the best hub of each host of a topic, best first; `hosts` and `hubs` are those of the members.

    >>> chosen_hubs(np.array([4, 7, 9]), np.array([1, 1, 2]), np.array([0.1, 0.3, 0.2])).tolist()
    [7, 9]
    """
    order = np.argsort(-hubs, kind="stable")
    _, first = np.unique(hosts[order], return_index=True)
    return members[order[np.sort(first)]][:MOST]


def far_apart(graph: PageGraph, chosen: Ids, far: int = FAR) -> tuple[Ids, Ids]:
    """Return the sources and targets of links between chosen pages that are more than `far` links apart.

    >>> from thresher.graph.adjacency import adjacency
    >>> links = adjacency(np.array([0, 1]), np.array([1, 2]), 3)
    >>> sources, targets = far_apart(PageGraph(np.arange(3), links, links.T.tocsr()), np.array([0, 2]), far=1)
    >>> sources.tolist(), targets.tolist()
    ([0, 2], [2, 0])
    """
    number = len(chosen)
    ones = np.ones(number, np.float32)
    reached = csr_matrix((ones, (np.arange(number), chosen)), shape=(number, graph.nodes))
    links = graph.links.astype(np.float32)
    for _ in range(far):
        reached = reached + reached @ links
        reached.data[:] = 1.0
    near = reached[:, chosen].toarray() > 0
    sources, targets = np.nonzero(~near)
    return chosen[sources], chosen[targets]
