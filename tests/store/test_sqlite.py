"""What only the SQLite store promises: threads, processes, checkpoints, durability and its schema."""

import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from tests.store.processes import line, python
from tests.store.rows import OTHER, URL, document, link, url_row, visit
from thresher.errors import PortalError
from thresher.store import sqlite
from thresher.store.page_records import PageScores
from thresher.store.records import Batch
from thresher.store.repository import open_store
from thresher.store.request_records import PauseCrawl, Reply, RequestResult
from thresher.store.sqlite import connection, scores
from thresher.store.sqlite.accepted_pages import _where
from thresher.store.sqlite.connection import Database, connect
from thresher.store.sqlite.store import SqliteStore
from thresher.store.sqlite.urls import CODES
from thresher.store.url_records import UrlState
from thresher.types import Judgement
from thresher.web.urls import url_id

READ = """
import sys
from pathlib import Path
from typing import Any
from thresher.store.repository import open_store
store = open_store(Path(sys.argv[1]), read_only=True)
print("open", flush=True)
seen = 0
while seen < int(sys.argv[2]):
    last = store.log.last()
    numbers = [entry.seq for entry in store.log.entries()]
    assert numbers == sorted(set(numbers))
    assert len(numbers) >= seen and (last == 1 or numbers[-1] >= last)
    seen = len(numbers)
store.close()
print("done", seen, flush=True)
"""

WRITE = """
import sys
from pathlib import Path
from typing import Any
from thresher.store.records import Batch, EventRow
from thresher.store.repository import open_store
from thresher.store.request_records import PauseCrawl
store = open_store(Path(sys.argv[1]))
for number in range(int(sys.argv[2])):
    if sys.argv[3] == "commit":
        store.commit(Batch(crawl=1, at=1.0, events=[EventRow(at=1.0, kind="e")]))
    else:
        store.requests.leave(PauseCrawl(), at=1.0)
store.close()
print("done", flush=True)
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = open_store(tmp_path, create=True)
    store.crawls.start("crawl", "default", {}, at=1.0)
    yield store
    store.close()


def test_every_state_has_a_number_of_its_own() -> None:
    assert set(CODES) == set(UrlState)
    assert sorted(CODES.values()) == list(range(len(CODES)))


def test_what_was_written_is_there_after_opening_again(store: SqliteStore, tmp_path: Path) -> None:
    store.commit(Batch(crawl=1, at=1.0, urls=[url_row()], documents=[document()], visits=[visit()]))
    last = store.log.last()
    store.close()
    again = open_store(tmp_path)
    assert again.log.last() == last
    assert again.documents.document(url_id(URL)) == document()
    assert again.commit(Batch(crawl=1, at=1.0)) == last + 1
    again.close()


def test_closing_empties_the_log(store: SqliteStore, tmp_path: Path) -> None:
    store.commit(Batch(crawl=1, at=1.0, urls=[url_row()]))
    assert (tmp_path / "portal.db-wal").stat().st_size > 0
    store.close()
    wal = tmp_path / "portal.db-wal"
    assert not wal.exists() or wal.stat().st_size == 0


def test_a_connection_that_closes_leaves_the_log_alone(store: SqliteStore, tmp_path: Path) -> None:
    store.commit(Batch(crawl=1, at=1.0, urls=[url_row()]))
    for name in ("portal.db", "portal.db-wal"):
        shutil.copy(tmp_path / name, tmp_path / f"killed-{name}")
    wal = tmp_path / "killed-portal.db-wal"
    before = wal.read_bytes()
    connection = connect(tmp_path / "killed-portal.db", cache_bytes=1 << 20)
    assert connection.execute("SELECT count(*) FROM urls").get == 1
    connection.close()
    assert wal.read_bytes() == before


def test_a_closed_store_says_so(store: SqliteStore) -> None:
    store.close()
    with pytest.raises(PortalError, match="closed"):
        store.log.last()
    with pytest.raises(PortalError, match="closed"):
        store.requests.leave(PauseCrawl(), at=1.0)


def test_a_store_for_reading_refuses_to_write(store: SqliteStore, tmp_path: Path) -> None:
    reader = open_store(tmp_path, read_only=True)
    with pytest.raises(PortalError, match="opened read-only"):
        reader.commit(Batch(crawl=1, at=1.0))
    with pytest.raises(PortalError, match="opened read-only"):
        reader.requests.leave(PauseCrawl(), at=1.0)
    store.commit(Batch(crawl=1, at=1.0, documents=[document()]))
    assert list(reader.documents.urls()) == [URL]
    reader.close()


def test_threads_read_while_one_writes(store: SqliteStore) -> None:
    failures: list[BaseException] = []
    ready, stop = threading.Barrier(4), threading.Event()

    def read() -> None:
        try:
            ready.wait()
            seen = 0
            while not stop.is_set():
                pages = list(store.documents.urls())
                assert len(pages) >= seen
                seen = len(pages)
                for url in pages[-3:]:
                    page = store.documents.document(url_id(url))
                    assert page is not None
                    assert page.links[0].target_url == OTHER
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    ready.wait()
    for number in range(100):
        url = f"http://a.test/{number}"
        store.commit(Batch(crawl=1, at=1.0, urls=[url_row(url)], documents=[document(url, links=[link(OTHER)])]))
    stop.set()
    for thread in threads:
        thread.join()
    assert failures == []


def test_a_store_closes_while_another_thread_is_reading(store: SqliteStore, tmp_path: Path) -> None:
    reading, closed = threading.Event(), threading.Event()
    found: list[object] = []
    database = Database(tmp_path / "portal.db", read_only=True)

    def wait() -> bool:
        reading.set()
        closed.wait(60)
        return False

    def read() -> None:
        connection = database.reader()
        connection.set_progress_handler(wait, 1)
        found.extend(connection.execute("SELECT count(*) FROM sqlite_schema").fetchall())

    thread = threading.Thread(target=read)
    thread.start()
    assert reading.wait(60)
    database.close()
    closed.set()
    thread.join(60)
    assert len(found) == 1


def test_another_process_reads_while_this_one_writes(store: SqliteStore, tmp_path: Path) -> None:
    reader = python(READ, tmp_path, 60)
    assert line(reader) == "open"
    for number in range(30):
        store.commit(Batch(crawl=1, at=1.0, visits=[visit(), visit(OTHER)], urls=[url_row(order=number)]))
    assert line(reader) == "done 60"
    assert reader.wait(10) == 0


def test_processes_write_in_turn_and_numbers_never_repeat(store: SqliteStore, tmp_path: Path) -> None:
    before = store.log.last()
    writers = [python(WRITE, tmp_path, 40, kind) for kind in ("commit", "leave")]
    for _ in range(40):
        store.commit(Batch(crawl=1, at=1.0, visits=[visit()]))
    for writer in writers:
        assert line(writer) == "done"
        assert writer.wait(10) == 0
    assert store.log.last() == before + 120
    assert len({entry.seq for entry in store.log.entries()}) == 80
    assert len(store.requests.open()) == 40
    assert store.check() == []


def test_the_log_file_stays_bounded(tmp_path: Path) -> None:
    open_store(tmp_path, create=True).close()
    store = SqliteStore(Database(tmp_path / "portal.db", checkpoint_bytes=1 << 18))
    store.crawls.start("crawl", "default", {}, at=1.0)
    sizes = []
    for number in range(60):
        rows = [url_row(f"http://h{number}.test/{place}") for place in range(100)]
        store.commit(Batch(crawl=1, at=1.0, urls=rows))
        sizes.append((tmp_path / "portal.db-wal").stat().st_size)
    assert max(sizes) < 1 << 20
    store.close()


def test_an_unread_iterator_does_not_keep_the_log_from_being_emptied(store: SqliteStore, tmp_path: Path) -> None:
    urls = [f"http://a.test/{number}" for number in range(2000)]
    store.commit(Batch(crawl=1, at=1.0, documents=[document(url) for url in urls], visits=[visit(url) for url in urls]))
    iterators = [store.log.entries(), store.log.documents_since(0), store.documents.urls()]
    for iterator in iterators:
        next(iterator)  # type: ignore[call-overload]
    checker = apsw.Connection(str(tmp_path / "portal.db"))
    frames, moved = checker.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    assert frames == moved
    assert [len(list(iterator)) for iterator in iterators] == [1999] * 3


def test_human_decisions_are_synced_and_batches_are_not(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    levels: list[int] = []
    writing = Database.writing

    class Watched:
        def __init__(self, manager: object) -> None:
            self.manager = manager

        def __enter__(self) -> apsw.Connection:
            connection = self.manager.__enter__()  # type: ignore[attr-defined]
            levels.append(connection.pragma("synchronous"))
            return connection

        def __exit__(self, *error: object) -> object:
            return self.manager.__exit__(*error)  # type: ignore[attr-defined]

    monkeypatch.setattr(Database, "writing", lambda self, **more: Watched(writing(self, **more)))
    wish = store.requests.leave(PauseCrawl(), at=1.0)
    store.crawls.start("crawl", "default", {}, at=1.0)
    store.start_urls.add([URL], at=1.0)
    store.commit(Batch(crawl=1, at=1.0, visits=[visit()]))
    store.commit(Batch(crawl=1, at=1.0, replies={wish.id: Reply(RequestResult.DONE)}))
    assert levels == [2, 2, 2, 1, 2]


def test_check_finds_damage(store: SqliteStore, tmp_path: Path) -> None:
    pages = [document(f"http://a.test/{number}") for number in range(200)]
    store.commit(Batch(crawl=1, at=1.0, documents=pages))
    store.close()
    path = tmp_path / "portal.db"
    data = bytearray(path.read_bytes())
    # Behind the tables that every opening reads.
    place = len(data) * 3 // 4
    data[place : place + 9000] = b"\x55" * 9000
    path.write_bytes(data)
    damaged = open_store(tmp_path, read_only=True)
    assert damaged.check() != []
    damaged.close()


def test_the_views_unfold_the_terms(store: SqliteStore, tmp_path: Path) -> None:
    pages = [
        document(URL, terms={"cat": 3, "dog": 1}),
        document(OTHER, terms={"cat": 2}),
        document("http://c.test/", terms={}),
    ]
    store.commit(Batch(crawl=1, at=1.0, documents=pages))
    reader = apsw.Connection(str(tmp_path / "portal.db"))
    features = reader.execute(
        "SELECT stem, tf, rtf FROM document_features WHERE document = ? ORDER BY stem", (url_id(URL),)
    ).fetchall()
    assert features == [("cat", 3, 0.75), ("dog", 1, 0.25)]
    weights = dict(
        reader.execute("SELECT stem, tf_idf FROM document_weights WHERE document = ?", (url_id(URL),)).fetchall()
    )
    assert weights["cat"] == pytest.approx(3 * 0.405465)
    assert weights["dog"] == pytest.approx(1.098612)


def test_the_weights_of_a_whole_portal_can_be_counted(store: SqliteStore, tmp_path: Path) -> None:
    pages = [
        document(f"http://a.test/{page}", terms={f"s{(page * stem) % 5000}": 1 for stem in range(300)})
        for page in range(400)
    ]
    store.commit(Batch(crawl=1, at=1.0, documents=pages))
    reader = apsw.Connection(str(tmp_path / "portal.db"))
    steps = 0

    def count() -> bool:
        nonlocal steps
        steps += 1
        return steps > 1000

    # Each call stands for 100,000 steps of SQLite's machine; a join without an index would take thousands of them.
    reader.set_progress_handler(count, 100_000)
    expected = sum(len(page.terms) for page in pages)
    assert reader.execute("SELECT count(*) FROM document_weights").get == expected
    assert reader.execute("SELECT count(*) FROM document_weights WHERE tf_idf >= 0").get == expected


def test_documents_carry_topic_confidence_and_visit(store: SqliteStore, tmp_path: Path) -> None:
    judgement = Judgement(topic="cats", confidence=0.5, probability=0.9)
    store.commit(Batch(crawl=1, at=1.0, visits=[visit()], documents=[document(judgement=judgement)]))
    reader = apsw.Connection(str(tmp_path / "portal.db"))
    seq, topic, conf, visited = reader.execute("SELECT seq, topic, conf, visit FROM documents").get
    assert (topic, conf) == ("cats", 0.5)
    assert reader.execute("SELECT url FROM visits WHERE seq = ?", (visited,)).get == URL
    reader.execute("UPDATE documents SET authority = 0.25, clicks = 3")
    store.commit(Batch(crawl=1, at=1.0, documents=[document(title="Not judged")]))
    assert reader.execute("SELECT topic, conf FROM documents").get == ("cats", 0.5)
    rejected = Judgement(topic=None, confidence=-1.0, probability=0.1)
    store.commit(Batch(crawl=1, at=1.0, documents=[document(judgement=rejected)]))
    later, topic, conf, authority, clicks = reader.execute(
        "SELECT seq, topic, conf, authority, clicks FROM documents"
    ).get
    assert later > seq
    assert (topic, conf, authority, clicks) == (None, -1.0, 0.25, 3)


def test_url_texts_are_stored_once(store: SqliteStore, tmp_path: Path) -> None:
    offered = [url_row(URL), url_row(OTHER, parent=URL)]
    page = document(URL, links=[link(OTHER), link("http://never.test/offered")])
    store.commit(Batch(crawl=1, at=1.0, urls=offered, documents=[page]))
    reader = apsw.Connection(str(tmp_path / "portal.db"))
    assert reader.execute("SELECT target_url FROM links ORDER BY position").fetchall() == [
        (None,),
        ("http://never.test/offered",),
    ]
    assert reader.execute("SELECT parent_url, host FROM urls WHERE url = ?", (OTHER,)).get == (None, None)


@pytest.mark.parametrize("topic", [None, "Pets"])
def test_accepted_pages_are_found_through_an_index(tmp_path: Path, topic: str | None) -> None:
    where, values = _where(topic)
    with closing(open_store(tmp_path, create=True)) as store, store._database.snapshot() as connection:
        for wanted in ("count(*)", "id, conf"):
            plan = connection.execute(f"EXPLAIN QUERY PLAN SELECT {wanted} FROM documents WHERE {where}", values)
            assert "COVERING INDEX documents_accepted" in " ".join(str(row) for row in plan)


@pytest.mark.parametrize(("seconds", "transactions"), [(0.0, 9), (1e9, 2)])
def test_scores_of_many_pages_are_kept_in_as_few_transactions_as_the_lock_may_be_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float, transactions: int
) -> None:
    monkeypatch.setattr(scores, "_HOLD", seconds)
    with closing(open_store(tmp_path, create=True)) as store:
        assert isinstance(store, SqliteStore)
        before = store.lock_use().holds
        store.scores.keep(PageScores(number, 0.5, 0.5, 0.5) for number in range(12_000))
        # One more notes that there are new scores.
        assert store.lock_use().holds - before == transactions + 1


def test_every_table_is_written_by_something(tmp_path: Path) -> None:
    open_store(tmp_path, create=True).close()
    with closing(apsw.Connection(str(tmp_path / "portal.db"))) as connection:
        tables = {str(name) for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    folder = Path(sqlite.__path__[0])
    statements = "\n".join(path.read_text() for path in folder.glob("*.py"))
    written = set(re.findall(r"(?:INSERT(?: OR \w+)? INTO|REPLACE INTO|UPDATE)\s+(\w+)", statements))
    assert tables - written == set()


def test_edges_come_whole_if_a_block_of_them_makes_too_long_a_text(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = [f"http://a.test/{number}" for number in range(30)]
    linked = [document(url, links=[link(target) for target in pages]) for url in pages]
    store.commit(Batch(crawl=1, at=1.0, documents=linked))

    def limited(*args: Any, **kwargs: Any) -> apsw.Connection:
        opened = connect(*args, **kwargs)
        # About as many sources as five targets have.
        opened.limit(apsw.SQLITE_LIMIT_LENGTH, 3000)
        return opened

    monkeypatch.setattr(connection, "connect", limited)
    found = [pair for block in store.graph.edges() for pair in zip(block[::2], block[1::2], strict=True)]
    assert sorted(found) == sorted((url_id(source), url_id(target)) for source in pages for target in pages)


def test_a_look_up_is_planned_once_for_all_values(tmp_path: Path) -> None:
    with closing(open_store(tmp_path / "portal", create=True)) as store:
        planned: list[str | None] = []

        def note(action: int, first: str | None, *_: Any) -> int:
            planned.append(first)
            return apsw.SQLITE_OK

        # SQLite asks the authorizer whenever it makes a plan.
        store._database.reader().authorizer = note
        for number in range(3):
            store.duplicates.same_text(bytes([number]) * 16)
            store.urls.rows(1, [number])
            if number == 0:
                assert planned
                planned.clear()
        assert planned == []
