"""What a strategy may ask about the pages at hand: the same whether they are written, being written or journalled."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.crawl.scripted import Bench, seeds
from tests.store.rows import document, link, url_row
from thresher.crawl.clock import run_virtual
from thresher.crawl.view import CrawlPages
from thresher.protocols import KnownPages, View
from thresher.store.memory import MemoryStore
from thresher.store.page_records import DocumentRow
from thresher.store.protocol import Store
from thresher.store.records import Batch, CrawlKind
from thresher.store.repository import open_store
from thresher.types import Candidate, Judgement, Reading
from thresher.web.urls import url_id

URLS = [f"http://{name}.test/" for name in "abcdef"]
A, B, C, D, *_ = URLS


def judged(topic: str) -> Judgement:
    return Judgement(topic=topic, confidence=0.5, probability=0.75)


def everything(known: KnownPages) -> dict[str, Any]:
    """Return all that can be asked."""
    return {
        "urls": list(known.urls()),
        "judgements": known.judgements(URLS),
        "terms": known.terms(URLS),
        "outlinks": known.outlinks(URLS),
        "inlinks": [known.inlinks(URLS, most) for most in (1, 2, 100)],
    }


class ViewContract:
    """Over any store, whatever part of the batches is not committed."""

    def known(self, store: Store, batches: list[Batch], committed: int) -> CrawlPages:
        for batch in batches[:committed]:
            store.commit(batch)
        return CrawlPages(store, lambda: batches[committed:])

    @pytest.mark.parametrize("committed", [0, 1, 2, 3])
    def test_unwritten_pages_count_like_written_ones(self, store: Store, crawl: int, committed: int) -> None:
        batches = [
            Batch(
                crawl=crawl,
                at=1.0,
                urls=[url_row(C)],
                documents=[
                    document(A, terms={"old": 1}, links=[link(C), link(B), link(C)], judgement=judged("x")),
                    document(B, terms={"b": 2}, links=[link(C)]),
                ],
            ),
            Batch(crawl=crawl, at=2.0, documents=[document(A, terms={"new": 3}, links=[link(D)])]),
            Batch(crawl=crawl, at=3.0, documents=[document(D, links=[link(C)])], judgements={url_id(B): judged("y")}),
        ]
        known = self.known(store, batches, committed)
        assert list(known.urls()) == [A, D, B]
        assert known.judgements(URLS) == {A: judged("x"), B: judged("y")}
        assert known.terms([A, B, C]) == {A: {"new": 3}, B: {"b": 2}}
        assert known.outlinks([B, A, C]) == {A: [D], B: [C]}
        linking = sorted([B, D], key=url_id)
        assert known.inlinks([C, D, A]) == {C: linking, D: [A], A: []}
        assert known.inlinks([C], most=1) == {C: linking[:1]}

    def test_a_batch_that_grows_is_looked_at_again(self, store: Store, crawl: int) -> None:
        batch = Batch(crawl=crawl, at=1.0)
        known = CrawlPages(store, lambda: [batch])
        assert known.terms([A]) == {}
        batch.documents.append(document(A, terms={"a": 1}, links=[link(B)]))
        assert known.terms([A]) == {A: {"a": 1}}
        assert known.inlinks([B]) == {B: [A]}
        batch.documents.append(document(A, terms={"a": 2}, links=[link(C)]))
        assert (known.terms([A]), known.inlinks([B, C])) == ({A: {"a": 2}}, {B: [], C: [A]})
        store.commit(batch)
        batch = Batch(crawl=crawl, at=2.0)
        assert (known.terms([A]), known.inlinks([B, C])) == ({A: {"a": 2}}, {B: [], C: [A]})

    def test_an_empty_portal_knows_nothing(self, store: Store) -> None:
        known = CrawlPages(store)
        assert everything(known) == {
            "urls": [],
            "judgements": {},
            "terms": {},
            "outlinks": {},
            "inlinks": [{url: [] for url in URLS}] * 3,
        }
        assert known.terms([]) == known.outlinks([]) == known.inlinks([]) == known.judgements([]) == {}


@pytest.fixture
def crawl(store: Store) -> int:
    return store.crawls.start(CrawlKind.CRAWL, "test", {}, 0.0).id


class TestOverMemory(ViewContract):
    @pytest.fixture
    def store(self) -> Store:
        return MemoryStore()


class TestOverSqlite(ViewContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        store = open_store(tmp_path, create=True)
        yield store
        store.close()


pages = st.builds(
    lambda url, targets, count, topic: document(
        url,
        terms={"stem": count},
        links=[link(target) for target in targets],
        judgement=None if topic is None else judged(topic),
    ),
    st.sampled_from(URLS),
    st.lists(st.sampled_from(URLS), max_size=4),
    st.integers(1, 9),
    st.none() | st.sampled_from("xy"),
)


@given(st.lists(st.lists(pages, max_size=4), min_size=1, max_size=4), st.integers(0, 2), st.data())
@settings(max_examples=60)
def test_nothing_tells_what_is_written_from_what_is_not(
    written: list[list[DocumentRow]], unwritten: int, data: st.DataObject
) -> None:
    stores = MemoryStore(), MemoryStore()
    ids = [store.crawls.start(CrawlKind.CRAWL, "test", {}, 0.0).id for store in stores]
    batches, seen = [], set[int]()
    for rows in written:
        seen |= {row.url_id for row in rows}
        anew = data.draw(st.lists(st.sampled_from(sorted(seen)), max_size=2)) if seen else []
        judgements = {ident: judged("z") for ident in anew}
        batches.append(Batch(crawl=ids[0], at=1.0, documents=rows, judgements=judgements))
    for batch in batches:
        stores[0].commit(batch)
    for batch in batches[: len(batches) - unwritten]:
        stores[1].commit(batch)
    left = batches[max(0, len(batches) - unwritten) :]
    assert everything(CrawlPages(stores[0])) == everything(CrawlPages(stores[1], lambda: left))


class Asking:
    """A strategy that asks about the page it ranks, and about those before it."""

    def __init__(self) -> None:
        self.told: list[tuple[str, list[str], dict[str, Any]]] = []

    def read(self, page: Any, judgement: Any) -> None:
        return None

    def rank(self, reading: Reading[None], view: View) -> list[Candidate]:
        url = reading.candidate.url
        if url:
            known = view.known
            about = {"terms": known.terms([url]), "out": known.outlinks([url]), "in": known.inlinks([url])}
            self.told.append((url, sorted(known.urls()), about))
        return [
            Candidate(url=link.url, priority=(1.0,), depth=reading.candidate.depth + 1, parent=url or None)
            for link in reading.links
        ]


def test_a_strategy_never_sees_less_than_the_page_it_ranks() -> None:
    strategy = Asking()
    bench = Bench({A: [B, "=one"], B: [C, A, "=two"], C: ["=three"]}, strategy=strategy, parallel=1)

    async def go() -> None:
        await bench.engine().run(seeds(A))

    run_virtual(go())
    assert [(url, seen) for url, seen, _ in strategy.told] == [(A, [A]), (B, [A, B]), (C, [A, B, C])]
    assert strategy.told[1][2] == {"terms": {B: {"two": 1}}, "out": {B: [C, A]}, "in": {B: [A]}}
