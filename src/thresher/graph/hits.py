"""Hubs and authorities with the weights of Bharat and Henzinger (1998; Sizov, section 2.2.3).

Links from many pages of one host to the same page count as one, as do links from one page to many pages of one host: k
edges from a host to a page each weigh 1/k for the page's authority, and l edges from a page to a host each weigh 1/l
for the page's hub score. Edges within a host are left out or count less.
"""

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from thresher.graph.adjacency import adjacency

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Floats = NDArray[np.float64]
Ids = NDArray[np.int64]

_STABLE: Final = 1e-9

LARGE: Final = 1_000_000
"""Number of edges above which single precision is used: it takes half the time, and scores differ by about 1e-6."""


class HubsAndAuthorities(Struct, frozen=True):
    """One score per node; each vector has Euclidean length 1, or is all 0 if there are no edges."""

    hubs: Floats
    authorities: Floats


class WeightedEdges(Struct, frozen=True):
    """Edges with their weights: `to_authority` has a row per target, `to_hub` a row per source.

    Internally, nodes are numbered so that those of one host are adjacent; `places` maps each node to its internal
    number.
    """

    to_authority: Any
    to_hub: Any
    places: Ids


def hits(
    sources: Ids,
    targets: Ids,
    nodes: int,
    hosts: Ids | None = None,
    *,
    inside: float = 0.0,
    relevance: Floats | None = None,
    iterations: int = 30,
    tolerance: float = _STABLE,
) -> HubsAndAuthorities:
    """Return hub and authority scores of nodes 0 … `nodes` − 1.

    `hosts` are numbers of hosts, one per node; with them, edges are weighted by host, and those within a host weigh
    `inside` times as much as between hosts (0 leaves them out). `relevance`, one number per node, weights pages.
    Iteration ends when no score changes by more than `tolerance`.

    >>> found = hits(np.array([0, 0, 1]), np.array([1, 2, 2]), 3)
    >>> found.authorities.argmax(), found.hubs.argmax()
    (np.int64(2), np.int64(0))
    """
    edges = weighted_edges(sources, targets, nodes, hosts, inside=inside, relevance=relevance)
    return iterate(edges, iterations=iterations, tolerance=tolerance)


def weighted_edges(
    sources: Ids,
    targets: Ids,
    nodes: int,
    hosts: Ids | None = None,
    *,
    inside: float = 0.0,
    relevance: Floats | None = None,
) -> WeightedEdges:
    """Return the weighted edges that `hits` iterates over; same parameters."""
    kept = sources != targets
    places = np.arange(nodes)
    if hosts is not None:
        if not inside:
            kept &= hosts[sources] != hosts[targets]
        order = np.argsort(hosts, kind="stable")
        places[order] = np.arange(nodes)
    to_hub = adjacency(places[sources[kept]], places[targets[kept]], nodes)
    if to_hub.nnz > LARGE:
        to_hub = to_hub.astype(np.float32)
    to_authority = to_hub.T.tocsr()
    if hosts is not None:
        for matrix in (to_hub, to_authority):
            matrix.data = _by_host(matrix, hosts[order], inside).astype(to_hub.dtype)
    if relevance is not None:
        placed = np.empty(nodes, to_hub.dtype)
        placed[places] = relevance
        to_hub.data *= placed[to_hub.indices]
        to_authority.data *= placed[to_authority.indices]
    return WeightedEdges(to_authority, to_hub, places)


def iterate(edges: WeightedEdges, *, iterations: int = 30, tolerance: float = _STABLE) -> HubsAndAuthorities:
    """Return the scores after the given number of rounds, or once no authority changes by more than `tolerance`."""
    nodes = len(edges.places)
    hubs = np.ones(nodes, edges.to_hub.dtype)
    authorities = np.zeros(nodes, edges.to_hub.dtype)
    for _ in range(iterations):
        before = authorities
        authorities = _unit(edges.to_authority @ hubs)
        hubs = _unit(edges.to_hub @ authorities)
        if tolerance > 0 and np.abs(authorities - before).max(initial=0.0) < tolerance:
            break
    return HubsAndAuthorities(*(scores[edges.places].astype(np.float64) for scores in (hubs, authorities)))


def _by_host(matrix: "csr_matrix", hosts: Ids, inside: float) -> Floats:
    """Return the weight of each entry of a matrix by the hosts of its row and its column."""
    found = shares(matrix, hosts)
    if inside:
        rows = np.repeat(hosts, np.diff(matrix.indptr))
        found[rows == hosts[matrix.indices]] *= inside
    return found


def shares(matrix: "csr_matrix", groups: Ids) -> Floats:
    """Return 1/k for each entry of a matrix, where k is the number of entries in its row with the same group.

    `groups` is the group of each column, in ascending order, so the entries of a group are adjacent in each row.

    >>> shares(adjacency(np.array([0, 0, 0]), np.array([0, 1, 2]), 3), np.array([7, 7, 8])).tolist()
    [0.5, 0.5, 1.0]
    """
    entries = matrix.nnz
    if not entries:
        return np.zeros(0)
    group = groups[matrix.indices]
    first = np.empty(entries, bool)
    first[0] = True
    np.not_equal(group[1:], group[:-1], out=first[1:])
    rows = matrix.indptr[:-1]
    first[rows[rows < entries]] = True
    starts = np.flatnonzero(first)
    lengths = np.diff(starts, append=entries)
    share: Floats = np.repeat(1.0 / lengths, lengths)
    return share


def _unit(scores: Any) -> Any:
    """Scale scores to length 1, in place."""
    length = np.sqrt(scores @ scores)
    if length > 0:
        scores /= length
    return scores
