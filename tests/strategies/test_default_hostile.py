"""The default scorer against pages and classifiers that mean it ill: prices stay numbers, and memory bounded."""

import json
from collections.abc import Mapping, Sequence
from math import inf, isfinite, nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.strategies.following import followed, memo_of
from thresher.documents import read
from thresher.strategies.learned import LearnedScorer
from thresher.strategies.link_evidence import BESIDE, IN_ANCHOR, NARROW, log_odds, token_beside, token_inside
from thresher.text.stems import stems_of
from thresher.types import Judgement, Link, ParsedPage


class Saying:
    """A classifier that says one thing of everything, whatever that is."""

    def __init__(self, probability: float) -> None:
        self.probability = probability

    def relevance(self, bags: Sequence[Mapping[str, int]]) -> list[float]:
        return [self.probability] * len(bags)


class SpansSaying(Saying):
    """The same, for spans and two topics."""

    def subjects(self) -> tuple[str, ...]:
        return ("Boats", "Cars")

    def log_odds(self, stems: Sequence[str], spans: "NDArray[np.int64]") -> "NDArray[np.float64]":
        return np.full((len(spans), 2), self.probability)


def judged(probability: float) -> Judgement:
    return Judgement(topic=None, confidence=probability, probability=probability)


def html(body: str, url: str = "http://a.test/") -> ParsedPage:
    return read(body.encode(), "text/html", url)


odd = st.sampled_from([nan, inf, -inf, 0.0, 1.0, -1.0, 2.0, 0.5, 1e308])


@settings(max_examples=50)
@given(st.lists(odd, min_size=1, max_size=12), st.booleans())
def test_whatever_a_classifier_says_prices_stay_numbers(said: list[float], spans: bool) -> None:
    strategy = LearnedScorer(explore=0.5)
    for number, probability in enumerate(said):
        strategy.consult(SpansSaying(probability) if spans else Saying(probability))
        page = html("<p>See the <a href='/x'>boats</a> and <a href='/y'>cars</a>.", f"http://a.test/{number}")
        for child in followed(strategy, page, judged(probability)):
            assert isfinite(child.priority[0])
            assert None not in memo_of(child).values()
            strategy.observe(child, judged(probability))
    state = json.loads(json.dumps(strategy.state(), allow_nan=False))
    again = LearnedScorer(explore=0.5)
    again.restore(state)
    again.consult(Saying(0.5))
    assert all(isfinite(child.priority[0]) for child in followed(again, html("<a href='/z'>sail</a>")))


def test_a_judgement_that_is_no_probability_teaches_nothing() -> None:
    strategy = LearnedScorer()
    strategy.consult(Saying(0.4))
    (child,) = followed(strategy, html("<a href='/x'>boats</a>"))
    before = strategy.state()
    for probability in (nan, inf, -0.1, 1.1):
        strategy.observe(child, judged(probability))
    assert strategy.state() == before


@pytest.mark.parametrize("probability", [nan, -inf, -1.0, 0.0])
def test_what_cannot_be_said_counts_as_improbable(probability: float) -> None:
    assert log_odds(probability) == log_odds(0.0) < -13


@pytest.mark.parametrize("parameters", [{"hubs": nan}, {"hubs": inf}, {"rate": nan}, {"share": nan}, {"explore": nan}])
def test_parameters_are_numbers(parameters: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must"):
        LearnedScorer(**parameters)  # type: ignore[arg-type]


def test_tokens_are_the_first_stems_of_the_anchor_and_of_the_words_beside_it() -> None:
    text = "one two three four five six anchor words of this very long link seven eight nine ten eleven twelve"
    words = text.split()
    page = ParsedPage(url="", title="", words=words, links=[Link("http://a.test/", "", 6, 7)], language="xx")
    strategy = LearnedScorer()
    strategy.consult(Saying(0.4))
    (link,) = strategy.read(page, judged(0.4))
    tokens = link.tokens
    stems = [stem for each in stems_of(words, "xx") for stem in each]
    half = NARROW // 2
    beside = (stems[6 - half : 6] + stems[13 : 13 + half])[:BESIDE]
    assert tokens == [*map(token_inside, stems[6 : 6 + IN_ANCHOR]), *map(token_beside, beside)]


@pytest.mark.slow
def test_a_link_repeated_ten_thousand_times_and_an_endless_anchor_cost_what_one_page_may() -> None:
    endless = "-".join(["boat"] * 20_000)
    body = f"<p>{endless} <a href='/long'>{'sail ' * 50_000}</a>" + "<a href='/x'></a>" * 10_000
    strategy = LearnedScorer()
    strategy.consult(Saying(0.4))
    page = html(body)
    links = strategy.read(page, judged(0.4))
    assert len(links) == len(page.links) <= 10_000
    assert max(len(link.tokens) for link in links) <= IN_ANCHOR + BESIDE
    before = len(json.dumps(strategy.state()))
    followed(strategy, page, judged(0.4))
    assert len(json.dumps(strategy.state())) < before + 200
