"""Hubs and authorities with the weights of Bharat and Henzinger (1998; source 003, section 2.2.3).

Many pages of one host that link to the same page speak with one voice, and so does a page that links to many pages of
one host: k edges from a host to a page weigh 1/k for the page's authority, l edges from a page to a host 1/l for the
page's worth as a hub.
"""

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Floats = NDArray[np.float64]
Ids = NDArray[np.int64]

_STABLE: Final = 1e-9


class HubsAndAuthorities(Struct, frozen=True):
    """One number per node, each list of length 1 in the Euclidean sense; all 0 where there are no edges."""

    hubs: Floats
    authorities: Floats


def hits(
    sources: Ids,
    targets: Ids,
    nodes: int,
    hosts: Ids | None = None,
    *,
    relevance: Floats | None = None,
    iterations: int = 30,
    tolerance: float = _STABLE,
) -> HubsAndAuthorities:
    """Return hub and authority scores of nodes 0 … `nodes` − 1.

    `hosts` are numbers of hosts, one per node; with them, edges are weighted by hosts and those inside a host left out.
    `relevance`, one number per node, makes a page count by it. Iteration ends when no score moves by more than
    `tolerance`.

    >>> found = hits(np.array([0, 0, 1]), np.array([1, 2, 2]), 3)
    >>> found.authorities.argmax(), found.hubs.argmax()
    (np.int64(2), np.int64(0))
    """
    kept = sources != targets
    if hosts is not None:
        kept &= hosts[sources] != hosts[targets]
    sources, targets = _distinct(sources[kept], targets[kept], nodes)
    for_authority = for_hub = np.ones(len(sources))
    if hosts is not None:
        for_authority = shares(hosts[sources], targets, nodes)
        for_hub = shares(hosts[targets], sources, nodes)
    if relevance is not None:
        for_authority = for_authority * relevance[sources]
        for_hub = for_hub * relevance[targets]
    to_authority = _matrix(for_authority, targets, sources, nodes)
    to_hub = _matrix(for_hub, sources, targets, nodes)
    hubs = np.ones(nodes)
    authorities = np.zeros(nodes)
    for _ in range(iterations):
        before = authorities
        authorities = _unit(to_authority @ hubs)
        hubs = _unit(to_hub @ authorities)
        if np.abs(authorities - before).max(initial=0.0) < tolerance:
            break
    return HubsAndAuthorities(hubs, authorities)


def shares(groups: Ids, ends: Ids, nodes: int) -> Floats:
    """Return 1/k for each edge, k being how many edges have its group and its end.

    >>> shares(np.array([7, 7, 8]), np.array([0, 0, 0]), 1).tolist()
    [0.5, 0.5, 1.0]
    """
    if not len(ends):
        return np.zeros(0)
    _, place, count = np.unique(groups.astype(np.int64) * nodes + ends, return_inverse=True, return_counts=True)
    share: Floats = 1.0 / count[place.ravel()]
    return share


def _distinct(sources: Ids, targets: Ids, nodes: int) -> tuple[Ids, Ids]:
    """Return edges without repetitions."""
    keys = np.unique(sources.astype(np.int64) * nodes + targets)
    return keys // max(1, nodes), keys % max(1, nodes)


def _matrix(weights: Floats, rows: Ids, columns: Ids, nodes: int) -> "csr_matrix":
    from scipy.sparse import csr_matrix

    return csr_matrix((weights, (rows, columns)), shape=(nodes, nodes))


def _unit(scores: Any) -> Floats:
    length = float(np.sqrt((scores * scores).sum()))
    unit: Floats = scores / length if length > 0 else scores
    return unit
