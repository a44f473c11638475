"""Answers that say that nothing has changed, in the archive: kept, found, carried on and never mistaken for pages."""

import asyncio
from pathlib import Path

from tests.store.archive.samples import AT, page, read_all
from tests.store.archive.test_replay import Still
from thresher.store.archive.exporting import export
from thresher.store.archive.importing import import_archive
from thresher.store.archive.replay import ReplayFetcher
from thresher.store.archive.stored import read_record
from thresher.store.archive.warc_archive import WarcArchive
from thresher.store.archive.warc_records import NOT_MODIFIED
from thresher.types import Candidate, Copy, Fetched, Unchanged

COPY = Copy(etag='"1"', digest=b"d", at=page(1).at)


def same(number: int) -> Unchanged:
    return Unchanged(
        url=page(number).url, at=AT + 60, copy=COPY, headers=[("ETag", '"1"')], request=[("If-None-Match", '"1"')]
    )


def replayed(directory: Path, copy: Copy | None) -> object:
    async def ask() -> object:
        web = ReplayFetcher([directory], Still())
        answer = await web.fetch(Candidate(url=page(1).url, priority=(), copy=copy))
        await web.close()
        return answer

    return asyncio.run(ask())


def test_it_is_a_revisit_that_the_server_confirmed(tmp_path: Path) -> None:
    archive = WarcArchive(tmp_path)
    _, place = archive.append([page(1), same(1)])
    archive.close()
    request, record = read_all(tmp_path)[-2:]
    assert (request.kind, record.kind, record.status) == ("request", "revisit", "304")
    assert record.fields["WARC-Profile"] == NOT_MODIFIED
    assert record.fields["WARC-Refers-To-Target-URI"] == page(1).url
    assert record.fields["WARC-Refers-To-Date"] == "2023-11-14T22:13:20.251000Z"
    assert "WARC-Payload-Digest" not in record.fields
    assert record.payload == b""
    found = read_record(tmp_path, place)
    assert (found.status, found.header("etag"), found.payload, found.revisit) == (304, '"1"', b"", False)


def test_the_page_itself_is_what_is_replayed(tmp_path: Path) -> None:
    archive = WarcArchive(tmp_path)
    archive.append([page(1), same(1)])
    archive.close()
    answer = replayed(tmp_path, None)
    assert isinstance(answer, Fetched)
    assert answer.raw == page(1).raw


def test_a_replay_confirms_the_copy_at_hand(tmp_path: Path) -> None:
    tagged = page(1, headers=[("ETag", '"1"'), ("Content-Type", "text/html")])
    archive = WarcArchive(tmp_path)
    archive.append([tagged])
    archive.close()
    answer = replayed(tmp_path, COPY)
    assert isinstance(answer, Unchanged)
    assert answer.copy == COPY
    assert isinstance(replayed(tmp_path, Copy(etag='"2"')), Fetched)
    assert isinstance(replayed(tmp_path, Copy()), Fetched)


def test_it_survives_export_and_import(tmp_path: Path) -> None:
    archive = WarcArchive(tmp_path / "a")
    archive.append([page(1), same(1)])
    archive.close()
    exported = export(tmp_path / "a", tmp_path / "all.warc.gz")
    assert (exported.answers, exported.problems) == (2, {})
    imported = import_archive(tmp_path / "all.warc.gz", tmp_path / "b")
    assert (imported.answers, imported.problems) == (2, {})
    assert [record.status for record in read_all(tmp_path / "b") if record.kind == "revisit"] == ["304"]
    answer = replayed(tmp_path / "b", None)
    assert isinstance(answer, Fetched)
    assert answer.raw == page(1).raw
