"""Bitmaps of matches have the same pages as the list of matches, whatever happened to the index."""

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.search.portals import add, page, portal_of
from thresher.search import match_bitmaps, page_numbers, word_matches
from thresher.search.columns import Columns
from thresher.search.current_state import CurrentState
from thresher.search.indexer import catch_up, index_lock
from thresher.search.match_bitmaps import NumberedRows
from thresher.search.page_numbers import Numbering, ids_by_number
from thresher.search.parsed import Term, TermKind
from thresher.search.query_parser import parse
from thresher.search.searcher import Searcher
from thresher.search.snapshot import Snapshot
from thresher.search.text_index import TextIndex
from thresher.store.protocol import Store
from thresher.store.repository import open_store

WORDS = ["red", "boat", "sail", "wind"]
QUERIES = [
    "red",
    "boat -sail",
    "wind OR red",
    "boat sail",
    "-red",
    "(wind OR -boat) sail",
    '"red boat"',
    "the boat",
    "re*",
]


@pytest.fixture(autouse=True, params=["added up", "one by one", "at once"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read the matches of words in each way: from sums of bits, one by one, and all words of a query at once."""
    monkeypatch.setattr(match_bitmaps, "WORTH", 1e-9 if request.param == "added up" else 1e9)
    monkeypatch.setattr(word_matches, "FEW", 1_000 if request.param == "at once" else 0)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    portal_of(tmp_path / "p")
    with_store = open_store(tmp_path / "p")
    yield with_store
    with_store.close()


def state(tmp_path: Path, store: Store, before: CurrentState | None = None) -> tuple[CurrentState, Snapshot]:
    kept = before or CurrentState(tmp_path / "p", store, 0.0, lambda _: None)
    return kept, kept.snapshot()


def masks(snapshot: Snapshot, query: str) -> tuple[list[int], list[int]]:
    """Return the ids of the matches by bitmap, and by reading them one by one."""
    root = parse(query).root
    text = snapshot.queries.group(root, scored=False)
    assert snapshot.matches.of(root) is not None
    one_by_one = snapshot.matcher._rows(text.query, max(1, snapshot.searcher.num_docs))
    ids = snapshot.columns["id"]
    return ids[snapshot.matching(root) & snapshot.columns["searchable"]].tolist(), ids[one_by_one].tolist()


def texts(number: int, seed: int = 0) -> list[str]:
    rng = np.random.default_rng(seed)
    return [" ".join(WORDS[place] for place in rng.integers(0, len(WORDS), 2)) for _ in range(number)]


@pytest.mark.slow
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rounds=st.lists(
        st.lists(st.tuples(st.integers(0, 70), st.integers(0, 15), st.booleans()), max_size=30), min_size=1, max_size=4
    )
)
def test_bitmaps_follow_new_changed_and_removed_pages(
    tmp_path_factory: pytest.TempPathFactory, rounds: list[list[tuple[int, int, bool]]]
) -> None:
    tmp_path = tmp_path_factory.mktemp("bits")
    portal_of(tmp_path / "p")
    store = open_store(tmp_path / "p")
    kept: CurrentState | None = None
    choices = texts(16)
    for pages in rounds:
        add(
            store,
            *(
                page(f"http://a.test/{number}", "", choices[text], robots=["noindex"] if gone else [])
                for number, text, gone in {one[0]: one for one in pages}.values()
            ),
        )
        kept, snapshot = state(tmp_path, store, kept)
        for query in QUERIES:
            by_bits, one_by_one = masks(snapshot, query)
            assert by_bits == one_by_one
            text = snapshot.queries.group(parse(query).root)
            assert snapshot.matcher.count(text) <= text.pages
    store.close()


def test_matches_of_words_are_kept_while_pages_change(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(store, *(page(f"http://a.test/{number}", "", text) for number, text in enumerate(texts(60))))
    kept, before = state(tmp_path, store)
    masks(before, "red boat")
    monkeypatch.setattr(NumberedRows, "matching", lambda *_: pytest.fail("read again"))
    for number in range(3):
        add(store, page("http://a.test/3", "", WORDS[number]), page(f"http://a.test/new{number}", "", "red boat"))
        add(store, page("http://a.test/5", "", "red boat", robots=["noindex"] if number == 1 else []))
        kept, after = state(tmp_path, store, kept)
        by_bits, one_by_one = masks(after, "red boat")
        assert by_bits == one_by_one != []
    # Another thread may still search the earlier state.
    monkeypatch.undo()
    by_bits, one_by_one = masks(before, "red boat")
    assert by_bits == one_by_one


def test_a_cache_drops_what_was_not_used_for_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_matches, "REMEMBERED", 25)
    cache = word_matches.MatchCache()
    red, boat, sail = (parse(word).root for word in ("red", "boat", "sail"))
    for part in (red, boat, red, sail):
        cache.get(part)
        cache.put(part, word_matches._Known(np.zeros(10, np.uint8), 1))
    assert [cache.get(part) is not None for part in (red, boat, sail)] == [True, False, True]


def test_a_page_keeps_its_number(tmp_path: Path, store: Store) -> None:
    add(store, *(page(f"http://a.test/{number}", "", text) for number, text in enumerate(texts(60))))
    kept, before = state(tmp_path, store)
    add(store, page("http://a.test/3", "", "entirely new"))
    _, after = state(tmp_path, store, kept)
    assert after.numbered.ids.tolist() == before.numbered.ids.tolist()
    by_bits, one_by_one = masks(after, "entirely")
    assert by_bits == one_by_one != []


def test_numbers_of_a_killed_process_are_not_used_twice(tmp_path: Path, store: Store) -> None:
    add(store, *(page(f"http://a.test/{number}", "", text) for number, text in enumerate(texts(10))))
    _, first = state(tmp_path, store)
    folder = next((tmp_path / "p" / "index").glob("text-*"))
    numbering = Numbering(folder)
    numbering.number(5)
    numbering.save()
    with (folder / page_numbers.FILE).open("ab") as file:
        file.write(b"abc")
    add(store, page("http://a.test/new", "", "red"))
    _, after = state(tmp_path, store)
    assert len(after.numbered.ids) == len(first.numbered.ids) + 2
    for word in WORDS:
        by_bits, one_by_one = masks(after, word)
        assert by_bits == one_by_one


def test_an_index_without_its_numbers_is_rebuilt(tmp_path: Path, store: Store) -> None:
    add(store, *(page(f"http://a.test/{number}", "", text) for number, text in enumerate(texts(60))))
    state(tmp_path, store)
    folder = next((tmp_path / "p" / "index").glob("text-*"))
    os.truncate(folder / page_numbers.FILE, 80)
    with index_lock(tmp_path / "p") as mine:
        assert mine
        assert catch_up(tmp_path / "p", store).built
    _, snapshot = state(tmp_path, store)
    assert len(snapshot.numbered.ids) == 60
    by_bits, one_by_one = masks(snapshot, "red")
    assert by_bits == one_by_one != []


def test_without_numbers_matches_are_read_one_by_one(tmp_path: Path, store: Store) -> None:
    add(store, *(page(f"http://a.test/{number}", "", "red") for number in range(60)))
    _, whole = state(tmp_path, store)
    for ids in (whole.numbered.ids[:10], whole.numbered.ids[:49]):
        numbered = NumberedRows(ids, whole.columns)
        snapshot = Snapshot(whole.searcher, whole.schema, whole.columns, numbered)
        text = snapshot.queries.group(parse("red").root)
        assert numbered.matching(whole.searcher, text.query, text.pages) is None
        assert snapshot.matching(parse("red").root).sum() == 60


def test_the_rows_of_an_earlier_state_lead_to_the_same_rows(tmp_path: Path, store: Store) -> None:
    kept: CurrentState | None = None
    for number in range(3):
        add(store, *(page(f"http://a{number}.test/{place}", "", "red") for place in range(20)))
        kept, snapshot = state(tmp_path, store, kept)
        afresh = NumberedRows(snapshot.numbered.ids, snapshot.columns)
        # The second state is never asked for its rows.
        if number != 1:
            assert snapshot.numbered.rows.tolist() == afresh.rows.tolist()
    # Columns that do not know a page yet.
    ids = np.append(snapshot.numbered.ids, np.int64(12345))
    ahead = NumberedRows(ids, snapshot.columns, snapshot.numbered)
    assert ahead.rows.tolist() == [*snapshot.numbered.rows.tolist(), -1]


def test_an_empty_index_has_no_blocks(tmp_path: Path) -> None:
    numbered = NumberedRows(ids_by_number(tmp_path), Columns())
    assert not numbered.pay(10)
    index = TextIndex(tmp_path / "text-1", create=True)
    assert ids_by_number(index.folder).tolist() == []


def test_matches_of_frequent_words_are_read_in_advance(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(word_matches, "FEW", 20)
    texts = ["the red boat"] * 30 + ["the wind"] * 10
    add(store, *(page(f"http://a.test/{number}", "", text, language="en") for number, text in enumerate(texts)))
    with Searcher(tmp_path / "p") as searcher:
        searcher.prepare()
        matches = searcher._state.snapshot().matches
        assert sorted(matches.frequent_words()) == ["boat", "red", "the"]
        known = [matches._is_known(Term(TermKind.WORD, word)) for word in ("red", "boat", "wind", "the")]
        assert known == [True, True, False, False]
        monkeypatch.setattr(NumberedRows, "matching", lambda *_: pytest.fail("read again"))
        assert searcher.search("red boat", facets=True).total == 30
