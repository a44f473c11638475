"""Means, errors and tests against figures from elsewhere, and what must hold for any."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_rel

from thresher.bench.statistics import estimate, holm, over_topics, paired_test, quartiles, sign_flip

BASE = dict(zip([(topic, 0) for topic in "abcdefgh"], (0.2, 0.4, 0.35, 0.5, 0.1, 0.6, 0.45, 0.3), strict=True))
OURS = dict(zip(BASE, (0.25, 0.5, 0.3, 0.62, 0.2, 0.63, 0.5, 0.42), strict=True))


def test_nothing_has_no_mean_and_one_has_no_error() -> None:
    assert estimate([]) is None
    found = estimate([0.5])
    assert found is not None
    assert (found.mean, found.error, found.n) == (0.5, None, 1)


def test_seed_sets_do_not_count_as_topics() -> None:
    figures = {("a", seed): 0.2 for seed in range(50)} | {("b", seed): 0.6 for seed in range(2)}
    found = over_topics(figures)
    assert found is not None
    assert (found.n, found.mean) == (2, pytest.approx(0.4))
    assert found.error == pytest.approx(0.2)


def test_seed_sets_of_a_single_topic_are_the_units() -> None:
    test = paired_test({("a", s): 0.5 + 0.1 * (s % 2) for s in range(6)}, {("a", s): 0.4 for s in range(6)})
    assert test is not None
    assert (test.n, test.units) == (6, "seeds")


def test_t_test_agrees_with_scipy() -> None:
    test = paired_test(OURS, BASE)
    one = ttest_rel(list(OURS.values()), list(BASE.values()), alternative="greater")
    two = ttest_rel(list(OURS.values()), list(BASE.values()))
    assert test is not None
    assert test.t == pytest.approx(one.statistic)
    assert test.greater == pytest.approx(one.pvalue)
    assert test.two_sided == pytest.approx(two.pvalue)


def test_only_runs_that_both_made_are_compared() -> None:
    test = paired_test(OURS | {("z", 0): 1.0, ("a", 9): 1.0}, BASE | {("y", 0): 1.0})
    assert test == paired_test(OURS, BASE)
    assert paired_test(OURS, {("y", 0): 1.0}) is None


def test_differences_that_do_not_vary_make_no_t() -> None:
    test = paired_test({key: value + 0.125 for key, value in BASE.items()}, BASE)
    assert test is not None
    assert (test.t, test.greater, test.two_sided) == (None, None, None)
    assert test.flip == 2**-8
    same = paired_test(BASE, BASE)
    assert same is not None
    assert (same.difference, same.t, same.flip) == (0.0, None, 1.0)


def test_four_topics_never_reach_the_level_by_signs() -> None:
    assert sign_flip([1.0] * 4) == 0.0625
    assert sign_flip([1.0] * 5) == 0.03125


def test_many_pairs_are_sampled_alike_each_time() -> None:
    values = np.random.default_rng(1).normal(0.1, 0.5, size=40).tolist()
    assert sign_flip(values) == sign_flip(values)
    one = ttest_rel(values, [0.0] * 40, alternative="greater")
    assert sign_flip(values) == pytest.approx(one.pvalue, abs=0.02)


def test_topics_go_into_quartiles_by_their_mean() -> None:
    recall = {(f"t{n}", seed): n / 10 + seed for n in range(8) for seed in (0, 1)}
    assert quartiles(recall) == [["t0", "t1"], ["t2", "t3"], ["t4", "t5"], ["t6", "t7"]]
    assert quartiles({("a", 0): 0.5}) == [["a"]]
    assert quartiles({}) == []


figures = st.dictionaries(st.tuples(st.sampled_from("abcdefg"), st.integers(0, 3)), st.floats(-1, 1), max_size=20)


@given(ours=figures, base=figures)
def test_changing_sides_changes_the_sign(
    ours: dict[tuple[str, int], float], base: dict[tuple[str, int], float]
) -> None:
    there, back = paired_test(ours, base), paired_test(base, ours)
    assert (there is None) == (back is None)
    if there is None or back is None:
        return
    assert there.difference == pytest.approx(-back.difference)
    assert 0 < there.flip <= 1
    if there.t is not None and there.greater is not None and back.greater is not None:
        assert there.greater + back.greater == pytest.approx(1)
        assert there.two_sided == pytest.approx(2 * min(there.greater, back.greater))


@given(p_values=st.lists(st.none() | st.floats(0, 1), max_size=12))
def test_holm_never_lowers_a_p_and_keeps_their_order(p_values: list[float | None]) -> None:
    adjusted = holm(p_values)
    assert [p is None for p in adjusted] == [p is None for p in p_values]
    pairs = sorted((p, a) for p, a in zip(p_values, adjusted, strict=True) if p is not None and a is not None)
    assert all(p <= a <= 1 for p, a in pairs)
    assert [a for _, a in pairs] == sorted(a for _, a in pairs)


@given(recall=figures)
def test_quartiles_hold_every_topic_once_in_groups_of_nearly_equal_size(recall: dict[tuple[str, int], float]) -> None:
    groups = quartiles(recall)
    assert sorted(topic for group in groups for topic in group) == sorted({topic for topic, _ in recall})
    assert not groups or max(map(len, groups)) - min(map(len, groups)) <= 1
