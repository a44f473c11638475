"""The bench of searching measures what it says."""

from pathlib import Path

import pytest

from thresher.bench.search.feedback import precision_by_position
from thresher.bench.search.latency import WAYS, build, measure
from thresher.bench.search.made_portal import made_pages, queries, word
from thresher.bench.search.quality import Question, Task, value_of
from thresher.search.searcher import Searcher


def test_words_are_different_and_queries_have_as_many_as_they_should() -> None:
    assert len({word(number) for number in range(20_000)}) == 20_000
    assert {len(set(query.split())) for query in queries(20, 6)} == {6}
    (block,) = made_pages(10)
    assert [page.url for page in block] == [page.url for page in next(made_pages(10))]


def test_searches_are_timed_beside_the_peer_and_while_pages_are_written(tmp_path: Path) -> None:
    cost = build(tmp_path, 200)
    assert cost.pages_per_second > 0
    assert cost.bytes_per_page > 0
    runs = measure(tmp_path, 200, 4, words=(1,), clients=(1, 2))
    assert [(run.clients, run.ranking, run.during_crawl) for run in runs] == [
        *((clients, way, False) for clients in (1, 2) for way in WAYS),
        (1, "combined", True),
    ]
    assert all(0 < run.p50_ms <= run.p95_ms for run in runs)
    with Searcher(tmp_path / "portal") as searcher:
        assert searcher.search("topic:any").total >= 200


def test_known_items_count_by_rank_and_topics_by_share() -> None:
    known = Task("title", [Question("q", frozenset("b")), Question("r", frozenset("z"))], known=True)
    assert value_of(known, lambda _: ["a", "b"]) == pytest.approx(0.25)
    topic = Task("topic", [Question("q", frozenset("ab"))], known=False)
    assert value_of(topic, lambda _: ["a", "x", "b"]) == pytest.approx(0.2)
    assert precision_by_position([True, False]) > precision_by_position([False, True])
