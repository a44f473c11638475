"""Addresses that stand for another page."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.linkscores.folding import fold

Pairs = list[tuple[int, int]]
pairs = st.lists(st.tuples(st.integers(-4, 9), st.integers(-4, 9)), max_size=25)


def folded(stored: list[int], redirects: Pairs, duplicates: Pairs) -> dict[int, int]:
    found = fold(np.array(sorted(set(stored)), np.int64), redirects, duplicates)
    assert found.addresses.tolist() == sorted(set(found.addresses.tolist()))
    return dict(zip(found.addresses.tolist(), found.pages.tolist(), strict=True))


@pytest.mark.parametrize(
    ("stored", "redirects", "duplicates", "expected"),
    [
        ([], [], [], {}),
        ([1], [], [], {1: 1}),
        ([3], [(1, 2), (2, 3)], [], {1: 3, 2: 3, 3: 3}),
        ([3], [(1, 2), (2, 1)], [], {3: 3}),
        ([3], [(1, 2), (2, 4), (4, 2)], [(2, 3)], {1: 3, 2: 3, 3: 3, 4: 3}),
        ([1, 2], [], [(1, 2), (2, 1)], {1: 1, 2: 1}),
        ([2, 3], [(1, 2)], [(2, 3)], {1: 3, 2: 3, 3: 3}),
        ([2], [(1, 2)], [(2, 9)], {1: 2, 2: 2}),
        ([1, 2], [(1, 2)], [], {1: 1, 2: 2}),
        ([1, 2], [], [(1, 9), (1, 2)], {1: 2, 2: 2}),
        ([1, 2, 3], [], [(1, 3), (1, 2)], {1: 3, 2: 2, 3: 3}),
        ([1], [], [(1, 1)], {1: 1}),
    ],
    ids=[
        "nothing",
        "one page",
        "chain",
        "circle without a page",
        "circle with a way out",
        "circle of pages",
        "redirect to a duplicate",
        "original unknown",
        "redirect of a stored page",
        "second original is known",
        "first original counts",
        "itself",
    ],
)
def test_chains_and_circles(stored: list[int], redirects: Pairs, duplicates: Pairs, expected: dict[int, int]) -> None:
    assert folded(stored, redirects, duplicates) == expected


@given(st.lists(st.integers(-4, 9)), pairs, pairs)
def test_everything_ends_at_a_stored_page_that_stands_for_itself(
    stored: list[int], redirects: Pairs, duplicates: Pairs
) -> None:
    found = folded(stored, redirects, duplicates)
    assert set(stored) <= found.keys()
    assert set(found.values()) <= set(stored)
    assert all(found[page] == page for page in found.values())


@given(st.permutations(range(6)), st.integers(1, 5))
def test_a_circle_has_one_page_wherever_it_is_entered(order: list[int], stored: int) -> None:
    pages = order[:stored]
    circle = [*pairwise(order), (order[-1], order[0])]
    found = folded(pages, [], circle)
    assert found == dict.fromkeys(range(6), min(pages))
