"""The oracle: the upper bound for strategies, which knows all links and labels.

It takes a target from its frontier if there is one, otherwise the next page on a shortest path to one. Its order is
computed on the link graph and then crawled by the engine like that of any other strategy. It is greedy, so another
order sometimes finds more.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from thresher.bench.link_graph import Mask, SparseGraph
from thresher.protocols import View
from thresher.strategies.children import children
from thresher.types import Candidate, Judgement, ParsedPage, Reading

NAME = "oracle"


def plan(graph: SparseGraph, starts: Sequence[int], through: Mask, targets: Mask, budget: int) -> list[int]:
    """Return the pages the oracle fetches, in order, until all targets are found or the budget is spent.

    Targets are taken in the order they are discovered. Among several nearest undiscovered targets, the one with the
    smallest number is chosen; among several paths, the one over the smallest numbers.

    >>> graph = SparseGraph.of([[1, 2], [3], [], []])
    >>> plan(graph, [0], np.ones(4, bool), np.array([False, False, False, True]), budget=10)
    [0, 1, 3]
    """
    crawl = _Crawl(graph, through, targets)
    crawl.offer([page for page in starts if through[page]])
    left = int(targets.sum())
    while left and len(crawl.order) < budget:
        page = crawl.next_target()
        if page is None:
            page = crawl.step()
        if page is None:
            break
        left -= bool(targets[page])
        crawl.fetch(page)
    return crawl.order


class _Crawl:
    """The oracle's crawl so far: fetched and waiting pages."""

    def __init__(self, graph: SparseGraph, through: Mask, targets: Mask) -> None:
        self._graph = graph
        self._through = through
        self._targets = targets
        self._fetched = np.zeros(graph.count, bool)
        self._waiting = np.zeros(graph.count, bool)
        self._found: list[int] = []
        self.order: list[int] = []

    def offer(self, pages: Iterable[int]) -> None:
        for page in pages:
            if not self._waiting[page] and not self._fetched[page]:
                self._waiting[page] = True
                if self._targets[page]:
                    self._found.append(page)

    def fetch(self, page: int) -> None:
        self._waiting[page] = False
        self._fetched[page] = True
        self.order.append(page)
        after = self._graph.after(page)
        self.offer(after[self._through[after]].tolist())

    def next_target(self) -> int | None:
        """Return the target that has waited longest, or None."""
        return self._found.pop(0) if self._found else None

    def step(self) -> int | None:
        """Return the waiting page that starts a path to the nearest target, or None if there is no path."""
        seen = self._fetched | self._waiting
        levels = [np.flatnonzero(self._waiting)]
        while len(levels[-1]):
            found = self._graph.after_all(levels[-1])
            found = found[self._through[found] & ~seen[found]]
            seen[found] = True
            levels.append(found)
            near = found[self._targets[found]]
            if len(near):
                return self._first(levels, int(near[0]))
        return None

    def _first(self, levels: list[np.ndarray], goal: int) -> int:
        """Return the start of a path through the levels to a goal."""
        for level in reversed(levels[:-1]):
            goal = next(int(page) for page in level if goal in self._graph.after(page))
        return goal


class Oracle:
    """Crawls according to a plan; `ranks` maps each URL to its position, and other links are skipped."""

    def __init__(self, ranks: Mapping[str, int]) -> None:
        self._ranks = ranks

    def read(self, page: ParsedPage, judgement: Judgement | None) -> None:
        """Read nothing; the plan already exists."""

    def rank(self, reading: Reading[None], view: View) -> Iterable[Candidate]:
        """Score every link by its position in the plan."""
        ranks = self._ranks
        planned = [link for link in reading.links if link.url in ranks]
        return children(reading, ((link, (-float(ranks[link.url]),)) for link in planned))
