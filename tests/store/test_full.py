"""A full disk: nothing of a batch is written, everything stays readable, and the batch fits once there is room.

A limit on the size of files plays the disk: Python ignores SIGXFSZ, so writing beyond it fails as on a full disk.
"""

import json
from pathlib import Path

import pytest

from tests.store.processes import line, python
from tests.store.rows import document, url_row, visit
from thresher.errors import PortalFull
from thresher.store.records import Batch
from thresher.store.repository import open_store

BEGIN = """
import json, resource, sys
from pathlib import Path
from tests.store.test_full import big_batch
from thresher.errors import PortalFull
from thresher.store.records import Batch
from thresher.store.repository import open_store
from thresher.store.request_records import AddUrl, PauseCrawl
from thresher.store.sqlite.store import SqliteStore
from thresher.store.sqlite.connection import Database

folder, limit, checkpoint = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
open_store(folder, create=True).close()
store = SqliteStore(Database(folder / "portal.db", checkpoint_bytes=checkpoint))
store.crawls.start("crawl", "default", {}, at=1.0)
store.commit(big_batch(0))
unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, unlimited[1]))

def pages():
    return len(list(store.documents.urls()))
"""

FILL = """
for number in range(1, 1000):
    before = store.log.last(), pages()
    try:
        store.commit(big_batch(number))
    except PortalFull:
        break
sizes = [(folder / name).stat().st_size for name in ("portal.db", "portal.db-wal")]
assert (store.log.last(), pages()) == before == (1 + 40 * number, 20 * number)
try:
    store.commit(big_batch(number))
    raise AssertionError("there is room after all")
except PortalFull:
    pass
resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
store.commit(big_batch(number))
assert (store.log.last(), pages()) == (1 + 40 * (number + 1), 20 * (number + 1))
print(json.dumps([number, sizes, store.check()]))
store.close()
"""

WISH = """
for write in (
    lambda: store.requests.leave(AddUrl(url="x" * 50_000), at=1.0),
    lambda: store.commit(Batch(crawl=1, at=2.0)),
    lambda: store.crawls.start("crawl", "default", {}, at=1.0),
):
    try:
        write()
        raise AssertionError("there is room after all")
    except PortalFull as full:
        assert full.exit_code == 6
assert pages() == 20
resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
assert store.requests.open() == []
store.requests.leave(PauseCrawl(), at=1.0)
print(json.dumps([len(store.requests.open()), store.crawls.get().id, store.check()]))
store.close()
"""


def big_batch(number: int) -> Batch:
    """Return a batch of 20 pages with long titles."""
    urls = [f"http://h{number}.test/{place}" for place in range(20)]
    return Batch(
        crawl=1,
        at=1.0,
        urls=[url_row(url) for url in urls],
        visits=[visit(url) for url in urls],
        documents=[document(url, title=url * 50) for url in urls],
    )


def run(code: str, *arguments: object) -> list[object]:
    process = python(BEGIN + code, *arguments)
    answer: list[object] = json.loads(line(process) or "[]")
    assert process.wait(30) == 0
    return answer


def test_a_batch_that_does_not_fit_can_be_committed_later(tmp_path: Path) -> None:
    number, sizes, problems = run(FILL, tmp_path, 1_000_000, 1 << 30)
    assert problems == []
    assert sizes[1] > 800_000  # type: ignore[index]
    store = open_store(tmp_path)
    assert len(list(store.documents.urls())) == 20 * (int(number) + 1)  # type: ignore[call-overload]
    store.close()


def test_a_checkpoint_that_does_not_fit_leaves_the_batches_in_the_log(tmp_path: Path) -> None:
    _, (database, log), problems = run(FILL, tmp_path, 1_000_000, 1 << 16)  # type: ignore[misc]
    assert problems == []
    # Batches went on to be written after the database itself could no longer grow.
    assert database > 800_000
    assert log > 800_000


def test_no_room_for_anything(tmp_path: Path) -> None:
    assert run(WISH, tmp_path, 1000, 1 << 30) == [1, 1, []]


def test_a_database_at_its_limit_of_pages(tmp_path: Path) -> None:
    store = open_store(tmp_path, create=True)
    crawl = store.crawls.start("crawl", "default", {}, at=1.0).id
    with store._database.lock:
        writer = store._database.writer()
        # Tables that migrations drop leave free pages behind.
        writer.execute("VACUUM")
        writer.pragma("max_page_count", writer.pragma("page_count"))
    with pytest.raises(PortalFull):
        store.commit(big_batch(0))
    assert store.urls.states(crawl, [row.id for row in big_batch(0).urls]) == {}
    writer.pragma("max_page_count", 1 << 30)
    store.commit(big_batch(0))
    assert len(list(store.urls.waiting(crawl))) == 20
    store.close()
