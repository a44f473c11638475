"""The oracle goes straight for the targets, and is crawled by the engine as it was planned."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bench.handmade import hand_web, parsed
from tests.bench.test_link_graph import GRAPHS
from thresher.bench.assignment import Job
from thresher.bench.experiment import run
from thresher.bench.link_graph import SparseGraph
from thresher.bench.measures import recall_curve
from thresher.bench.oracle import plan
from thresher.bench.protocol import Draw


def masked(count: int, pages: list[int]) -> np.ndarray:
    mask = np.zeros(count, bool)
    mask[pages] = True
    return mask


@pytest.mark.parametrize(
    ("rows", "starts", "targets", "order"),
    [
        ([[1, 2], [], []], [0], [2], [0, 2]),
        ([[1, 2], [3], [4], [], [5], []], [0], [3, 5], [0, 1, 3, 2, 4, 5]),
        ([[1], [2], [3], []], [0], [3], [0, 1, 2, 3]),
        ([[1], [], [1]], [0, 2], [0, 2], [0, 2]),
        ([[1], []], [0], [], []),
        ([[], []], [0], [1], []),
        ([[1, 3], [2], [], [4], [5], []], [0], [2, 5], [0, 1, 2, 3, 4, 5]),
    ],
    ids=["frontier first", "nearest", "chain", "starts", "no targets", "out of reach", "short path first"],
)
def test_hand_made_plans(rows: list[list[int]], starts: list[int], targets: list[int], order: list[int]) -> None:
    count = len(rows)
    assert plan(SparseGraph.of(rows), starts, np.ones(count, bool), masked(count, targets), 100) == order


@given(GRAPHS, st.data())
def test_every_reachable_target_is_found_and_every_page_was_found_before(
    rows: list[list[int]], choice: st.DataObject
) -> None:
    count = len(rows)
    graph = SparseGraph.of(rows)
    pages = st.lists(st.integers(0, count - 1), max_size=4, unique=True)
    starts, goals, shut = choice.draw(pages), choice.draw(pages), choice.draw(pages)
    through = ~masked(count, shut)
    reached = graph.reachable(starts, through)
    targets = masked(count, goals) & reached
    order = plan(graph, starts, through, targets, count)
    assert len(set(order)) == len(order)
    assert set(np.flatnonzero(targets).tolist()) <= set(order)
    known = {page for page in starts if through[page]}
    for page in order:
        assert page in known
        known |= {to for to in rows[page] if through[to]}
    if order:
        assert targets[order[-1]]


@given(GRAPHS, st.data())
def test_a_smaller_budget_is_the_beginning_of_a_larger_one(rows: list[list[int]], choice: st.DataObject) -> None:
    count = len(rows)
    pages = st.lists(st.integers(0, count - 1), max_size=4, unique=True)
    starts, targets = choice.draw(pages), masked(count, choice.draw(pages))
    targets &= SparseGraph.of(rows).reachable(starts)
    budget = choice.draw(st.integers(0, count))
    whole = plan(SparseGraph.of(rows), starts, np.ones(count, bool), targets, count)
    assert plan(SparseGraph.of(rows), starts, np.ones(count, bool), targets, budget) == whole[:budget]


LINKS = {
    "home": "hub off1 off2",
    "hub": "t1 off3",
    "off1": "off4 t9",
    "off2": "off5",
    "off3": "off6",
    "off4": "",
    "off5": "t4",
    "off6": "",
    "t1": "t2 off2",
    "t2": "t3 nowhere",
    "t3": "",
    "t4": "home",
    "t9": "",
}
TOPICS = {name: "boats" if name[0] == "t" else "-" for name in LINKS}


@pytest.mark.parametrize("budget", [0, 3, 5, 20])
@pytest.mark.parametrize("strategy", ["breadth-first", "depth-first", "random", "oracle"])
def test_no_strategy_is_above_the_oracle_on_a_web_where_greed_is_right(strategy: str, budget: int) -> None:
    web = hand_web(LINKS, TOPICS, home=["home"])
    job = Job(web="hand", topic="boats", strategy=strategy, seed=2, budget=budget, mode="normal", draw=Draw(1, 3, 1))
    record = run(job, web, parsed(web))
    pages = budget or 13
    own = recall_curve([visit.target for visit in record.log], record.run.targets, pages)
    best = recall_curve(record.oracle, record.run.targets, pages)
    assert (own <= best).all()
    assert record.run.oracle_share is not None
    assert record.run.oracle_share <= 1.0
    if strategy == "oracle":
        assert [visit.target for visit in record.log] == record.oracle
        assert record.run.oracle_share == 1.0
