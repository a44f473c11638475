"""PageRank of a graph that grows: each new page spreads its rank at once, and only as far as it matters.

The rank solves x(v) = 1 + d · Σ x(u) / degree(u) over the pages u that link to v. A page whose links are not known yet
leads everywhere alike, as does the random jump; both add the same to every page, so that they change no order and are
left out. Times a constant, x is the PageRank of `graph/pagerank.py`.

Ranks only grow as pages are added, so that a difference can be handed on when it has become worth it: this makes the
cost of a page independent of the size of the graph.
"""

from collections.abc import Sequence
from typing import Final

TARGETS: Final = 20
"""Ranks that are remembered for each node whose links are."""


class IncrementalPageRank:
    """Ranks of nodes with any whole numbers as names.

    `damping` is the probability of following a link; a node hands on what it has received when that is more than
    `tolerance` times its rank, so that ranks are too low by about as much at most. Of the nodes added, the links of the
    newest `most` are remembered, and the highest ranks, at most `TARGETS` times as many.

    >>> ranks = IncrementalPageRank()
    >>> ranks.add(1, [2, 3])
    >>> ranks.add(2, [3])
    >>> ranks.rank(3) > ranks.rank(2) > ranks.rank(1)
    True
    """

    def __init__(self, damping: float = 0.8, tolerance: float = 0.05, most: int = 50_000) -> None:
        if not 0 <= damping < 1 or not 0 < tolerance < 1 or most < 1:
            raise ValueError("damping must lie from 0 to below 1, tolerance between 0 and 1, most be at least 1")
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
        """Take in the links of a node; a node that is known already keeps those it has."""
        if node in self._links:
            return
        self._links[node] = [target for target in dict.fromkeys(targets) if target != node]
        self._held[node] = self.rank(node)
        self._spread(node)
        if len(self._links) > self.most:
            # What is forgotten first is the oldest; its share of its targets' ranks stays.
            oldest = next(iter(self._links))
            del self._links[oldest]
            self._held.pop(oldest, None)
        if len(self._ranks) > TARGETS * self.most:
            self._forget_low_ranks()

    def _forget_low_ranks(self) -> None:
        """Keep the highest ranks; the others are hardly more than the 1 of a node that nothing links to."""
        # A quarter more than needed goes, so that sorting is rare.
        kept = 3 * TARGETS * self.most // 4
        for node in sorted(self._ranks, key=self._ranks.__getitem__)[:-kept]:
            del self._ranks[node]

    def _spread(self, node: int) -> None:
        """Hand on what a node holds, and then what those nodes hold that have received enough, in turn."""
        ranks, held, links = self._ranks, self._held, self._links
        # A node that waits for its turn collects what comes in the meantime, and is dealt with once.
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
