"""Two ways of running the same trials, compared by hand."""

import pytest

from thresher.bench.promise.comparing import PAIRS, differences
from thresher.bench.promise.figures import TopicFigures
from thresher.bench.promise.records import Promise


def row(cell: str, right: float, topics: list[TopicFigures] | None = None, seed: int = 0) -> Promise:
    given = topics or [TopicFigures("boats", 1.0, right, 10, 5)]
    return Promise(
        web="w", cell=cell, split="choose", seed=seed, budget=10, pages=10, hosts=3, examples=4, on_topic=0.5,
        on_topic_new_hosts=0.1, hosts_found=None, right_pages=right, oracle_share=0.5, precision=1.0,
        recall_of_fetched=0.5, precision_new_hosts=None, recall_new_hosts=None, f_new_hosts=None, f_home_hosts=None,
        judged_f_new_hosts=None, judged_precision_new_hosts=None, topics=given, topics_new_hosts=[],
        negatives_wrong=None, archetypes_wrong=None, rounds_kept=0, rounds_rolled_back=0, rounds_kept_harmful=0,
        rounds_rolled_back_helpful=0, fetched_again=0, stages={}, virtual_seconds=1.0,
    )  # fmt: skip


def test_pairs_are_of_the_same_cell_and_seed() -> None:
    found = {one.measure: one for one in differences([row("a", 0.5), row("b", 0.9)], [row("b", 0.5), row("c", 0.0)])}
    right = found["right_pages"]
    assert (right.n, right.error, right.low) == (1, None, None)
    assert right.difference == pytest.approx(0.4)
    assert "hosts_found" not in found, "what was not measured is not compared"


def test_topics_are_pairs_of_their_own() -> None:
    one = [TopicFigures("boats", 0.5, 1.0, 4, 4), TopicFigures("cars", None, 0.0, 3, 0)]
    other = [TopicFigures("boats", 1.0, 0.5, 4, 1), TopicFigures("cars", 1.0, 1.0, 3, 3)]
    found = {d.measure: d for d in differences([row("a", 0.1, one)], [row("a", 0.1, other)])}
    # The fair share of each topic is five pages: two right ones against one, and none against three.
    assert found["topic_right_pages"].difference == pytest.approx((1 / 5 - 3 / 5) / 2)
    assert found["topic_f"].difference == pytest.approx((0.0 - 1.0) / 2)


def test_no_worse_needs_pairs_and_an_interval_above_the_margin() -> None:
    runs = [row("a", 0.5 + seed % 2 * 0.001, seed=seed) for seed in range(PAIRS)]
    others = [row("a", 0.5, seed=seed) for seed in range(PAIRS)]
    assert next(d for d in differences(runs, others) if d.measure == "right_pages").no_worse
    assert not next(d for d in differences(runs[1:], others) if d.measure == "right_pages").no_worse
    worse = [row("a", 0.45 + seed % 2 * 0.001, seed=seed) for seed in range(PAIRS)]
    assert not next(d for d in differences(worse, others) if d.measure == "right_pages").no_worse
