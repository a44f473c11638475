"""The archive of a portal: what is written, where, and what another library reads of it."""

import gzip
import resource
from itertools import count
from pathlib import Path
from uuid import UUID

import pytest

from tests.store.archive.samples import AT, hop, page, read_all, read_with_warcio, warcs, zipped
from thresher.errors import PortalFull
from thresher.store.archive.archive_files import RecordPosition, series_files
from thresher.store.archive.stored import read_record
from thresher.store.archive.warc_archive import WarcArchive


def test_each_exchange_is_a_request_and_a_response_tied_together(tmp_path: Path) -> None:
    archive = WarcArchive(tmp_path, software="Thresher/9")
    places = archive.append([page(1), hop(2)])
    archive.close()
    info, *records = read_all(tmp_path)
    assert (info.kind, info.fields["WARC-Filename"]) == ("warcinfo", "crawl-000001.warc.gz")
    assert b"software: Thresher/9\r\n" in info.payload
    assert [record.kind for record in records] == ["request", "response"] * 2
    assert all(record.digests for record in records)
    request, answer = records[:2]
    assert request.fields["WARC-Concurrent-To"] == answer.fields["WARC-Record-ID"]
    assert answer.fields["WARC-Date"] == "2023-11-14T22:13:20.251000Z"
    assert (answer.url, answer.status, answer.payload) == (page(1).url, "200", page(1).raw)
    assert [record.fields["WARC-IP-Address"] for record in records[1::2]] == ["192.0.2.7", "2001:db8::1"]
    assert (records[3].status, records[3].payload) == ("301", hop(2).raw)
    assert [(place.offset, place.length) for place in places] == [
        (record.offset, record.length) for record in records if record.kind == "response"
    ]


def test_files_say_version_1_1_and_every_id_is_another(tmp_path: Path) -> None:
    archive = WarcArchive(tmp_path)
    archive.append([page(number) for number in range(10)])
    text = gzip.decompress(warcs(tmp_path)[0].read_bytes())
    assert text.count(b"WARC/1.1\r\n") == 21
    assert len({record.fields["WARC-Record-ID"] for record in read_all(tmp_path)}) == 21


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_another_reader_finds_every_digest_in_order(tmp_path: Path) -> None:
    from fastwarc.warc import ArchiveIterator

    WarcArchive(tmp_path).append([page(1), zipped(2), hop(3), page(4, b""), page(5, bytes(range(256)) * 100)])
    checked = []
    with warcs(tmp_path)[0].open("rb") as file:
        for record in ArchiveIterator(file, parse_http=False):
            if "WARC-Payload-Digest" in record.headers:
                block = record.verify_block_digest()
                record.parse_http()
                checked.append((block, record.verify_payload_digest()))
    assert checked == [(True, True)] * 5


def test_the_bytes_received_are_what_is_archived(tmp_path: Path) -> None:
    answer = zipped(1)
    [place] = WarcArchive(tmp_path).append([answer])
    found = next(record for record in read_all(tmp_path) if record.kind == "response")
    assert found.payload == answer.raw
    stored = read_record(tmp_path, place)
    assert (stored.received(), stored.body()) == (answer.raw, answer.body)
    # The chunks were undone on arrival, so the record must not claim that they are there.
    assert stored.header("Transfer-Encoding") is None
    assert stored.header("X-Crawler-Transfer-Encoding") == "chunked"


def test_without_a_known_request_there_is_no_request_record(tmp_path: Path) -> None:
    WarcArchive(tmp_path).append([page(1, request=[])])
    assert [record.kind for record in read_all(tmp_path)] == ["warcinfo", "response"]


@pytest.mark.parametrize(("announced", "said"), [("5", None), ("6", "length"), ("junk", None), ("", None)])
def test_a_body_shorter_than_announced_is_marked(tmp_path: Path, announced: str, said: str | None) -> None:
    WarcArchive(tmp_path).append([page(1, b"12345", headers=[("Content-Length", announced)])])
    assert read_all(tmp_path)[-1].fields.get("WARC-Truncated") == said


def test_a_payload_seen_before_becomes_a_revisit(tmp_path: Path) -> None:
    archive = WarcArchive(tmp_path)
    first, again, other = archive.append([page(1, b"same"), page(2, b"same"), page(3, b"other")])
    archive.append([page(1, b"same")])
    answers = [record for record in read_all(tmp_path) if record.kind in ("response", "revisit")]
    assert [record.kind for record in answers] == ["response", "revisit", "response", "revisit"]
    revisit = answers[1]
    assert revisit.fields["WARC-Profile"] == "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
    assert revisit.fields["WARC-Refers-To-Target-URI"] == page(1).url
    assert revisit.fields["WARC-Refers-To-Date"] == answers[0].fields["WARC-Date"]
    assert revisit.fields["WARC-Payload-Digest"] == answers[0].fields["WARC-Payload-Digest"]
    assert (revisit.status, revisit.payload) == ("200", b"")
    assert read_record(tmp_path, again).url == page(2).url
    assert [read_record(tmp_path, place).payload for place in (first, again, other)] == [b"same", b"same", b"other"]


def test_a_revisit_is_read_by_its_own_headers(tmp_path: Path) -> None:
    packed = zipped(1)
    plain = page(2, packed.raw, mime="application/gzip", headers=[("Content-Type", "application/gzip")])
    places = WarcArchive(tmp_path).append([packed, plain])
    assert [read_record(tmp_path, place).body() for place in places] == [packed.body, packed.raw]


def test_empty_payloads_are_no_duplicates(tmp_path: Path) -> None:
    WarcArchive(tmp_path).append([page(1, b""), page(2, b"")])
    assert [record.kind for record in read_all(tmp_path)].count("response") == 2


def test_duplicates_are_known_after_a_restart(tmp_path: Path) -> None:
    first = WarcArchive(tmp_path)
    first.append([page(1, b"same")])
    first.close()
    [place] = WarcArchive(tmp_path).append([page(2, b"same")])
    assert read_all(tmp_path)[-1].kind == "revisit"
    assert read_record(tmp_path, place).payload == b"same"


def test_the_memory_of_duplicates_is_bounded(tmp_path: Path) -> None:
    archive = WarcArchive(tmp_path, remembered=2)
    archive.append([page(1, b"a"), page(2, b"b"), page(3, b"c"), page(4, b"a"), page(5, b"c")])
    kinds = [record.kind for record in read_all(tmp_path) if record.kind != "request"]
    assert kinds == ["warcinfo", "response", "response", "response", "response", "revisit"]


def test_a_revisit_never_points_to_a_file_that_is_gone(tmp_path: Path) -> None:
    archive = WarcArchive(tmp_path, max_bytes=1)
    archive.append([page(1, b"same"), page(2, b"more")])
    warcs(tmp_path)[0].unlink()
    archive.append([page(3, b"same")])
    assert read_all(tmp_path)[-1].kind == "response"


def test_files_are_rotated_by_size_and_sort_by_age(tmp_path: Path) -> None:
    archive = WarcArchive(tmp_path, max_bytes=4000)
    places = [place for number in range(30) for place in archive.append([page(number)])]
    archive.close()
    assert places == sorted(places)
    files = warcs(tmp_path)
    assert len(files) > 3
    assert [path.name for path in files] == sorted({place.file for place in places})
    for path in files:
        records = read_with_warcio(path)
        assert [records[0].kind, records[1].kind, records[-1].kind] == ["warcinfo", "request", "response"]
        assert path.stat().st_size <= 4000


def test_an_exchange_larger_than_a_file_has_a_file_of_its_own(tmp_path: Path) -> None:
    archive = WarcArchive(tmp_path, max_bytes=2000, level=0)
    archive.append([page(1), page(2, b"x" * 5000), page(3)])
    assert [path.stat().st_size > 2000 for path in warcs(tmp_path)] == [False, True, False]
    assert len(read_all(tmp_path)) == 9


def test_a_restart_goes_on_in_the_newest_file(tmp_path: Path) -> None:
    for number in range(3):
        archive = WarcArchive(tmp_path)
        archive.append([page(number)])
        archive.close()
    assert [path.name for path in warcs(tmp_path)] == ["crawl-000001.warc.gz"]
    assert [record.kind for record in read_all(tmp_path)] == ["warcinfo"] + ["request", "response"] * 3


def test_what_append_returned_is_with_the_system_already(tmp_path: Path) -> None:
    archive = WarcArchive(tmp_path)
    [place] = archive.append([page(1)])
    assert read_record(tmp_path, place).payload == page(1).raw
    assert (tmp_path / "crawl-000001.cdxj").read_bytes().count(b"\n") == 1
    archive.sync()


def test_the_same_exchanges_and_ids_give_the_same_bytes(tmp_path: Path) -> None:
    written = []
    for name in ("a", "b"):
        numbers = count()
        archive = WarcArchive(tmp_path / name, ids=lambda numbers=numbers: UUID(int=next(numbers)))  # type: ignore[misc]
        archive.append([page(1), zipped(2), hop(3)])
        written.append([path.read_bytes() for path in sorted((tmp_path / name).iterdir())])
    assert written[0] == written[1]


def test_header_injection_is_impossible(tmp_path: Path) -> None:
    evil = page(1, headers=[("X", "a\r\nContent-Length: 0\r\n\r\nfalse"), ("Y\nZ", "b")], ip="1.2.3.4\r\nWARC-Type: x")
    [place] = WarcArchive(tmp_path).append([evil])
    seen = read_all(tmp_path)[-1]
    assert (seen.kind, seen.payload) == ("response", evil.raw)
    assert "WARC-IP-Address" not in seen.fields
    assert read_record(tmp_path, place).headers == [("X", "a Content-Length: 0 false"), ("Y Z", "b")]


def test_a_full_disk_leaves_the_archive_as_it_was(tmp_path: Path) -> None:
    archive = WarcArchive(tmp_path, level=0)
    archive.append([page(1)])
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, unlimited[1]))
    try:
        with pytest.raises(PortalFull):
            archive.append([page(2), page(3, b"x" * 30_000), page(4)])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    archive.append([page(2), page(3, b"x" * 30_000)])
    assert [record.url for record in read_all(tmp_path) if record.kind == "response"] == [
        page(1).url,
        page(2).url,
        page(3).url,
    ]


def test_a_full_disk_while_a_file_is_begun(tmp_path: Path) -> None:
    archive = WarcArchive(tmp_path, level=0, max_bytes=3000)
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, unlimited[1]))
    try:
        with pytest.raises(PortalFull):
            archive.append([page(1), page(2), page(3, b"x" * 30_000)])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    assert list(tmp_path.iterdir()) == []
    assert archive.last is None
    archive.append([page(1)])
    assert len(read_all(tmp_path)) == 3


def test_series_do_not_touch_each_other(tmp_path: Path) -> None:
    crawl, other = WarcArchive(tmp_path), WarcArchive(tmp_path, series="import")
    [kept] = other.append([page(1)])
    crawl.append([page(1)])
    crawl.cut(None)
    assert series_files(tmp_path, "crawl") == []
    assert read_record(tmp_path, kept).url == page(1).url


def test_a_date_is_kept_to_the_microsecond(tmp_path: Path) -> None:
    [place] = WarcArchive(tmp_path).append([page(0, at=AT + 0.000123)])
    assert read_record(tmp_path, place).at == pytest.approx(AT + 0.000123, abs=1e-6)


def test_last_is_the_place_of_the_last_answer(tmp_path: Path) -> None:
    archive = WarcArchive(tmp_path)
    assert archive.last is None
    places = archive.append([page(1), page(2)])
    assert archive.last == places[-1]
    assert WarcArchive(tmp_path).last == places[-1]
    assert isinstance(archive.last, RecordPosition)
