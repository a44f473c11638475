"""The bench of searching measures what it says."""

from contextlib import closing
from pathlib import Path

import pytest

from thresher.bench.rivals.fts5_search import AS_WRITTEN, PORTER, FullTextTable
from thresher.bench.search import latency
from thresher.bench.search.feedback import precision_by_position
from thresher.bench.search.indexed_crawl import index_share
from thresher.bench.search.latency import WAYS, build, measure
from thresher.bench.search.made_portal import fill, made_pages, queries, word
from thresher.bench.search.quality import Question, SearchTask, page_texts, plain_words_of, value_of
from thresher.search.current_state import CurrentState
from thresher.search.searcher import Searcher
from thresher.store.repository import open_store


def test_words_are_different_and_queries_have_as_many_as_they_should() -> None:
    assert len({word(number) for number in range(20_000)}) == 20_000
    assert {len(set(query.split())) for query in queries(20, 6)} == {6}
    (block,) = made_pages(10)
    assert [page.url for page in block] == [page.url for page in next(made_pages(10))]


@pytest.mark.slow
def test_searches_are_timed_beside_the_peer_and_while_pages_are_written(tmp_path: Path) -> None:
    cost = build(tmp_path, 200)
    assert cost.pages_per_second > 0
    assert cost.bytes_per_page > 0
    runs = measure(tmp_path, 200, 4, words=(1,), clients=(1, 2))
    assert [(run.clients, run.ranking, run.during_crawl) for run in runs] == [
        *((clients, way, False) for clients in (1, 2) for way in WAYS[:-1]),
        (1, "combined", True),
    ]
    assert all(0 < run.p50_ms <= run.p95_ms for run in runs)
    assert all(run.cpu_ms > 0 for run in runs)
    with Searcher(tmp_path / "portal") as searcher:
        assert searcher.search("topic:any").total >= 200


@pytest.mark.slow
def test_an_interrupted_build_continues_and_ends_as_a_whole_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(latency, "_AT_ONCE", 60)

    def interrupt(_: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(tmp_path, 150, interrupt)
    told: list[str] = []
    cost = build(tmp_path, 150, told.append)
    assert cost.documents == 150
    assert told[:2] == ["120 of 150 pages", "150 of 150 pages"]
    assert build(tmp_path, 150, interrupt) == cost
    assert FullTextTable(tmp_path / "fts5.db").size() == 150
    with Searcher(tmp_path / "portal") as searcher:
        assert searcher.search("topic:any").total == 150
        made = next(made_pages(150, first=120))[20]
        assert made.url in [page.url for page in searcher.every(f'"{made.title}" topic:any')]


def test_known_items_count_by_rank_and_topics_by_share() -> None:
    known = SearchTask("title", [Question("q", frozenset("b")), Question("r", frozenset("z"))], known=True)
    assert value_of(known, lambda _: ["a", "b"]) == pytest.approx(0.25)
    topic = SearchTask("topic", [Question("q", frozenset("ab"))], known=False)
    assert value_of(topic, lambda _: ["a", "x", "b"]) == pytest.approx(0.2)
    assert precision_by_position([True, False]) > precision_by_position([False, True])


def test_the_peer_is_asked_the_same_words_over_the_same_pages(tmp_path: Path) -> None:
    fill(tmp_path / "portal", 30)
    with closing(open_store(tmp_path / "portal", read_only=True)) as store:
        snapshot = CurrentState(tmp_path / "portal", store, 3600.0, lambda _: None).snapshot()
        written = [page for block in page_texts(snapshot, store) for page in block]
    (made,) = made_pages(30)
    assert sorted(written) == sorted((page.url, page.title, page.text) for page in made)
    assert plain_words_of('solar "thin film" -lunar (wind OR cells) topic:any site:x.org') == "solar wind cells"


@pytest.mark.parametrize(("tokens", "found"), [(AS_WRITTEN, ["b"]), (PORTER, ["a", "b"])])
def test_the_peer_wants_all_words_by_their_stems_where_told_so(tmp_path: Path, tokens: str, found: list[str]) -> None:
    table = FullTextTable(tmp_path / "fts5.db", tokens)
    table.fill([[("a", "Solar cell", "A cell."), ("b", "Solar", "Cells!")], [("c", "", "cells")]])
    assert sorted(table.search("solar CELLS", 10)) == found
    assert table.search('" OR', 10) == []
    assert table.search("", 10) == []


@pytest.mark.slow
def test_a_crawl_with_an_index_is_held_against_one_without() -> None:
    told: list[str] = []
    share = index_share(40, 1, told.append)
    assert share.pages == 40
    assert share.cpu_ms > 0 < share.cpu_ms_without
    assert told == ["Crawl 1 of 1, with an index", "Crawl 1 of 1, without an index"]
