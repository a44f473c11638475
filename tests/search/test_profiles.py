"""Rankings fitted to feedback."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.search.portals import page, portal_of
from thresher.search.profiles import fit, fitted, fitting, likeness, proven, shared_profiles
from thresher.search.rankings import DEFAULT, PARTS
from thresher.search.searcher import Searcher
from thresher.store.clicks import ClickRow
from thresher.store.search_records import SearchFeedback

weights = st.fixed_dictionaries({name: st.floats(-1, 1) for name in PARTS})


def row(query: str, liking: dict[str, float], relevant: str = "", irrelevant: str = "") -> SearchFeedback:
    return SearchFeedback(
        profile="me", query=query, at=0.0, weights=liking, relevant=tuple(relevant), irrelevant=tuple(irrelevant)
    )


@given(st.integers(0, len(PARTS) - 1), st.integers(2, 12), st.randoms(use_true_random=False))
def test_the_part_that_tells_relevant_pages_gains_most(part: int, pages: int, random: object) -> None:
    rng = np.random.default_rng(pages * 100 + part)
    parts = np.full((2 * pages, len(PARTS)), 0.5)
    relevant = np.arange(2 * pages) < pages
    parts[:, part] = np.where(relevant, 0.9, 0.1) + rng.normal(0, 0.01, 2 * pages)
    found = fitted(parts, relevant, DEFAULT)
    scores = parts @ np.array([found[name] for name in PARTS])
    assert scores[relevant].min() > scores[~relevant].max()
    assert max(map(abs, found.values())) == pytest.approx(1.0)
    gains = {name: found[name] - DEFAULT.get(name, 0.0) / max(DEFAULT.values()) for name in PARTS}
    assert max(gains, key=lambda name: gains[name]) == PARTS[part] or PARTS[part] == "text"


def test_one_verdict_changes_little() -> None:
    found = fitted(np.array([[0.5] * len(PARTS)]), np.array([True]), DEFAULT)
    assert found["text"] == max(found.values())


@given(weights, weights)
def test_likeness_is_a_share(one: dict[str, float], other: dict[str, float]) -> None:
    assert 0.0 <= likeness(one, other) <= 1.0
    assert likeness(one, other) == pytest.approx(likeness(other, one))
    assert likeness(one, one) == 1.0


def test_alike_weights_make_one_profile() -> None:
    old, new = {"text": 1.0, "recency": -1.0}, {"text": 1.0, "recency": 1.0}
    rows = [row("a", old, "pq", "r"), row("b", new, "x"), row("c", {**old, "hub": 0.1}, "r", "s")]
    first, second = shared_profiles(rows)
    assert first.queries == ("a", "c")
    assert (first.relevant, first.irrelevant) == ({"p", "q"}, {"s"})
    assert first.weights["hub"] == pytest.approx(0.05)
    assert second.queries == ("b",)


def test_the_profile_that_fits_the_results_is_taken_and_none_where_none_does() -> None:
    first, second = shared_profiles([row("a", {"text": 1.0}, "pq", "r"), row("b", {"text": -1.0}, "r", "p")])
    assert fitting([first, second], ["p", "x", "r"]) == first
    assert fitting([first, second], ["r", "x", "p"]) == second
    assert fitting([first, second], ["x", "y", "z"]) is None
    assert fitting([], ["x"]) is None
    assert fit(first, ["p", "q", "x", "y"]) > fit(first, ["p", "x", "y", "q"])


def test_weights_that_would_not_have_helped_are_not_used() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        parts, relevant = rng.random((10, len(PARTS))), rng.random(10) < 0.5
        kept = proven(parts, relevant, DEFAULT)
        assert kept == DEFAULT or kept == fitted(parts, relevant, DEFAULT)
    same = np.full((6, len(PARTS)), 0.5)
    assert proven(same, np.array([True, False] * 3), DEFAULT) == DEFAULT
    assert proven(rng.random((5, len(PARTS))), np.ones(5, np.bool_), DEFAULT) == DEFAULT


def test_weights_that_help_on_pages_they_were_not_fitted_to_are_used() -> None:
    parts = np.zeros((20, len(PARTS)))
    relevant = np.arange(20) % 2 == 0
    parts[:, PARTS.index("recency")] = np.where(relevant, 0.9, 0.1)
    assert proven(parts, relevant, DEFAULT)["recency"] > 0


def test_what_a_reader_opens_orders_the_further_results(tmp_path: Path) -> None:
    pages = [
        page(f"http://a.test/{n}", "Red boats", f"Boats are red, {n}.", at=1_700_000_000.0 + n % 2 * 400 * 86_400)
        for n in range(24)
    ]
    portal_of(tmp_path, *pages)
    with Searcher(tmp_path, fresh=3600.0) as searcher:
        shown = searcher.search("red boats", number=24, fold=False).results
        new = [(place, result) for place, result in enumerate(shown, 1) if result.found > 1_710_000_000]
        clicks = [
            ClickRow(at=0.0, query="red boats", page=result.id, place=place, seconds=60.0) for place, result in new
        ]
        learned = searcher.learned("red boats", clicks)
        assert learned is not None
        assert learned["recency"] > 0
        assert searcher.learned("red boats", []) is None
        assert searcher.learned("red boats", [replace(clicks[0], page=1)]) is None
