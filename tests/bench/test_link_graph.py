"""Reaching pages along links."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.bench.link_graph import SparseGraph

GRAPHS = st.integers(1, 12).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, n - 1), max_size=4, unique=True), min_size=n, max_size=n)
)


@given(GRAPHS, st.data())
def test_reachable_is_what_a_walk_finds(rows: list[list[int]], choice: st.DataObject) -> None:
    graph = SparseGraph.of(rows)
    starts = choice.draw(st.lists(st.integers(0, len(rows) - 1), max_size=3))
    through = np.array(choice.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows))))
    seen: set[int] = set()
    waiting = [page for page in starts if through[page]]
    while waiting:
        page = waiting.pop()
        seen.add(page)
        waiting += [to for to in rows[page] if to not in seen and through[to]]
    assert set(np.flatnonzero(graph.reachable(starts, through)).tolist()) == seen


@given(GRAPHS, st.data())
def test_links_into_looks_one_click_ahead(rows: list[list[int]], choice: st.DataObject) -> None:
    pages = np.array(choice.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows))))
    expected = [any(pages[to] for to in row) for row in rows]
    assert SparseGraph.of(rows).links_into(pages).tolist() == expected


@pytest.mark.parametrize("pages", [[], [1], [0, 1]])
def test_after_all_joins_the_links(pages: list[int]) -> None:
    graph = SparseGraph.of([[2, 1], [2], []])
    assert graph.after_all(np.array(pages, np.int64)).tolist() == sorted(
        {to for page in pages for to in ([2, 1], [2])[page]}
    )
