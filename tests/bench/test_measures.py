"""The measures on logs made by hand, and what must hold for any log."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bench.made import crawl
from thresher.bench.measures import (
    Effort,
    average_similarity,
    harvest_curve,
    harvest_rate,
    oracle_share,
    precision_at_recall,
    recall_curve,
    relevant_hosts,
    target_recall,
)
from thresher.bench.records import FetchedPage

LOG = crawl("rT..TrT...")


@pytest.mark.parametrize(("t", "rate"), [(0, 0.0), (1, 1.0), (2, 1.0), (4, 0.5), (10, 0.5), (99, 0.5)])
def test_harvest_rate_counts_relevant_pages_whether_targets_or_not(t: int, rate: float) -> None:
    assert harvest_rate(LOG, t) == rate


@pytest.mark.parametrize(("t", "recall"), [(0, 0.0), (1, 0.0), (2, 0.25), (5, 0.5), (10, 0.75), (99, 0.75)])
def test_target_recall_counts_targets_only(t: int, recall: float) -> None:
    assert target_recall(LOG, 4, t) == recall


def test_curves_that_end_early_stay_flat() -> None:
    assert recall_curve([False, True], 2, 4).tolist() == [0.0, 0.5, 0.5, 0.5]
    assert harvest_curve(crawl("r.T"), 5).tolist() == pytest.approx([1, 1 / 2, 2 / 3, 2 / 3, 2 / 3])


def test_curves_that_run_over_the_budget_are_cut() -> None:
    assert recall_curve([True, True, True], 3, 2).tolist() == pytest.approx([1 / 3, 2 / 3])


def test_empty_crawl_finds_nothing() -> None:
    assert recall_curve([], 5, 3).tolist() == [0, 0, 0]
    assert harvest_curve([], 3).tolist() == [0, 0, 0]
    assert precision_at_recall([], 5) == {0.1: None, 0.5: None, 1.0: None}
    assert average_similarity([], 3) is None
    assert relevant_hosts([], 3) == 0


def test_without_targets_there_is_no_recall_and_no_oracle() -> None:
    assert target_recall(crawl("r.r"), 0, 3) == 0.0
    assert oracle_share([False], [False], 0, 1) is None
    assert oracle_share([], [], 3, 0) is None


def test_oracle_share_is_the_ratio_of_areas() -> None:
    # Recall after 1..4 pages: 0, 0, 1/2, 1/2 against 1/2, 1, 1, 1.
    assert oracle_share([False, False, True, False], [True, True], 2, 4) == pytest.approx(1.0 / 3.5)


def test_precision_is_that_of_the_shortest_part_with_enough_targets() -> None:
    efforts = precision_at_recall(LOG, 4)
    assert efforts[0.1] == Effort(pages=2, precision=0.5, recall=0.25, f1=pytest.approx(1 / 3))
    assert efforts[0.5] == Effort(pages=5, precision=0.4, recall=0.5, f1=pytest.approx(4 / 9))
    assert efforts[1.0] is None


def test_levels_that_binary_numbers_miss_are_reached() -> None:
    assert 0.07 * 100 > 7
    effort = precision_at_recall(crawl("T" * 7), 100, (0.07,))[0.07]
    assert effort is not None
    assert effort.pages == 7


def test_similarity_is_averaged_over_pages_that_were_measured() -> None:
    log = [FetchedPage("http://a.test/", True, False, similarity) for similarity in (0.25, None, 0.75, 1.0)]
    assert average_similarity(log, 3) == 0.5
    assert average_similarity(crawl("rr"), 2) is None


def test_hosts_are_counted_once_whatever_their_case_and_port() -> None:
    urls = ["http://A.test/1", "http://a.test:80/2", "https://b.test/", "http://c.test/"]
    log = [FetchedPage(url, not url.startswith("http://c"), False) for url in urls]
    assert relevant_hosts(log, 4) == 2


def test_more_found_than_there_are_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="3 of 2 targets"):
        recall_curve([True] * 3, 2, 3)
    with pytest.raises(ValueError, match="negative"):
        harvest_rate(LOG, -1)


marks = st.lists(st.sampled_from("Tr."), max_size=60).map("".join)


@given(marks=marks, spare=st.integers(0, 10), budget=st.integers(0, 80))
def test_curves_are_bounded_and_agree_with_the_single_figures(marks: str, spare: int, budget: int) -> None:
    log = crawl(marks)
    targets = marks.count("T") + spare
    recall = recall_curve([visit.target for visit in log], targets, budget)
    harvest = harvest_curve(log, budget)
    assert len(recall) == len(harvest) == budget
    assert np.all((recall >= 0) & (recall <= 1))
    assert np.all((harvest >= 0) & (harvest <= 1))
    assert np.all(np.diff(recall) >= 0)
    for t in range(1, budget + 1):
        assert recall[t - 1] == target_recall(log, targets, t)
        assert harvest[t - 1] == harvest_rate(log, t)


@given(found=st.lists(st.booleans(), max_size=60), spare=st.integers(0, 10), budget=st.integers(1, 80))
def test_oracle_has_all_of_its_own_share(found: list[bool], spare: int, budget: int) -> None:
    share = oracle_share(found, found, sum(found) + spare, budget)
    assert share == (1.0 if any(found[:budget]) else None)


@given(found=st.lists(st.booleans(), max_size=60), budget=st.integers(1, 80), spare=st.integers(0, 5))
def test_finding_targets_first_is_never_worse(found: list[bool], budget: int, spare: int) -> None:
    best = sorted(found, reverse=True)
    share = oracle_share(found, best, sum(found) + spare, budget)
    assert share is None or 0 <= share <= 1


@given(found=st.lists(st.booleans(), min_size=1, max_size=40), oracle=st.lists(st.booleans(), max_size=40))
def test_number_of_targets_does_not_change_the_oracle_share(found: list[bool], oracle: list[bool]) -> None:
    targets = max(sum(found), sum(oracle))
    assert oracle_share(found, oracle, targets, 50) == pytest.approx(oracle_share(found, oracle, targets + 7, 50))


@given(marks=marks, spare=st.integers(0, 10))
def test_precision_at_recall_is_bounded_and_higher_levels_cost_more(marks: str, spare: int) -> None:
    levels = (0.1, 0.25, 0.5, 0.75, 1.0)
    efforts = precision_at_recall(crawl(marks), marks.count("T") + spare, levels)
    reached = [effort for effort in efforts.values() if effort is not None]
    assert list(efforts.values())[: len(reached)] == reached
    for level, effort in zip(levels, reached, strict=False):
        assert effort.recall >= level - 1e-9
        assert 0 < effort.precision <= 1
        assert min(effort.precision, effort.recall) <= effort.f1 <= max(effort.precision, effort.recall) + 1e-12
    assert [effort.pages for effort in reached] == sorted(effort.pages for effort in reached)
