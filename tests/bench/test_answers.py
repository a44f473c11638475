"""The simulated person: how often they are wrong or unsure, and what is counted."""

import pytest

from tests.store.rows import document
from thresher.bench.answers import Person, _answer, _figures, measure
from thresher.bench.running import prepare
from thresher.bench.webs.catalogue import find
from thresher.store.memory import MemoryStore
from thresher.store.records import Batch
from thresher.types import Judgement


def filled() -> tuple[MemoryStore, dict[str, str | None]]:
    store = MemoryStore()
    crawl = store.crawls.start("harvest", "default", {}, at=0.0).id
    truth = {f"http://h{n % 7}.test/{n}": ("Tea" if n % 2 else None) for n in range(60)}
    judged = Judgement(topic="Tea", confidence=0.1, probability=0.5)
    store.commit(Batch(crawl=crawl, at=1.0, documents=[document(url, judgement=judged) for url in truth]))
    return store, truth


def test_a_person_answers_as_often_as_asked_and_by_the_truth() -> None:
    store, truth = filled()
    asked = _answer(store, truth, ["Tea", "Boats"], Person(20), seed=1)
    assert len(asked) == 20
    assert set(store.decisions.settled()) == asked
    assert all(row.topic == truth[row.url] for row in store.decisions.all())


def test_some_answers_are_wrong_and_no_page_is_asked_about_twice() -> None:
    store, truth = filled()
    asked = _answer(store, truth, ["Tea", "Boats"], Person(40, wrong=0.5, unsure=0.2), seed=1)
    wrong = [row for row in store.decisions.all() if row.topic != truth[row.url]]
    assert 10 <= len(wrong) <= 30
    assert len(asked) == store.decisions.count()
    assert len(_answer(MemoryStore(), {}, ["Tea"], Person(5), seed=1)) == 0


def test_precision_and_recall_are_those_of_the_stored_pages() -> None:
    rows: list[tuple[int, str | None, str | None]] = [
        (1, "Tea", "Tea"),
        (2, "Tea", None),
        (3, None, "Tea"),
        (4, None, None),
    ]
    assert _figures(rows, "Tea") == (0.5, 0.5)
    assert _figures(rows, "Boats") == (None, None)


@pytest.mark.slow
def test_answers_make_the_stored_pages_better_in_a_whole_run() -> None:
    name = "generated(pages=1500)"
    web, pages = find(name, None), prepare(name, None)
    topics = web.named([])[:2]
    plain = measure(web, pages, topics, 0, Person(0), 60)
    told = measure(web, pages, topics, 0, Person(15, unsure=0.0), 60)
    assert [row.answers for row in plain] == [0, 0]
    assert all(row.answers > 5 for row in told)
    assert sum(row.precision or 0 for row in told) >= sum(row.precision or 0 for row in plain)
