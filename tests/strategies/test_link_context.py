"""Scores of links by their contexts."""

from collections.abc import Mapping, Sequence

import pytest

from thresher.documents import read
from thresher.errors import PluginError
from thresher.plugins import make_strategy
from thresher.protocols import Consults
from thresher.types import Judgement, ParsedPage

CONTEXTS = ["page", "window-10", "window-20", "window-40", "tag-tree"]


class Boats:
    """A classifier to whom a text is worth its share of boats."""

    def relevance(self, bags: Sequence[Mapping[str, int]]) -> list[float]:
        return [bag.get("boat", 0) / (sum(bag.values()) or 1) for bag in bags]


def page_with(words_between: int) -> ParsedPage:
    filler = "grass " * words_between
    text = f"<p>{filler}<a href='/b'>boats boats boats</a></p><p>{filler}<a href='/g'>grass green land</a> {filler}</p>"
    return read(text.encode(), "text/html", "http://a.test/")


def scores(name: str, page: ParsedPage, judgement: Judgement | None = None) -> list[float]:
    strategy = make_strategy(name)
    assert isinstance(strategy, Consults)
    strategy.consult(Boats())
    return strategy.read(page, judgement)


def test_all_links_of_a_page_have_its_score() -> None:
    page = page_with(10)
    (share,) = Boats().relevance([page.terms])
    assert scores("page", page) == [share, share]
    judged = Judgement(topic=None, confidence=-0.4, probability=0.3)
    assert scores("page", page, judged) == [0.3, 0.3]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("window-10", [3 / 13, 0.0]),
        ("window-20", [3 / 23, 0.0]),
        ("window-40", [3 / 43, 0.0]),
        ("tag-tree", [1.0, 0.0]),
    ],
)
def test_contexts_tell_links_of_one_page_apart(name: str, expected: list[float]) -> None:
    assert scores(name, page_with(50)) == pytest.approx(expected)


@pytest.mark.parametrize("name", CONTEXTS[1:])
@pytest.mark.parametrize("beta", [None, 0.0, 0.6, 1.0])
def test_combination_is_the_weighted_mean(name: str, beta: float | None) -> None:
    page, judged = page_with(30), Judgement(topic="boats", confidence=0.6, probability=0.8)
    share = 0.25 if beta is None else beta
    combined = f"{name}-combined" if beta is None else f"{name}-combined(beta={beta})"
    expected = [share * 0.8 + (1 - share) * context for context in scores(name, page, judged)]
    assert scores(combined, page, judged) == pytest.approx(expected)


@pytest.mark.parametrize("name", CONTEXTS)
def test_without_a_classifier_it_says_so(name: str) -> None:
    with pytest.raises(PluginError, match="classifier") as caught:
        make_strategy(name).read(page_with(1), None)
    assert "breadth-first" in caught.value.remedy


@pytest.mark.parametrize("spec", ["tag-tree(size=0)", "tag-tree-combined(beta=1.5)", "tag-tree(least=-1)"])
def test_parameters_out_of_bounds_are_refused(spec: str) -> None:
    with pytest.raises(PluginError, match="must be"):
        make_strategy(spec)
