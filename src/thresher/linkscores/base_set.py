"""The base set of a topic: its pages, the pages they link to, and some of the pages that link to them."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from thresher.graph.adjacency import neighbours
from thresher.linkscores.page_graph import PageGraph

Ids = NDArray[np.int64]

PREDECESSORS: Final = 50
"""Maximum number of predecessors to include for each page of the topic (Kleinberg 1999)."""


def base_set(
    graph: PageGraph, members: Ids, generator: np.random.Generator, *, predecessors: int = PREDECESSORS
) -> Ids:
    """Return the sorted nodes of a base set; pages with more predecessors get a random sample of them.

    >>> from thresher.linkscores.folding import fold
    >>> from thresher.linkscores.page_graph import page_graph
    >>> graph = page_graph(fold(np.arange(5), [], []), [np.array([0, 1, 2, 0, 3, 0, 4, 1])])
    >>> base_set(graph, np.array([0]), np.random.default_rng(0)).tolist()
    [0, 1, 2, 3]
    """
    _, successors = neighbours(graph.links, members)
    owners, sources = neighbours(graph.backlinks, members)
    # Shuffled, then sorted by owner again: the first few of each owner are a fair sample.
    shuffled = generator.permutation(len(owners))
    order = shuffled[np.argsort(owners[shuffled], kind="stable")]
    counts = np.bincount(owners, minlength=len(members))
    rank = np.arange(len(owners)) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.unique(np.concatenate([members, successors, sources[order[rank < predecessors]]]))


def inner_edges(graph: PageGraph, nodes: Ids) -> tuple[Ids, Ids]:
    """Return the distinct, sorted edges between the given nodes, as indexes into `nodes`."""
    places = np.full(graph.nodes, -1)
    places[nodes] = np.arange(len(nodes))
    sources, targets = neighbours(graph.links, nodes)
    inside = places[targets] >= 0
    return sources[inside], places[targets[inside]]
