"""A real archive of 2008, as WARC and as ARC: read, imported and replayed."""

import asyncio
import os
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from tests.store.archive.samples import read_all
from thresher.store.archive.archived import records
from thresher.store.archive.importing import import_archive
from thresher.store.archive.problems import Problems
from thresher.store.archive.replay import ReplayFetcher
from thresher.types import Candidate, Fetched

DATA = Path(os.environ.get("THRESHER_DATA", Path(__file__).parents[4] / "shared" / "data")) / "warc-sample"

pytestmark = pytest.mark.skipif(
    not (DATA / "example.warc.gz").is_file(), reason="needs the collection warc-sample: set THRESHER_DATA to its folder"
)


class Still:
    def now(self) -> float:
        return 0.0

    def wall(self) -> float:
        return 0.0


@pytest.mark.parametrize("name", ["example.warc.gz", "example.arc.gz"])
def test_every_answer_is_read_as_another_library_reads_it(name: str) -> None:
    problems = Problems()
    ours = [(record.url, record.status, record.payload) for record in records(DATA / name, problems)]
    with (DATA / name).open("rb") as file:
        theirs = [
            (
                record.rec_headers.get_header("WARC-Target-URI"),
                int(record.http_headers.get_statuscode()),
                record.raw_stream.read(),
            )
            for record in ArchiveIterator(file, arc2warc=True)
            if record.rec_type == "response" and record.http_headers
        ]
    assert ours == theirs
    assert len(ours) == 261
    assert not problems


def test_warc_and_arc_hold_the_same() -> None:
    one, two = (
        {record.url: (record.status, record.at, record.body()) for record in records(DATA / name)}
        for name in ("example.warc.gz", "example.arc.gz")
    )
    assert one == two


@pytest.mark.parametrize(("name", "requests"), [("example.warc.gz", 261), ("example.arc.gz", 0)])
def test_import(tmp_path: Path, name: str, requests: int) -> None:
    done = import_archive(DATA / name, tmp_path)
    assert (done.answers, done.problems) == (261, {})
    kinds = [record.kind for record in read_all(tmp_path)]
    assert kinds.count("response") + kinds.count("revisit") == 261
    assert kinds.count("request") == requests


def test_replay() -> None:
    web = ReplayFetcher([DATA], Still())
    answers = [record for record in records(DATA / "example.warc.gz") if record.mime == "text/html"]
    pages = [record for record in answers if record.status == 200]
    assert len(pages) > 90
    for record in pages:
        found = asyncio.run(web.fetch(Candidate(url=record.url, priority=())))
        assert isinstance(found, Fetched)
        assert found.body == record.body()
