"""SIGKILL in the middle of commits and checkpoints: the database stays sound and holds whole batches only."""

import random
import time
from pathlib import Path

import apsw
import pytest

from tests.store.processes import kill, line, python
from thresher.store.repository import open_store

COMMIT = """
import sys
from pathlib import Path
from tests.store.rows import document, link, url_row, visit
from thresher.store.records import Batch, Progress
from thresher.store.repository import open_store
from thresher.store.sqlite.store import SqliteStore
from thresher.store.sqlite.connection import Database

folder = Path(sys.argv[1])
open_store(folder, create=True).close()
store = SqliteStore(Database(folder / "portal.db", checkpoint_bytes=200_000))
crawl = store.crawls.get() or store.crawls.start("crawl", "default", {}, at=1.0)
batch = crawl.progress.pages // 10
print("started", flush=True)
while True:
    urls = [f"http://h{batch % 50}.test/{batch}/{place}" for place in range(10)]
    links = [link(url) for url in urls]
    store.commit(Batch(
        crawl=crawl.id,
        at=1.0,
        urls=[url_row(url) for url in urls],
        visits=[visit(url) for url in urls],
        documents=[document(url, links=links) for url in urls],
        progress=Progress(pages=10 * (batch + 1)),
    ))
    batch += 1
    print(batch, flush=True)
"""


@pytest.mark.slow
def test_killed_again_and_again(tmp_path: Path) -> None:
    chance = random.Random(5)
    committed = 0
    for _ in range(6):
        process = python(COMMIT, tmp_path)
        assert line(process) == "started"
        for _ in range(chance.randrange(5, 30)):
            committed = int(line(process))
        time.sleep(chance.random() * 0.02)
        kill(process)
        _is_sound(tmp_path, committed)


def _is_sound(folder: Path, acknowledged: int) -> None:
    store = open_store(folder, read_only=True)
    crawl = store.crawls.get()
    assert crawl is not None
    batches = crawl.progress.pages // 10
    assert batches >= acknowledged
    assert store.check() == []
    assert len(list(store.urls.waiting(crawl.id))) == 10 * batches
    assert len(list(store.documents.urls())) == 10 * batches
    assert len(list(store.log.entries())) == 10 * batches
    store.close()
    reader = apsw.Connection(str(folder / "portal.db"), flags=apsw.SQLITE_OPEN_READONLY)
    assert reader.execute("SELECT count(*) FROM links").get == 100 * batches
    assert reader.execute("SELECT count(*) FROM archive").get == 10 * batches
