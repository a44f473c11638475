"""PageRank of a growing graph: each new page propagates its rank at once, but only as far as it matters.

The rank solves x(v) = 1 + d · Σ x(u) / degree(u) over the pages u that link to v. A page whose links are not known yet
is treated as linking to every page, like the random jump; both add the same to every page, do not affect the order and
are left out. Up to a constant factor, x is the PageRank of `graph/pagerank.py`.

Ranks only grow as pages are added, so a difference can be passed on once it is large enough; this makes the cost per
page independent of the size of the graph.
"""

from collections.abc import Sequence
from typing import Final

TARGETS: Final = 20
"""Number of ranks remembered per node with remembered links."""


class IncrementalPageRank:
    """Ranks of nodes identified by arbitrary integers.

    `damping` is the probability of following a link; a node passes on what it has received when that exceeds
    `tolerance` times its rank, so ranks are at most about that much too low. The links of the newest `most` nodes are
    remembered, and the highest ranks, at most `TARGETS` times as many.

    >>> ranks = IncrementalPageRank()
    >>> ranks.add(1, [2, 3])
    >>> ranks.add(2, [3])
    >>> ranks.rank(3) > ranks.rank(2) > ranks.rank(1)
    True
    """

    def __init__(self, damping: float = 0.8, tolerance: float = 0.05, most: int = 50_000) -> None:
        if not 0 <= damping < 1 or not 0 < tolerance < 1 or most < 1:
            raise ValueError("damping must be at least 0 and below 1, tolerance between 0 and 1, and most at least 1")
        self.damping = damping
        self.tolerance = tolerance
        self.most = most
        self._ranks: dict[int, float] = {}
        self._held: dict[int, float] = {}
        self._links: dict[int, list[int]] = {}

    def __contains__(self, node: int) -> bool:
        """Return whether the links of a node are known."""
        return node in self._links

    def rank(self, node: int) -> float:
        """Return the rank of a node; 1 for one that nothing links to."""
        return self._ranks.get(node, 1.0)

    def add(self, node: int, targets: Sequence[int]) -> None:
        """Add the links of a node; a known node keeps its links."""
        if node in self._links:
            return
        self._links[node] = [target for target in dict.fromkeys(targets) if target != node]
        self._held[node] = self.rank(node)
        self._spread(node)
        if len(self._links) > self.most:
            # The oldest is forgotten first; its contribution to its targets' ranks stays.
            oldest = next(iter(self._links))
            del self._links[oldest]
            self._held.pop(oldest, None)
        if len(self._ranks) > TARGETS * self.most:
            self._forget_low_ranks()

    def _forget_low_ranks(self) -> None:
        """Keep the highest ranks; the others are hardly above 1, the rank of a node without inlinks."""
        # Remove a quarter more than needed, so sorting is rare.
        kept = 3 * TARGETS * self.most // 4
        for node in sorted(self._ranks, key=self._ranks.__getitem__)[:-kept]:
            del self._ranks[node]

    def _spread(self, node: int) -> None:
        """Pass on what a node has received, and then what all nodes have that received enough."""
        ranks, held, links = self._ranks, self._held, self._links
        # A waiting node collects what arrives in the meantime and is processed once.
        waiting = {node: None}
        while waiting:
            node = next(iter(waiting))
            del waiting[node]
            targets = links.get(node)
            if not targets:
                continue
            share = self.damping * held.pop(node) / len(targets)
            for target in targets:
                rank = ranks[target] = ranks.get(target, 1.0) + share
                if target in links:
                    kept = held[target] = held.get(target, 0.0) + share
                    if kept > self.tolerance * rank:
                        waiting[target] = None
