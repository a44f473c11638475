"""The best pages of a weighted sum are those that a look at all pages finds."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.search.portals import add, judged, page, portal_of
from thresher.search import rankings, top_pages
from thresher.search.columns import follow
from thresher.search.current_state import CurrentState
from thresher.search.match_bitmaps import NumberedRows
from thresher.search.query_parser import parse
from thresher.search.searcher import Searcher
from thresher.search.snapshot import Snapshot
from thresher.store.repository import open_store
from thresher.web.urls import url_id

WORDS = ["red", "boat", "sail", "wind", "sea"]
PAGES = 240


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    rng = np.random.default_rng(5)
    pages = []
    for number in range(PAGES):
        chosen = [WORDS[place] for place in rng.integers(0, len(WORDS), rng.integers(1, 30))]
        text = " ".join([*chosen, *(f"filler{word}" for word in rng.integers(0, 50, 20))])
        judgement = judged("Boats", float(rng.integers(0, 4)))
        pages.append(page(f"http://a.test/{number}", "", text, judgement=judgement))
    folder = portal_of(tmp_path_factory.mktemp("top"), *pages)
    with Searcher(folder) as searcher:
        yield searcher._state.snapshot()


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the threshold algorithm run on a small portal."""
    monkeypatch.setattr(top_pages, "FIRST", 4)
    monkeypatch.setattr(top_pages, "_FEW", 4)
    monkeypatch.setattr(top_pages, "FEW_ALLOWED", 50)
    monkeypatch.setattr(top_pages, "BATCH", 3)
    monkeypatch.setattr(rankings, "LEADERS", 100)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=3, unique=True),
    together=st.sampled_from([" ", " OR "]),
    weight=st.sampled_from([0.0, 0.1, 1.0, 5.0, -1.0]),
    confidence=st.sampled_from([0.0, 0.2, 1.0, 3.0, -1.0]),
    k=st.integers(1, 30),
    passing=st.integers(1, 6),
)
def test_the_threshold_algorithm_is_exact(
    snapshot: Snapshot, words: list[str], together: str, weight: float, confidence: float, k: int, passing: int
) -> None:
    text = snapshot.queries.group(parse(together.join(words)).root)
    allowed = np.arange(len(snapshot.columns)) % passing == 0
    static = snapshot.parts.sum({"confidence": confidence})
    rows, parts = snapshot.matcher.all(text, allowed)
    scores = weight * parts + static.values[rows]
    order = np.lexsort((snapshot.columns["id"][rows], -scores))[:k]
    found = snapshot.matcher.best(text, allowed, static, weight, k)
    assert found.rows.tolist() == rows[order].tolist()
    assert found.scores.tolist() == scores[order].tolist()


def test_most_pages_are_never_looked_at(snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch) -> None:
    text = snapshot.queries.group(parse("red").root)
    allowed = np.ones(len(snapshot.columns), np.bool_)
    read: list[int] = []
    plain = top_pages.Matcher._resolved

    def counting(self: top_pages.Matcher, hits: list[object], *others: object) -> object:
        read.append(len(hits))
        return plain(self, hits, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(top_pages.Matcher, "_resolved", counting)
    found = snapshot.matcher.best(text, allowed, snapshot.parts.sum({"confidence": 0.01}), 1.0, 1)
    assert sum(read) < snapshot.matcher.count(text)
    assert found.every is None


def test_the_score_of_a_page_does_not_depend_on_the_others_that_are_found(tmp_path: Path, snapshot: Snapshot) -> None:
    text = snapshot.queries.group(parse("red").root)
    everything = np.ones(len(snapshot.columns), np.bool_)
    rows, parts = snapshot.matcher.all(text, everything)
    half = everything.copy()
    half[rows[::2]] = False
    others, less = snapshot.matcher.all(text, half)
    known = dict(zip(rows.tolist(), parts.tolist(), strict=True))
    assert [known[row] for row in others.tolist()] == less.tolist()
    assert 0.0 < parts.min() <= parts.max() <= 1.0


@pytest.mark.parametrize("query", ["red", "boat sea", "red OR wind", "nowhere", "filler1 -red"])
def test_all_matches_are_given_however_many_there_are(snapshot: Snapshot, query: str) -> None:
    text = snapshot.queries.group(parse(query).root)
    everything = np.ones(len(snapshot.columns), np.bool_)
    rows, _ = snapshot.matcher.all(text, everything)
    assert np.flatnonzero(snapshot.matching(parse(query).root)).tolist() == sorted(rows.tolist())
    assert snapshot.matcher.count(text) == len(rows)


def test_a_word_that_most_pages_have_finds_no_page_that_is_not_indexed_yet(tmp_path: Path) -> None:
    texts = ["red boats"] * 8 + ["blue boats"] * 2
    portal = portal_of(tmp_path / "p", *(page(f"http://a.test/{n}", "", text) for n, text in enumerate(texts)))
    with closing(open_store(portal)) as store:
        before = CurrentState(portal, store, 3600.0, lambda _: None).snapshot()
        red = parse("red").root
        assert before.matching(red).sum() == 8
        add(store, page("http://a.test/new", "", "red boats"), page("http://a.test/0", "", "red", robots=["noindex"]))
        columns = follow(before.columns, store)
        numbered = NumberedRows(before.numbered.ids, columns, before.numbered)
        behind = Snapshot(before.searcher, before.schema, columns, numbered)
        found = behind.columns["id"][behind.matching(red)].tolist()
        assert url_id("http://a.test/new") not in found
        after = CurrentState(portal, store, 3600.0, lambda _: None).snapshot()
        assert after.matching(red).sum() == 8


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values=st.lists(st.sampled_from([-1.0, 0.0, 0.1, 0.5, 2.0]), max_size=150), value=st.floats(-2.0, 3.0))
def test_pages_with_at_least_a_sum_are_all_given_or_none_is(values: list[float], value: float) -> None:
    found = rankings.StaticSum(np.array(values)).at_least(value)
    expected = [row for row, own in enumerate(values) if own >= value]
    if found is None:
        assert len(values) > rankings.LEADERS <= len(expected) + values.count(min(sorted(values)[-rankings.LEADERS :]))
    else:
        assert sorted(found.tolist()) == expected
