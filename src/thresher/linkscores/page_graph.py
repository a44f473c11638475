"""The graph of a portal's pages: folded, numbered from 0, and as sparse matrices in both directions."""

from array import array
from collections.abc import Iterable
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from thresher.graph.adjacency import adjacency
from thresher.linkscores.folding import Folding

Ids = NDArray[np.int64]


class PageGraph(Struct, frozen=True):
    """Pages as nodes: `ids` has the page of each node, `links` a row per source, `backlinks` a row per target."""

    ids: Ids
    links: Any
    backlinks: Any

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return len(self.ids)


def page_graph(folding: Folding, edges: "Iterable[array[int] | Ids]") -> PageGraph:
    """Return the graph of the pages that are not folded into another.

    `edges` are blocks of signed 64-bit ids: source, target, source, target, … Links from or to addresses without a page
    are left out, and so are links of a page to itself.

    >>> from thresher.linkscores.folding import fold
    >>> graph = page_graph(fold(np.array([3, 5]), [(1, 3)], []), [np.array([5, 1, 5, 3, 3, 9])])
    >>> graph.ids.tolist(), graph.links.toarray().tolist()
    ([3, 5], [[0.0, 0.0], [1.0, 0.0]])
    """
    # A page that represents others also represents itself.
    ids = folding.addresses[folding.addresses == folding.pages]
    numbers = np.searchsorted(ids, folding.pages).astype(np.int32)
    kept = [_numbered(np.frombuffer(block, np.int64).reshape(-1, 2), folding.addresses, numbers) for block in edges]
    pairs = np.concatenate([np.zeros((0, 2), np.int32), *kept])
    links = adjacency(pairs[:, 0], pairs[:, 1], len(ids))
    return PageGraph(ids, links, links.T.tocsr())


def _numbered(pairs: Ids, addresses: Ids, numbers: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the edges between known addresses, by node number."""
    if not len(addresses):
        return np.zeros((0, 2), np.int32)
    # Most links of a portal lead outside, so look up targets first, and sources only where needed.
    sources, targets = np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])
    known, targets = _places(targets, addresses)
    sources = sources[known]
    # Sorted look-ups are several times faster, since each is near the previous one.
    order = np.argsort(sources)
    known_sources, sources = _places(sources[order], addresses)
    nodes = np.stack([numbers[sources], numbers[targets[order][known_sources]]], axis=1)
    distinct: NDArray[np.int32] = nodes[nodes[:, 0] != nodes[:, 1]]
    return distinct


def _places(ids: Ids, addresses: Ids) -> tuple[NDArray[np.bool_], Ids]:
    """Return which ids are known addresses, and the indexes of those."""
    places = np.minimum(np.searchsorted(addresses, ids), len(addresses) - 1)
    known = addresses[places] == ids
    return known, places[known]
