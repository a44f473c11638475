"""What the portal has of the pages a few clicks away, and which of them it lacks."""

from tests.train.made import row
from thresher.reasons import Reason
from thresher.store.memory import MemoryStore
from thresher.store.neighbourhood import neighbourhood
from thresher.store.page_records import DocumentRow
from thresher.store.records import Batch
from thresher.store.url_records import UrlRow, UrlState
from thresher.types import Candidate
from thresher.web.urls import url_id

A, B, C, D, E, F = (f"http://{name}.test/" for name in "abcdef")


def store_of(*rows: DocumentRow) -> MemoryStore:
    store = MemoryStore()
    store.crawls.start("crawl", "breadth-first", {}, 0.0)
    store.commit(Batch(crawl=1, at=1.0, documents=list(rows)))
    return store


def test_pages_come_by_distance_and_what_is_lacking_with_its_way() -> None:
    start = row(A, "a", (B, C))
    store = store_of(start, row(B, "b", (D, A)), row(D, "d", (E,)), row(E, "e", (F,)))
    found = neighbourhood(store, [start], clicks=2, limit=9)
    assert [page.url for page in found.pages] == [B, D]
    assert [(c.url, c.depth, c.parent) for c in found.unknown] == [(C, 1, A)]
    far = neighbourhood(store, [start], clicks=3, limit=9)
    assert [page.url for page in far.pages] == [B, D, E]
    assert [page.url for page in neighbourhood(store, [start], 3, limit=1).pages] == [B]


def test_pages_give_their_links_in_turn() -> None:
    many = row(A, "a", tuple(f"http://many.test/{n}" for n in range(50)))
    few = row(B, "b", (C,))
    found = neighbourhood(store_of(many, few), [many, few], clicks=1, limit=2)
    assert C in [candidate.url for candidate in found.unknown]
    assert len(found.unknown) == 8


def test_links_that_are_not_to_be_followed_lead_nowhere() -> None:
    start, other = row(A, "a", (B,), rel="nofollow"), row(D, "d", (C, E))
    store = store_of(start, other)
    refused = UrlRow(
        id=url_id(C),
        host="c.test",
        candidate=Candidate(url=C, priority=()),
        order=1,
        state=UrlState.CUT,
        reason=Reason.NOFOLLOW,
    )
    store.commit(Batch(crawl=1, at=2.0, urls=[refused]))
    store.crawls.start("train", "breadth-first", {}, 3.0)
    found = neighbourhood(store, [start, other], clicks=3, limit=9)
    assert [candidate.url for candidate in found.unknown] == [E]
