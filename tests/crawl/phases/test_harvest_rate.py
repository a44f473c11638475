"""The harvest rate of the last pages, and what depends on it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.crawl.budget import Budget, Stop
from thresher.crawl.phases.harvest_rate import HarvestRate, Until, until
from thresher.crawl.phases.retraining import Timetable
from thresher.errors import InputError
from thresher.types import Judgement


def judged(confidence: float) -> Judgement:
    return Judgement(topic="T" if confidence > 0 else None, confidence=confidence, probability=0.5)


def rate_of(*confidences: float, window: int = 4) -> HarvestRate:
    rate = HarvestRate(window)
    for confidence in confidences:
        rate.count(judged(confidence))
    return rate


def test_a_window_that_is_not_full_has_no_rate() -> None:
    assert rate_of(1.0, 1.0, 1.0).share() is None
    assert rate_of(1.0, 1.0, 1.0).confidence() is None
    assert rate_of(1.0, 1.0, 1.0, -5.0).share() == 0.75


def test_only_the_last_pages_count_and_rejected_ones_count_as_nothing() -> None:
    rate = rate_of(9.0, 9.0, 1.0, -2.0, 3.0, -1.0)
    assert (rate.share(), rate.confidence()) == (0.5, 1.0)
    rate.clear()
    assert rate.share() is None


def test_pages_nobody_judged_count_for_nothing() -> None:
    rate = rate_of(1.0, 1.0, 1.0)
    rate.count(None)
    assert rate.share() is None


@given(st.lists(st.floats(-5, 5, allow_nan=False), min_size=3, max_size=30))
def test_the_share_is_that_of_the_last_window(confidences: list[float]) -> None:
    rate = rate_of(*confidences, window=3)
    assert rate.share() == pytest.approx(sum(value > 0 for value in confidences[-3:]) / 3)
    assert rate.confidence() == pytest.approx(sum(max(0.0, value) for value in confidences[-3:]) / 3)


def test_a_window_has_a_page() -> None:
    with pytest.raises(ValueError, match="at least one"):
        HarvestRate(0)


@pytest.mark.parametrize("written", ["harvest<0.1", " harvest < .1 ", "harvest<0.10"])
def test_a_condition_is_read(written: str) -> None:
    assert until(written) == Until(0.1)


@pytest.mark.parametrize("written", ["harvest>0.1", "harvest<2", "pages<3", "harvest<0.1; x", "harvest<-1", "<0.1"])
def test_what_is_no_condition_is_said(written: str) -> None:
    with pytest.raises(InputError, match="not a valid stop condition"):
        until(written)
    assert until("  ") is None


def test_a_budget_ends_when_the_rate_has_fallen() -> None:
    budget = Budget(until=Until(0.5))
    assert budget.spent(10, 1.0, rate_of(1, 1, -1, -1)) is None
    assert budget.spent(10, 1.0, rate_of(1, -1, -1, -1)) is Stop.HARVEST
    assert budget.spent(10, 1.0, rate_of(-1, -1, -1)) is None
    assert budget.spent(10, 1.0) is None


def test_the_timetable() -> None:
    poor, rich = rate_of(-1, -1, 0.1, -1), rate_of(2, 2, 2, 2)
    assert not Timetable().due(10_000, poor)
    assert Timetable(every=100).due(100, rich)
    assert not Timetable(every=100, below=0.5).due(99, rich)
    assert Timetable(below=0.5).due(4, poor)
    assert not Timetable(below=0.5).due(3, poor)
    assert not Timetable(below=0.5).due(50, rate_of(-1))
