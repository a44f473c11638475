"""PageRank of a growing graph, against that of the whole graph."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.graph.incremental_pagerank import TARGETS, IncrementalPageRank
from thresher.graph.pagerank import pagerank

graphs = st.lists(st.lists(st.integers(0, 11), max_size=6), min_size=12, max_size=12)


@settings(deadline=None, max_examples=12)
@given(graphs, st.permutations(range(12)), st.integers(1, 12))
def test_ranks_are_those_of_the_whole_graph_in_any_order(rows: list[list[int]], order: list[int], known: int) -> None:
    growing = IncrementalPageRank(damping=0.8, tolerance=1e-7)
    for node in order[:known]:
        growing.add(node, rows[node])
    edges = [(node, target) for node in order[:known] for target in set(rows[node]) if target != node]
    sources, targets = np.array(edges, dtype=int).reshape(-1, 2).T
    whole = pagerank(sources, targets, 12, jump=0.2, iterations=1000, tolerance=1e-14)
    ranks = np.array([growing.rank(node) for node in range(12)])
    assert ranks / ranks.sum() == pytest.approx(whole, abs=1e-5)


@settings(deadline=None, max_examples=8)
@given(graphs)
def test_the_tolerance_bounds_what_is_missing(rows: list[list[int]]) -> None:
    rough, exact = IncrementalPageRank(tolerance=0.05), IncrementalPageRank(tolerance=1e-6)
    for node, targets in enumerate(rows):
        rough.add(node, targets)
        exact.add(node, targets)
    for node in range(12):
        assert exact.rank(node) * 0.75 <= rough.rank(node) <= exact.rank(node) * (1 + 1e-4)


def test_the_cost_of_a_page_does_not_grow_with_the_graph() -> None:
    rng = np.random.default_rng(0)
    ranks = IncrementalPageRank()
    handed: list[int] = []

    class Counted(dict[int, list[int]]):
        def get(self, node: int, default: object = None) -> object:  # type: ignore[override]
            handed[-1] += 1
            return super().get(node, default)

    ranks._links = Counted()
    for node in range(2000):
        handed.append(0)
        ranks.add(node, rng.integers(0, 4000, 20).tolist())
    assert sum(handed[1500:]) < 4 * sum(handed[500:1000]) + 2000


def test_links_are_forgotten_and_nothing_is_added_twice() -> None:
    ranks = IncrementalPageRank(most=2)
    for node in (1, 2, 3):
        ranks.add(node, [9])
    assert 1 not in ranks
    assert 3 in ranks
    before = ranks.rank(9)
    ranks.add(3, [9, 8])
    assert (ranks.rank(9), ranks.rank(8)) == (before, 1.0)

    for node in range(100, 200):
        ranks.add(node, [9, *range(10 * node, 10 * node + 10)])
        assert len(ranks._ranks) <= TARGETS * ranks.most
        assert ranks._held.keys() <= ranks._links.keys()
    assert ranks.rank(9) > 5 > ranks.rank(1000) == 1.0, "the lowest ranks are forgotten"
    with pytest.raises(ValueError, match="damping"):
        IncrementalPageRank(damping=1.0)
