"""Best-first by cosine, and keywords in URLs."""

import math

import pytest

from thresher.errors import PluginError
from thresher.plugins import make_strategy
from thresher.strategies.best_first import BestFirst
from thresher.strategies.url_keywords import UrlKeywords
from thresher.types import Candidate, Link, ParsedPage, Reading

from .following import EmptyView


def page(terms: str, links: int = 1) -> ParsedPage:
    counts = {term: terms.split().count(term) for term in terms.split()}
    found = [Link(f"http://a.test/{n}", "", 0, 0) for n in range(links)]
    return ParsedPage(url="http://a.test/", title="", words=[], links=found, terms=counts)


EXAMPLES: list[tuple[ParsedPage, str | None]] = [
    (page("boat sail wind"), "boats"),
    (page("boat sail sea"), "boats"),
    (page("car road wind"), None),
    (page("car road fuel"), None),
]


def cosine(strategy: BestFirst, terms: str) -> float:
    return strategy.read(page(terms), None)


def test_best_first_is_the_cosine_with_the_centroid() -> None:
    strategy = BestFirst().fit(EXAMPLES)
    # Stems of one example do not count; wind is as common elsewhere, and half as frequent as boat and sail.
    idf = math.log(5 / 3) + 1
    with_wind, without = [idf / math.sqrt(3 * idf**2)] * 3, [idf / math.sqrt(2 * idf**2)] * 2
    centroid = [(with_wind[0] + without[0]) / 2, (with_wind[1] + without[1]) / 2, with_wind[2] / 2]
    length = math.sqrt(sum(value * value for value in centroid))
    assert cosine(strategy, "boat") == pytest.approx(centroid[0] / length)
    assert cosine(strategy, "wind") == pytest.approx(centroid[2] / length)
    assert cosine(strategy, "boat sail wind") == pytest.approx(sum(centroid) / length / math.sqrt(3))
    assert cosine(strategy, "car road") == 0.0
    assert cosine(strategy, "unknown") == 0.0


def test_best_first_may_take_the_nearest_example() -> None:
    strategy = BestFirst(min_pages=1, nearest=True).fit(EXAMPLES)
    assert cosine(strategy, "boat sail sea") == pytest.approx(1.0)
    assert cosine(strategy, "boat sail wind") == pytest.approx(1.0)
    assert 0 < cosine(strategy, "sea") < 1
    assert cosine(strategy, "car road") == 0.0


def test_best_first_needs_pages_of_a_topic() -> None:
    with pytest.raises(PluginError, match="learns from a topic's pages"):
        BestFirst().fit([(page("a b"), None)])
    with pytest.raises(PluginError, match="learns from a topic's pages"):
        BestFirst().read(page("a b"), None)


def priced(strategy: UrlKeywords, *urls: str) -> list[float]:
    reading = Reading(candidate=Candidate(url="http://a.test/", priority=()), links=[Link(u, "", 0, 0) for u in urls])
    return [candidate.priority[0] for candidate in strategy.rank(reading, EmptyView())]


def test_keywords_count_anywhere_in_the_url_and_once() -> None:
    strategy = make_strategy("url-keywords(keywords=boat, Sail)")
    assert isinstance(strategy, UrlKeywords)
    urls = ["http://boats.test/", "http://a.test/SAILboat", "http://a.test/boat/boat/boat", "http://a.test/car"]
    assert priced(strategy, *urls) == [0.5, 1.0, 0.5, 0.0]


def test_keywords_are_learnt_where_none_are_given() -> None:
    assert UrlKeywords(count=2).fit(EXAMPLES).keywords_ == ["boat", "sail"]
    assert UrlKeywords("x").fit(EXAMPLES).keywords_ == ["x"]


def test_without_keywords_it_says_so() -> None:
    with pytest.raises(PluginError, match="no keywords"):
        priced(UrlKeywords(), "http://a.test/")
