"""Floors for the speed of the store at a million URLs on a hundred thousand hosts, in time of the processor."""

import random
import time
from collections.abc import Iterator
from statistics import median

import pytest

from tests.machine import spending
from tests.store.rows import document, link, url_row, visit
from thresher.store.locks import WriteLock
from thresher.store.records import Batch
from thresher.store.repository import open_store
from thresher.store.sqlite.store import SqliteStore
from thresher.store.url_records import UrlMove, UrlState
from thresher.web.urls import url_id

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

MILLION = 1_000_000


def address(number: int) -> str:
    return f"http://www.site{number % 100_000}.test/section{number % 7}/page{number}.html"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteStore]:
    store = open_store(tmp_path_factory.mktemp("portal"), create=True)
    store.crawls.start("crawl", "default", {}, at=1.0)
    for start in range(0, MILLION, 50_000):
        numbers = range(start, start + 50_000)
        rows = [
            url_row(address(n), order=n, queue=f"topic{n % 30}", parent=address(n % 1000), anchor="an anchor")
            for n in numbers
        ]
        store.commit(Batch(crawl=1, at=1.0, urls=rows))
    yield store
    store.close()


def test_everything_that_waits_is_read_in_seconds(store: SqliteStore) -> None:
    with spending() as spent:
        assert sum(1 for _ in store.urls.waiting(1)) == MILLION
    assert spent.seconds < 12


def test_the_states_of_fifty_links(store: SqliteStore) -> None:
    chance, spent = random.Random(1), []
    for _ in range(200):
        ids = [url_id(address(chance.randrange(2 * MILLION))) for _ in range(50)]
        with spending() as taken:
            store.urls.states(1, ids)
        spent.append(taken.seconds)
    assert median(spent) < 0.006


def test_a_row_takes_at_most_two_hundred_bytes(store: SqliteStore) -> None:
    with store._database.snapshot() as connection:
        used = connection.execute("SELECT sum(pgsize) FROM dbstat WHERE name = 'urls'").get
    assert used / MILLION < 200


def test_the_write_lock_is_held_for_a_fraction_of_a_second(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[float] = []
    enter, leave = WriteLock.__enter__, WriteLock.__exit__

    def entered(lock: WriteLock) -> WriteLock:
        enter(lock)
        held.append(time.process_time())
        return lock

    def left(lock: WriteLock, *error: object) -> None:
        held[-1] = time.process_time() - held[-1]
        leave(lock, *error)  # type: ignore[arg-type]

    monkeypatch.setattr(WriteLock, "__enter__", entered)
    monkeypatch.setattr(WriteLock, "__exit__", left)
    chance = random.Random(2)
    for number in range(20):
        store.commit(_pages(chance, 2 * MILLION + 3200 * number))
    assert median(held) < 0.3


def _pages(chance: random.Random, first: int) -> Batch:
    """Return a batch of 64 pages with 50 new links each, 35 of them to their own host."""
    sources = [address(chance.randrange(MILLION)) for _ in range(64)]
    batch = Batch(crawl=1, at=1.0, visits=[visit(url) for url in sources])
    for place, source in enumerate(sources):
        own = source.rpartition("/")[0]
        new = [first + 50 * place + step for step in range(50)]
        urls = [f"{own}/new{n}.html" if n % 10 < 7 else address(n) for n in new]
        batch.urls += [url_row(url, order=n, parent=source, anchor="anchor") for n, url in zip(new, urls, strict=True)]
        text = " ".join(str(chance.random()) for _ in range(200))
        terms = {f"stem{chance.randrange(20_000)}": 1 for _ in range(200)}
        batch.documents.append(document(source, text=text, terms=terms, links=[link(url, "anchor") for url in urls]))
        batch.moves.append(UrlMove(url_id(source), UrlState.DONE))
    return batch
