"""Negatives that nobody gave: sources and their order."""

from tests.train.made import page, rejected, row
from thresher.store.memory import MemoryStore
from thresher.store.page_records import DocumentRow
from thresher.store.records import Batch
from thresher.train.negatives import Supply, given, missing, supplied
from thresher.types import Judgement

TOPICS = {"Boats": [page("boat sail wind"), page("boat sail sea")]}


def store_of(*rows: DocumentRow) -> MemoryStore:
    store = MemoryStore()
    store.crawls.start("crawl", "breadth-first", {}, 0.0)
    store.commit(Batch(crawl=1, at=1.0, documents=list(rows)))
    return store


def test_siblings_count_for_half_of_what_is_wanted() -> None:
    topics = {"A": [page(f"a{n}") for n in range(60)], "B": [page(f"b{n}") for n in range(80)], "A/C": [page("c")]}
    supply = given(topics, others=10)
    assert (supply.others, supply.siblings) == (10, 60)
    assert missing(supply, 100) == 40
    assert missing(given({"A": topics["A"]}, others=0), 100) == 100
    assert missing(Supply(others=200, siblings=0), 100) == 0


def test_sources_are_asked_in_their_order_and_only_as_far_as_needed() -> None:
    near = [row(f"http://near.test/{n}", f"tax form{n}") for n in range(4)]
    near += [row(f"http://boats.test/{n}", f"boat sail wind sea{n}") for n in range(4)]
    store = store_of(*(row(f"http://met.test/{n}", f"news{n}", judgement=rejected(-n)) for n in range(3)))
    found = supplied(Supply(0, 0), 10, TOPICS, near, store, taken={"http://met.test/0"})
    assert [page.url for page in found.neighbours] == [f"http://near.test/{n}" for n in range(4)]
    assert [page.url for page in found.rejected] == ["http://met.test/2", "http://met.test/1"]
    assert found.counts() == {"others": 0, "siblings": 0, "neighbours": 4, "rejected": 2, "background": 4}
    few = supplied(Supply(0, 0), 3, TOPICS, near, store, taken=set())
    assert few.counts() == {"others": 0, "siblings": 0, "neighbours": 3, "rejected": 0, "background": 0}


def test_pages_that_must_not_serve_do_not() -> None:
    accepted = Judgement(topic="Boats", confidence=1.0, probability=0.9)
    reserved = row("http://c.test/", "noted")
    near = [
        row("http://a.test/", ""),
        row("http://b.test/", "cake", judgement=accepted),
        type(reserved)(
            **{**{name: getattr(reserved, name) for name in reserved.__struct_fields__}, "opt_outs": ("x",)}
        ),
        row("http://d.test/", "tax form"),
        row("http://e.test/", "tax form"),
        row("http://f.test/", "tea"),
        row("http://g.test/", "boat sail"),
        row("http://h.test/", "boat sail wind"),
    ]
    found = supplied(Supply(0, 0), 50, TOPICS, near, store_of(), taken={"http://f.test/"})
    assert [page.url for page in found.neighbours] == ["http://d.test/"]


def test_the_background_is_the_last_resort_and_leaves_out_what_is_like_a_topic() -> None:
    bread = {"Bread": [page("bread flour yeast dough loaf crust oven knead bake")]}
    found = supplied(Supply(0, 0), 1000, bread, [], store_of(), set())
    assert 70 <= len(found.background) < 84
    assert not any("dough" in text.terms for text in found.background)
