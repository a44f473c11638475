"""Linear models over many spans of a text: what a bag says, and no more memory than a long text may take."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.learn import span_margins
from thresher.learn.span_margins import STRONGEST, SpanMargins

TERMS = ["boat", "car", "sail", "road"]
IDF = np.array([1.0, 2.0, 0.5, 1.5])
WEIGHTS = np.array([[2.0, -1.0, 0.5], [-2.0, 1.0, 0.0], [1.0, 0.0, -0.5], [0.0, 3.0, 1.0]])
BIASES, SLOPES, OFFSETS = np.array([0.1, -0.2, 0.0]), np.array([1.0, 2.0, 50.0]), np.array([0.0, -1.0, 0.5])

texts = st.lists(st.sampled_from([*TERMS, "unknown"]), max_size=30)


def models() -> SpanMargins:
    return SpanMargins(TERMS, IDF, WEIGHTS, BIASES, SLOPES, OFFSETS)


def by_hand(stems: list[str], model: int) -> float:
    known = [TERMS.index(stem) for stem in stems if stem in TERMS]
    length = math.sqrt(sum(IDF[place] ** 2 for place in known))
    margin = sum(IDF[place] * WEIGHTS[place, model] for place in known) / length if length else 0.0
    return float(np.clip(SLOPES[model] * (margin + BIASES[model]) + OFFSETS[model], -STRONGEST, STRONGEST))


@given(texts, st.data())
def test_a_span_has_the_margin_of_its_terms(stems: list[str], data: st.DataObject) -> None:
    ends = st.integers(0, len(stems))
    spans = data.draw(st.lists(st.tuples(ends, ends).map(sorted), min_size=1, max_size=5))
    found = models().log_odds(stems, np.array(spans, np.int64))
    expected = [[by_hand(stems[start:end], model) for model in range(3)] for start, end in spans]
    assert found == pytest.approx(np.array(expected), abs=1e-6)


@pytest.mark.parametrize("at_once", [1, 9, 15])
def test_models_a_few_at_a_time_say_the_same_to_the_last_bit(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    stems = ["boat", "road", "unknown", "sail"]
    spans = np.array([[0, 2], [1, 4], [2, 3]])
    whole = models().log_odds(stems, spans)
    monkeypatch.setattr(span_margins, "AT_ONCE", at_once)
    assert (models().log_odds(stems, spans) == whole).all()
