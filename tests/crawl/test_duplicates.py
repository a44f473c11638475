"""Duplicates in a crawl: equal texts are stored once, near ones are noted, and a kill changes nothing of that."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.crawl.scripted import Bench, seeds
from tests.store.rows import OTHER, THIRD, URL, document
from thresher.crawl.arrivals import Handler
from thresher.crawl.clock import run_virtual
from thresher.crawl.duplicates import KnownTexts, NearDuplicates, Original, canonical_row, similarity
from thresher.crawl.keeping import Keeper
from thresher.reasons import Reason
from thresher.simulate import simulate
from thresher.simweb.pages import PageKind
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web
from thresher.store.explain import explain
from thresher.store.explanation_data import explanation_data
from thresher.store.memory import MemoryStore
from thresher.store.page_records import DuplicateKind
from thresher.store.protocol import Store
from thresher.store.records import Batch, Progress
from thresher.store.repository import open_store
from thresher.text.simhash import simhash
from thresher.types import Link
from thresher.web.urls import url_id

A, B, C, D = (f"http://{name}.test/" for name in "abcd")
TERMS = {f"stem{number}": 1 + number % 3 for number in range(60)}


def crawl(script: dict[str, list[str]], *start: str, drop: bool = True, store: Store | None = None) -> Bench:
    bench = Bench(script, store=store or MemoryStore())

    async def to_the_end() -> None:
        handler = Handler(keeper=Keeper(texts=KnownTexts(bench.store), drop_duplicates=drop))
        await bench.engine(handler=handler).run(seeds(*start))

    run_virtual(to_the_end())
    return bench


def stored(store: Store) -> set[str]:
    return set(store.documents.urls())


def test_an_equal_text_is_not_stored_again_but_its_links_are_followed() -> None:
    done = crawl({A: ["=same", B], B: ["=same", C], C: ["=other"]}, A)
    assert stored(done.store) == {A, C}
    row = done.store.duplicates.of(url_id(B))[0]
    assert (row.kind, row.original_url) == (DuplicateKind.DIGEST, A)
    visit = done.store.documents.visits(url_id(B))[-1]
    assert (visit.outcome, visit.reason) == ("fetched", Reason.DUPLICATE)
    assert done.reason(B) == ("done", None)
    found = done.store.crawls.get()
    assert found is not None
    assert (found.progress.pages, found.progress.duplicates, found.progress.errors) == (2, 1, {})


def test_pages_without_words_are_no_duplicates() -> None:
    done = crawl({A: [B], B: [C], C: []}, A)
    assert stored(done.store) == {A, B, C}


def test_duplicates_are_kept_where_the_settings_say_so() -> None:
    done = crawl({A: ["=same", B], B: ["=same"]}, A, drop=False)
    assert stored(done.store) == {A, B}
    assert done.store.duplicates.of(url_id(B)) == []


def test_a_page_that_asks_not_to_be_kept_is_nobodys_original() -> None:
    done = crawl({A: ["@noindex", "=same", B], B: ["=same"]}, A)
    assert stored(done.store) == {B}
    assert done.store.duplicates.of(url_id(B)) == []


def test_a_later_crawl_knows_the_texts_of_the_earlier_one(tmp_path: Path) -> None:
    store = open_store(tmp_path, create=True)
    crawl({A: ["=same"]}, A, store=store)
    store.close()
    store = open_store(tmp_path)
    store.crawls.start("crawl", "test", {}, 1.0)
    script = {A: ["=same", B], B: ["=same"]}
    crawl(script, A, store=store)
    assert stored(store) == {A}
    assert store.duplicates.of(url_id(B))[0].original_url == A
    store.close()


def test_a_stored_page_that_comes_to_repeat_another_is_brought_up_to_date() -> None:
    store = MemoryStore()
    crawl({A: ["=one", B], B: ["=two"]}, A, store=store)
    store.crawls.start("crawl", "test", {}, 1.0)
    crawl({A: ["=one", B], B: ["=one"]}, A, store=store)
    found = store.documents.document(url_id(B))
    assert found is not None
    assert found.digest == b"one"
    assert store.duplicates.of(url_id(B))[0].original_url == A
    store.crawls.start("crawl", "test", {}, 2.0)
    crawl({A: ["=one", B], B: ["=three"]}, A, store=store)
    assert store.duplicates.of(url_id(B)) == []


def test_explain_names_the_original() -> None:
    done = crawl({A: ["=same", B], B: ["=same"]}, A)
    told = explain(done.store, B)
    assert told is not None
    assert told.document is None
    data = explanation_data(told)
    assert data["duplicate_of"] == [{"url": A, "kind": "digest", "distance": 0, "similarity": 1.0}]
    assert data["visits"][-1]["reason"] == "duplicate"


def test_memory_of_texts_is_bounded_and_the_store_remembers_the_rest() -> None:
    store = MemoryStore()
    number = store.crawls.start("crawl", "test", {}, 1.0).id
    texts = KnownTexts(store, room=3)
    for n in range(20):
        url = f"http://a.test/{n}"
        store.commit(Batch(crawl=number, at=1.0, documents=[document(url, digest=b"%d" % n)]))
        texts.store(b"%d" % n, Original(url_id(url), url))
        texts.pass_over(b"x%d" % n)
    assert max(len(texts._recent), len(texts._unstored)) <= 3
    assert texts.original(b"0", 1) == Original(url_id("http://a.test/0"), "http://a.test/0")
    assert texts.original(b"0", url_id("http://a.test/0")) is None
    assert texts.original(b"", 1) is None


def test_a_near_duplicate_is_noted_across_batches_and_inside_one() -> None:
    store = MemoryStore()
    number = store.crawls.start("crawl", "test", {}, 1.0).id
    near = NearDuplicates(store)
    changed = {**TERMS, "new": 1}
    first, second, third = (document(url, terms=TERMS, simhash=simhash(TERMS)) for url in (URL, OTHER, THIRD))
    batch = Batch(crawl=number, at=1.0, documents=[first, second])
    near.note(batch)
    near.note(batch)
    assert [(row.url, row.original_url, row.distance) for row in batch.duplicates] == [(OTHER, URL, 0)]
    store.commit(batch)
    third = document(THIRD, terms=changed, simhash=simhash(TERMS) ^ 0b101)
    batch = Batch(crawl=number, at=2.0, documents=[third])
    near.note(batch)
    assert [(row.original_url, row.kind, row.distance) for row in batch.duplicates] == [(URL, DuplicateKind.NEAR, 2)]
    assert batch.duplicates[0].similarity == pytest.approx(similarity(TERMS, changed))


@pytest.mark.parametrize(
    ("terms", "bits"),
    [(TERMS, 0b1111), ({"boat": 3, "sail": 2}, 0), ({f"other{n}": 2 for n in range(60)}, 0)],
    ids=["too-far", "too-short", "other-words"],
)
def test_what_is_not_near_is_not_noted(terms: dict[str, int], bits: int) -> None:
    store = MemoryStore()
    number = store.crawls.start("crawl", "test", {}, 1.0).id
    store.commit(Batch(crawl=number, at=1.0, documents=[document(terms=TERMS, simhash=simhash(TERMS))]))
    batch = Batch(crawl=number, at=2.0, documents=[document(OTHER, terms=terms, simhash=simhash(TERMS) ^ bits)])
    NearDuplicates(store).note(batch)
    assert batch.duplicates == []


def test_a_page_checked_again_is_not_its_own_near_duplicate() -> None:
    store = MemoryStore()
    number = store.crawls.start("crawl", "test", {}, 1.0).id
    page = document(terms=TERMS, simhash=simhash(TERMS))
    store.commit(Batch(crawl=number, at=1.0, documents=[page]))
    batch = Batch(crawl=number, at=2.0, documents=[page])
    NearDuplicates(store).note(batch)
    assert batch.duplicates == []


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("http://www.a.test/real", "http://www.a.test/real"),
        ("http://a.test/1", None),
        ("http://elsewhere.test/", None),
    ],
    ids=["same-domain", "itself", "another-domain"],
)
def test_a_canonical_address_is_a_hint_inside_the_domain(target: str, expected: str | None) -> None:
    found = canonical_row(1, "http://a.test/1", [Link(target, "", 0, 0, (), ("canonical",), "link")])
    assert (found.original_url if found else None) == expected


def test_an_anchor_cannot_name_a_canonical_address() -> None:
    assert canonical_row(1, "http://a.test/1", [Link("http://a.test/2", "", 0, 0, (), ("canonical",), "a")]) is None


counts = st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 9))


@given(counts, counts)
def test_similarity_is_symmetric_and_one_only_for_equal_texts(one: dict[str, int], other: dict[str, int]) -> None:
    found = similarity(one, other)
    assert found == similarity(other, one)
    assert 0.0 <= found <= 1.0
    assert (found == 1.0) == (one == other and bool(one))


class Killed(Exception):
    pass


def consistent(store: Store) -> None:
    """No text is stored twice, and every duplicate has a stored original with its text."""
    pages = [page for url in store.documents.urls() if (page := store.documents.document(url_id(url))) is not None]
    digests = Counter(page.digest for page in pages if page.digest)
    assert max(digests.values()) == 1
    for page, original in store.duplicates.pairs(DuplicateKind.DIGEST):
        found = store.documents.document(original)
        assert found is not None
        assert store.documents.visits(page)[-1].digest == found.digest
        assert store.documents.document(page) is None


@pytest.mark.slow
def test_a_crawl_that_is_killed_and_goes_on_stores_no_text_twice(tmp_path: Path) -> None:
    web = Web(WebParameters(pages=500, hosts=20, seed=3))
    store = open_store(tmp_path, create=True)

    def kill(progress: Progress) -> None:
        if progress.pages >= 150:
            raise Killed

    with pytest.raises(Killed):
        simulate(web, store=store, on_progress=kill)
    store.close()
    store = open_store(tmp_path)
    done = simulate(web, store=store, crawl=store.crawls.get())
    assert done.progress.stopped_because == "empty"
    assert done.progress.duplicates > 0
    consistent(store)
    store.close()


@pytest.mark.slow
def test_the_near_duplicates_of_a_generated_web_are_found() -> None:
    web = Web(WebParameters(pages=1500, hosts=30, seed=4))
    done = simulate(web)
    consistent(done.store)
    found = dict(done.store.duplicates.pairs(DuplicateKind.NEAR))
    copies = {
        url_id(web.urls[page]): url_id(web.urls[int(web.pages.original[page])])
        for page in range(len(web.urls))
        if web.pages.kind_of(page) is PageKind.NEAR_DUPLICATE and web.urls[page] in stored(done.store)
    }
    noted = {frozenset(pair) for pair in found.items()}
    assert sum(frozenset(pair) in noted for pair in copies.items()) >= 0.6 * len(copies)
    assert len(found) <= 1.5 * len(copies)
