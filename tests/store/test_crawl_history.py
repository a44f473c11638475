"""Which crawl is meant."""

import pytest

from thresher.store.crawl_history import latest_crawl, newest_of, resumable_crawl
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
    ],
)
def test_what_may_go_on(kinds: tuple[CrawlKind, ...], finished: int, expected: int | None) -> None:
    found = resumable_crawl(store_of(*kinds, finished=finished))
    assert (found.id if found else None) == expected


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
