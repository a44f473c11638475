"""The words for confidence are held to the calibrated probability."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.portal.messages import messages_in
from thresher.portal.wording import DAY, Wording, sureness

EXPECTED = {"very": (0.95, 1.01), "sure": (0.80, 0.95), "fairly": (0.60, 0.80), "doubtful": (0.0, 0.60)}


@given(st.floats(0, 1))
def test_the_word_follows_from_the_probability(probability: float) -> None:
    found = sureness(probability)
    assert found is not None
    low, high = EXPECTED[found.name]
    assert low <= probability < high


def test_without_a_probability_there_is_no_word() -> None:
    assert sureness(math.nan) is None


@pytest.mark.parametrize(("language", "word"), [("en", "very sure"), ("de", "sehr sicher")])
def test_the_words_are_those_of_the_design(language: str, word: str) -> None:
    found = sureness(0.96)
    assert found is not None
    assert messages_in(language).say(f"sure.{found.name}") == word


def test_days_are_told_as_people_do() -> None:
    now = 1_800_000_000.0
    wording = Wording(messages_in("en"), now)
    assert wording.ago(now) == "today"
    assert wording.ago(now - DAY) == "yesterday"
    assert wording.ago(now - 3 * DAY) == "3 days ago"
    assert wording.ago(now - 30 * DAY).startswith("on ")


def test_unknown_languages_and_kinds_are_shown_as_they_are() -> None:
    wording = Wording(messages_in("de"), 0.0)
    assert wording.language("en") == "Englisch"
    assert wording.language("<b>") == "<b>"
    assert wording.kind("application/pdf") == "PDF"
    assert wording.kind("x/y") == "x/y"
    assert wording.signed(-0.5) == "−0,50"
