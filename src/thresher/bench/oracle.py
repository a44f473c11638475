"""The oracle: the upper bound for strategies, which knows all links and labels.

It takes a target that waits in its frontier, else the next page on a shortest path to one. Its order is worked out on
the link graph and then crawled by the engine like that of any other strategy. It is greedy: now and then another order
finds more.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from thresher.bench.link_graph import LinkGraph, Mask
from thresher.protocols import View
from thresher.strategies.children import children
from thresher.types import Candidate, Judgement, Page, Reading

NAME = "oracle"


def plan(graph: LinkGraph, starts: Sequence[int], through: Mask, targets: Mask, budget: int) -> list[int]:
    """Return the pages the oracle fetches, in order, until all targets are found or the budget is spent.

    Targets are taken in the order in which they are found; of several nearest ones that are not found yet the path to
    the one with the smallest number is taken, and of several paths the one over the smallest numbers.

    >>> graph = LinkGraph.of([[1, 2], [3], [], []])
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
    """The oracle's crawl so far: what is fetched, and what waits."""

    def __init__(self, graph: LinkGraph, through: Mask, targets: Mask) -> None:
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
        """Return the target that has waited longest, None if none waits."""
        return self._found.pop(0) if self._found else None

    def step(self) -> int | None:
        """Return the waiting page from which a path to the nearest target begins, None if no path is left."""
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
        """Return where a path through the levels to a goal begins."""
        for level in reversed(levels[:-1]):
            goal = next(int(page) for page in level if goal in self._graph.after(page))
        return goal


class Oracle:
    """Crawls after a plan: `ranks` gives the place of each URL in it, and other links are passed over."""

    def __init__(self, ranks: Mapping[str, int]) -> None:
        self._ranks = ranks

    def read(self, page: Page, judgement: Judgement | None) -> None:
        """Read nothing: the plan is made."""

    def rank(self, reading: Reading[None], view: View) -> Iterable[Candidate]:
        """Score every link by its place in the plan."""
        ranks = self._ranks
        planned = [link for link in reading.links if link.url in ranks]
        return children(reading, ((link, (-float(ranks[link.url]),)) for link in planned))
