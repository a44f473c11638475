"""Which crawl is meant."""

import pytest

from thresher.store.crawl_history import asked, interrupted_crawl, latest_crawl, newest_of, resumable_crawl
from thresher.store.memory import MemoryStore
from thresher.store.records import PHASES, Batch, CrawlKind, CrawlState, Progress

K = CrawlKind


def store_of(*kinds: CrawlKind, finished: int = 0) -> MemoryStore:
    """Return a store with crawls of some kinds, of which one may be finished."""
    store = MemoryStore()
    for number, kind in enumerate(kinds, 1):
        store.crawls.start(kind, "s", {}, at=float(number))
    if finished:
        store.commit(Batch(crawl=finished, at=50.0, progress=Progress(state=CrawlState.FINISHED)))
    return store


def test_the_newest_of_some_kinds() -> None:
    store = store_of(K.LEARN, K.HARVEST, K.LEARN, K.CRAWL)
    found = [newest_of(store, K.LEARN), newest_of(store, *PHASES), newest_of(store, K.HARVEST), newest_of(store)]
    assert [crawl and crawl.id for crawl in found] == [3, 3, 2, None]


@pytest.mark.parametrize(
    ("kinds", "finished", "expected"),
    [
        ((), 0, None),
        ((K.TRAIN,), 0, None),
        ((K.CRAWL, K.TRAIN), 0, 1),
        ((K.CRAWL, K.REFRESH), 0, 2),
        ((K.CRAWL, K.REFRESH), 2, 1),
        ((K.CRAWL, K.TRAIN, K.REFRESH, K.REFRESH), 4, 1),
        ((K.REFRESH,), 1, None),
        ((K.CRAWL, K.HARVEST), 2, 2),
        ((K.HARVEST, K.ASK), 0, 1),
        ((K.ASK,), 0, None),
        ((K.CRAWL, K.ASK, K.REFRESH, K.ASK), 3, 1),
    ],
)
def test_what_may_go_on(kinds: tuple[CrawlKind, ...], finished: int, expected: int | None) -> None:
    found = resumable_crawl(store_of(*kinds, finished=finished))
    assert (found.id if found else None) == expected


@pytest.mark.parametrize(
    ("kinds", "because", "expected"),
    [
        ((), "", None),
        ((K.HARVEST, K.ASK), "", 2),
        ((K.HARVEST, K.ASK), "interrupted", 2),
        ((K.HARVEST, K.ASK), "requested", 2),
        ((K.HARVEST, K.ASK), "pages", 1),
        ((K.HARVEST, K.ASK), "time", 1),
        ((K.HARVEST, K.ASK), "empty", 1),
        ((K.ASK, K.HARVEST, K.TRAIN), "", 2),
        ((K.HARVEST, K.ASK, K.TRAIN), "", 2),
        ((K.ASK,), "pages", None),
    ],
)
def test_what_a_person_means_by_going_on(kinds: tuple[CrawlKind, ...], because: str, expected: int | None) -> None:
    store = store_of(*kinds)
    for number, kind in enumerate(kinds, 1):
        if kind is K.ASK:
            stopped = Progress(state=CrawlState.STOPPED if because else CrawlState.RUNNING, stopped_because=because)
            store.commit(Batch(crawl=number, at=50.0, progress=stopped))
    found = interrupted_crawl(store)
    assert (found.id if found else None) == expected


def test_a_query_goes_on_where_it_was_broken_off() -> None:
    store = MemoryStore()
    for number, query in enumerate(("red", "blue", "red", "blue"), 1):
        store.crawls.start(K.ASK, "s", {"query": query}, at=float(number))
    store.crawls.start(K.HARVEST, "s", {}, at=9.0)
    assert [crawl and crawl.id for crawl in (asked(store, "red"), asked(store, "blue"), asked(store, "x"))] == [
        3,
        4,
        None,
    ]
    store.commit(Batch(crawl=3, at=50.0, progress=Progress(state=CrawlState.STOPPED, stopped_because="pages")))
    assert asked(store, "red") is None


def test_a_crawl_that_was_resumed_was_at_work_last() -> None:
    store = store_of(K.CRAWL, K.REFRESH)
    assert latest_crawl(MemoryStore()) is None
    found = latest_crawl(store)
    assert found is not None
    assert found.id == 2
    store.commit(Batch(crawl=1, at=9.0))
    again = latest_crawl(store)
    assert again is not None
    assert again.id == 1
