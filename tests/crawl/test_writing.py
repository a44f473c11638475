"""The crash contract near its cause: what is committed can be read, and a page is written whole or not at all."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.store.rows import document, visit
from thresher.crawl.clock import RealClock, VirtualClock, run_virtual
from thresher.crawl.journal import Journal
from thresher.crawl.writer import Writer
from thresher.errors import PortalFull
from thresher.shard.make import make_shard
from thresher.shard.rules import ShardRules
from thresher.shard.values import Offer, Outcome
from thresher.store.archive.archive_files import RecordPosition
from thresher.store.archive.raw_records import OWN_RECORD, RawRecord, read_raw
from thresher.store.archive.warc_archive import WarcArchive
from thresher.store.memory import MemoryStore
from thresher.store.records import Batch, Progress
from thresher.store.url_records import UrlState
from thresher.types import Candidate, Fetched, Kept
from thresher.web.urls import url_id

URL, OTHER = "http://a.test/", "http://b.test/"


class CheckedStore(MemoryStore):
    """Looks, at the moment of a commit, whether everything that the rows name can be read from the archive.

    The first commits fail for want of room, as many as `full` says.
    """

    def __init__(self, archive: Path, full: int = 0) -> None:
        super().__init__()
        self.archive = archive
        self.full = full
        self.found: list[str] = []
        self.places: list[tuple[str, int]] = []

    def commit(self, batch: Batch) -> int:
        assert not batch.exchanges, "rows are committed before their answers are archived"
        for row in batch.visits:
            if row.outcome == "fetched":
                assert row.archive, f"the row of {row.url} names no place in the archive"
                with (self.archive / row.archive).open("rb") as file:
                    record = read_raw(file, row.offset, max_record=OWN_RECORD)
                assert isinstance(record, RawRecord), f"the archive has nothing where the row of {row.url} says"
                assert record.url == row.url
                self.found.append(row.url)
                self.places.append((row.archive, row.offset))
        if self.full:
            self.full -= 1
            raise PortalFull("No room.", "Make room.")
        return super().commit(batch)


def fetched(url: str) -> Fetched:
    body = f"<p>{url}</p>".encode() * 50
    return Fetched(url=url, status=200, headers=[("Content-Type", "text/html")], body=body, raw=body, mime="", at=1.0)


def batch_of(crawl: int, *urls: str) -> Batch:
    return Batch(
        crawl=crawl,
        at=1.0,
        visits=[visit(url) for url in urls],
        exchanges={number: fetched(url) for number, url in enumerate(urls)},
        documents=[document(url) for url in urls],
    )


def never(_: PortalFull) -> None:
    raise AssertionError("the disk is not full")


@pytest.mark.parametrize("threaded", [True, False])
def test_answers_are_in_the_archive_before_the_rows_that_name_them(tmp_path: Path, threaded: bool) -> None:
    store = CheckedStore(tmp_path / "archive")
    crawl = store.crawls.start("crawl", "test", {}, 0.0).id
    writer = Writer(store, threaded=threaded, archive=WarcArchive(tmp_path / "archive"))

    async def go() -> None:
        for urls in ([URL], [OTHER, f"{OTHER}x"]):
            await writer.write(batch_of(crawl, *urls), never)

    asyncio.run(go())
    writer.close()
    assert store.found == [URL, OTHER, f"{OTHER}x"]


def test_an_archive_without_room_commits_nothing_and_loses_nothing() -> None:
    class Full:
        def append(self, exchanges: Sequence[Kept]) -> Sequence[RecordPosition]:
            raise PortalFull("No room.", "Make room.")

        def close(self) -> None:
            pass

    store = MemoryStore()
    crawl = store.crawls.start("crawl", "test", {}, 0.0).id
    writer, batch = Writer(store, threaded=False, archive=Full()), batch_of(crawl, URL)
    with pytest.raises(PortalFull):
        asyncio.run(writer.write(batch, never))
    assert store.documents.document(url_id(URL)) is None
    assert list(batch.exchanges) == [0]


def test_a_commit_that_is_tried_again_archives_its_answers_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thresher.crawl.writer.RETRY_SECONDS", 0.0)
    store = CheckedStore(tmp_path / "archive", full=3)
    crawl = store.crawls.start("crawl", "test", {}, 0.0).id
    writer = Writer(store, archive=WarcArchive(tmp_path / "archive"))
    told: list[Any] = []
    asyncio.run(writer.write(batch_of(crawl, URL), told.append))
    writer.close()
    assert len(told) == 1
    assert store.found == [URL] * 4
    assert len(set(store.places)) == 1
    assert store.documents.document(url_id(URL)) is not None


def test_a_page_and_what_it_changed_in_the_shard_are_one_transaction() -> None:
    written: list[Batch] = []

    class Watched(MemoryStore):
        def commit(self, batch: Batch) -> int:
            written.append(batch)
            return super().commit(batch)

    async def go() -> None:
        store, clock = Watched(), VirtualClock()
        crawl = store.crawls.start("crawl", "test", {}, 0.0).id
        shard = make_shard(store, crawl, clock, ShardRules())
        journal = Journal(crawl, shard, Writer(store, threaded=False), clock)
        shard.offer([Offer([Candidate(url=URL, priority=(1.0,))])])
        await journal.hand_over(Progress(), None, never)
        (errand,) = shard.take(1).errands
        await journal.hand_over(Progress(), None, never)
        # A page that is under way waits, as far as the store knows.
        assert [row.id for row in store.urls.waiting(crawl)] == [errand.id]
        journal.batch.visits.append(visit(URL))
        journal.batch.documents.append(document(URL))
        shard.settle([Outcome(errand=errand, state=UrlState.DONE, pages=1)])
        shard.offer([Offer([Candidate(url=OTHER, priority=(1.0,), parent=URL)])])
        await journal.hand_over(Progress(), None, never)

    run_virtual(go())
    last = written[-1]
    assert [row.url for row in last.documents] == [URL]
    assert [(move.id, move.state) for move in last.moves] == [(url_id(URL), UrlState.DONE)]
    assert [row.candidate.url for row in last.urls] == [OTHER]
    assert [row.host for row in last.hosts] == ["a.test"]
    assert not written[-2].moves


def test_the_next_batch_waits_for_the_one_that_is_being_written() -> None:
    """A shard may forget what it gave out once it is asked again: by then it must be in the store."""
    order: list[str] = []

    class Slow(MemoryStore):
        def commit(self, batch: Batch) -> int:
            number = super().commit(batch)
            order.append("committed")
            return number

    async def go() -> None:
        store = Slow()
        crawl = store.crawls.start("crawl", "test", {}, 0.0).id
        shard = make_shard(store, crawl, RealClock(), ShardRules())
        drain = shard.drain

        def drained() -> Any:
            order.append("drained")
            return drain()

        shard.drain = drained  # type: ignore[method-assign]
        writer = Writer(store)
        journal = Journal(crawl, shard, writer, RealClock())
        for _ in range(3):
            await journal.hand_over(Progress(), None, never)
        await journal.settle()
        writer.close()

    asyncio.run(go())
    assert order == ["drained", "committed"] * 3
