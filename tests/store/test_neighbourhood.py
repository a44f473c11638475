"""What the portal has of the pages a few clicks away, and which of them it lacks."""

from msgspec.structs import replace

from tests.store.rows import link
from tests.train.made import row
from thresher.store.memory import MemoryStore
from thresher.store.neighbourhood import neighbourhood
from thresher.store.page_records import DocumentRow, LinkRow
from thresher.store.records import Batch

A, B, C, D, E, F = (f"http://{name}.test/" for name in "abcdef")


def all_links(page: DocumentRow) -> list[LinkRow]:
    return page.links


def store_of(*rows: DocumentRow) -> MemoryStore:
    store = MemoryStore()
    store.crawls.start("crawl", "breadth-first", {}, 0.0)
    store.commit(Batch(crawl=1, at=1.0, documents=list(rows)))
    return store


def test_pages_come_by_distance_and_what_is_lacking_with_its_way() -> None:
    start = row(A, "a", (B, C))
    store = store_of(start, row(B, "b", (D, A)), row(D, "d", (E,)), row(E, "e", (F,)))
    found = neighbourhood(store, [start], 2, 9, all_links)
    assert [page.url for page in found.pages] == [B, D]
    assert [(c.url, c.depth, c.parent) for c in found.unknown] == [(C, 1, A)]
    far = neighbourhood(store, [start], 3, 9, all_links)
    assert [page.url for page in far.pages] == [B, D, E]
    assert [page.url for page in neighbourhood(store, [start], 3, 1, all_links).pages] == [B]


def test_pages_give_their_links_in_turn() -> None:
    many = row(A, "a", tuple(f"http://many.test/{n}" for n in range(50)))
    few = row(B, "b", (C,))
    found = neighbourhood(store_of(many, few), [many, few], 1, 2, all_links)
    assert C in [candidate.url for candidate in found.unknown]
    assert len(found.unknown) == 8


def test_only_followed_links_lead_on_and_only_clicks() -> None:
    start = replace(row(A, "a", (B, C)), links=[link(B), link(C), link(D, rel="canonical"), link(E, rel="alternate")])
    found = neighbourhood(store_of(start), [start], 3, 9, lambda page: page.links[1:])
    assert [candidate.url for candidate in found.unknown] == [C]
