"""Archives taken in from others and given out to others."""

import resource
from pathlib import Path

import pytest

from tests.packing import packed_gzip
from tests.store.archive.samples import (
    arc_record,
    hop,
    page,
    read_all,
    read_with_warcio,
    response,
    warc_record,
    warcs,
    write,
    zipped,
)
from thresher.errors import InputError, PortalFull
from thresher.store.archive.archive_files import index_path
from thresher.store.archive.archived import records
from thresher.store.archive.cdxj import rows
from thresher.store.archive.exporting import export
from thresher.store.archive.importing import import_archive
from thresher.store.archive.problems import Problem
from thresher.store.archive.stored import read_record
from thresher.store.archive.warc_archive import WarcArchive

REQUEST = b"GET / HTTP/1.1\r\nHost: a.test\r\n\r\n"


def request(url: str) -> bytes:
    return warc_record({"WARC-Type": "request", "WARC-Target-URI": url}, REQUEST)


def revisit(url: str, digest: str) -> bytes:
    fields = {"WARC-Type": "revisit", "WARC-Target-URI": url, "WARC-Payload-Digest": digest, "WARC-Date": "2020-01-01"}
    return warc_record(fields, b"HTTP/1.1 200 OK\r\nX: again\r\n\r\n")


def test_an_imported_warc_is_warc_1_1_with_an_index(tmp_path: Path) -> None:
    chunked = b"5\r\nhello\r\n0\r\n\r\n"
    path = write(
        tmp_path / "a.warc",
        warc_record({"WARC-Type": "warcinfo"}, b"software: other\r\n"),
        response("http://a.test/1", chunked, head=b"HTTP/1.1 200 Fine\nTransfer-Encoding: chunked\nx:y"),
        response(
            "http://a.test/2", b"", head=b"HTTP/1.1 404 Not Found", WARC_IP_Address="192.0.2.1", WARC_Truncated="time"
        ),
        warc_record({"WARC-Type": "metadata", "WARC-Target-URI": "http://a.test/2"}, b"x: y"),
        zipped=False,
    )
    done = import_archive(path, tmp_path / "archive")
    assert (done.answers, done.revisits, done.passed_over, done.problems) == (2, 0, 2, {})
    info, *answers = read_all(tmp_path / "archive")
    assert info.kind == "warcinfo"
    assert [(record.url, record.status) for record in answers] == [
        ("http://a.test/1", "200"),
        ("http://a.test/2", "404"),
    ]
    assert [record.fields["WARC-Date"] for record in answers] == ["2020-02-29T12:00:00.000000Z"] * 2
    [warc] = warcs(tmp_path / "archive")
    first, second = (read_record(tmp_path / "archive", row.place) for row in rows(index_path(warc)))
    assert first.head == b"HTTP/1.1 200 Fine\nTransfer-Encoding: chunked\nx:y\r\n\r\n"
    assert (first.payload, first.body()) == (chunked, b"hello")
    assert (second.status, second.ip, second.truncated) == (404, "192.0.2.1", "time")


@pytest.mark.parametrize("order", ["before", "after"])
def test_requests_come_along(tmp_path: Path, order: str) -> None:
    pairs = [(request(url), response(url, url.encode())) for url in ("http://a.test/1", "http://a.test/2")]
    ordered = [record for pair in pairs for record in (pair if order == "before" else pair[::-1])]
    done = import_archive(write(tmp_path / "a.warc.gz", *ordered, request("http://a.test/3")), tmp_path / "archive")
    assert (done.answers, done.passed_over) == (2, 1)
    seen = read_all(tmp_path / "archive")[1:]
    assert [record.kind for record in seen] == ["request", "response"] * 2
    assert seen[0].fields["WARC-Concurrent-To"] == seen[1].fields["WARC-Record-ID"]


def test_an_arc_becomes_a_warc(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.arc.gz",
        arc_record("filedesc://a.arc", b"1 1 x\n"),
        arc_record("dns:a.test", b"192.0.2.1"),
        arc_record("http://a.test/", b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>hi"),
    )
    assert import_archive(path, tmp_path / "archive").answers == 1
    [_, answer] = read_all(tmp_path / "archive")
    assert (answer.url, answer.payload, answer.fields["WARC-Date"]) == (
        "http://a.test/",
        b"<p>hi",
        "2008-04-30T20:48:25.000000Z",
    )


def test_revisits_find_their_originals_here_and_in_earlier_imports(tmp_path: Path) -> None:
    folder = tmp_path / "archive"
    one = write(
        tmp_path / "a.warc.gz",
        response("http://a.test/1", b"body one", WARC_Payload_Digest="md5:1"),
        revisit("http://a.test/2", "md5:1"),
        revisit("http://a.test/3", "md5:lost"),
    )
    done = import_archive(one, folder)
    assert (done.answers, done.revisits, done.problems) == (2, 1, {Problem.LOST_ORIGINAL.value: 1})
    [warc] = warcs(folder)
    first, second = (read_record(folder, row.place) for row in rows(index_path(warc)))
    assert (second.url, second.payload, second.header("x")) == ("http://a.test/2", b"body one", "again")
    two = write(tmp_path / "b.warc.gz", revisit("http://a.test/4", first.digest))
    assert import_archive(two, folder).revisits == 1


def test_problems_are_counted(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.warc.gz", response("http://a.test/1"), b"junk\r\n", response("http://a.test/2", b"x" * 900)
    )
    done = import_archive(path, tmp_path / "archive", max_record=800)
    assert done.answers == 1
    assert done.problems == {"bad-header": 1, "too-large": 1}


def test_several_records_compressed_as_one_become_seekable(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(packed_gzip(b"".join(response(f"http://a.test/{number}", b"%d" % number) for number in range(5))))
    assert import_archive(path, tmp_path / "archive").answers == 5
    [warc] = warcs(tmp_path / "archive")
    assert all(record.seekable for record in records(warc))


@pytest.mark.parametrize("data", [b"", b"no archive", b"\x1f\x8b\x08junk", b"<html>" * 1000])
def test_what_is_no_archive_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a").write_bytes(data)
    with pytest.raises(InputError):
        import_archive(tmp_path / "a", tmp_path / "archive")
    with pytest.raises(InputError):
        import_archive(tmp_path / "none", tmp_path / "archive")
    assert warcs(tmp_path / "archive") == []


def test_an_import_is_all_or_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "archive"
    import_archive(write(tmp_path / "a.warc.gz", response("http://a.test/1")), folder)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    noise = [response(f"http://a.test/{n}", bytes(i * n % 251 for i in range(9000))) for n in range(2, 9)]
    second = write(tmp_path / "b.warc", *noise, zipped=False)
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2500, unlimited[1]))
    try:
        with pytest.raises(PortalFull):
            import_archive(second, folder)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    archive = WarcArchive(tmp_path / "archive", max_bytes=3000)
    archive.append([page(1), zipped(2), hop(3), page(4, page(1).raw), *[page(n) for n in range(5, 12)]])
    import_archive(write(tmp_path / "a.warc.gz", response("http://z.test/1")), tmp_path / "archive")
    return tmp_path / "archive"


def test_an_export_holds_everything_in_one_sound_file(tmp_path: Path, folder: Path) -> None:
    done = export(folder, tmp_path / "all.warc.gz")
    seen = read_with_warcio(tmp_path / "all.warc.gz")
    assert all(record.digests is not False for record in seen)
    assert [record.kind for record in seen].count("warcinfo") == 1
    inside = [record for record in read_all(folder) if record.kind != "warcinfo"]
    assert [(one.kind, one.url, one.payload) for one in seen[1:]] == [
        (one.kind, one.url, one.payload) for one in inside
    ]
    assert (done.records, done.answers, done.problems) == (len(inside), 12, {})
    assert done.bytes == (tmp_path / "all.warc.gz").stat().st_size
    [again] = [record for record in seen if record.kind == "revisit"]
    assert "WARC-Refers-To-Filename" not in again.fields
    assert again.fields["WARC-Refers-To-Target-URI"] == page(1).url


def test_an_exported_index_is_sorted_and_right(tmp_path: Path, folder: Path) -> None:
    export(folder, tmp_path / "all.warc.gz")
    lines = (tmp_path / "all.cdxj").read_bytes().splitlines()
    assert lines == sorted(lines)
    places = {(record.url, record.offset, record.length) for record in read_with_warcio(tmp_path / "all.warc.gz")}
    listed = list(rows(tmp_path / "all.cdxj"))
    assert len(listed) == 12
    assert all((row.url, row.offset, row.length) in places and row.filename == "all.warc.gz" for row in listed)


def test_an_export_can_be_imported_again(tmp_path: Path, folder: Path) -> None:
    export(folder, tmp_path / "all.warc.gz")
    done = import_archive(tmp_path / "all.warc.gz", tmp_path / "again")
    assert (done.answers, done.revisits, done.problems) == (12, 1, {})


def test_nothing_uncommitted_is_exported(tmp_path: Path) -> None:
    archive = WarcArchive(tmp_path / "archive", max_bytes=3000)
    places = archive.append([page(number) for number in range(12)])
    assert places[7].file != places[-1].file
    export(tmp_path / "archive", tmp_path / "all.warc.gz", until=places[7])
    urls = [record.url for record in records(tmp_path / "all.warc.gz")]
    assert urls == [page(number).url for number in range(8)]


def test_damaged_records_are_left_out(tmp_path: Path) -> None:
    archive = WarcArchive(tmp_path / "archive", level=0)
    places = archive.append([page(number, b"x" * 100 + b"%d" % number) for number in range(3)])
    [warc] = warcs(tmp_path / "archive")
    data = bytearray(warc.read_bytes())
    data[places[1].offset + places[1].length // 2] ^= 1
    warc.write_bytes(data)
    done = export(tmp_path / "archive", tmp_path / "all.warc.gz")
    assert done.problems == {"broken-gzip": 1}
    assert [record.url for record in records(tmp_path / "all.warc.gz")] == [page(0).url, page(2).url]


def test_a_false_digest_is_found(tmp_path: Path) -> None:
    false = response("http://a.test/1", WARC_Block_Digest="sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ")
    (tmp_path / "archive").mkdir()
    write(tmp_path / "archive" / "x-000001.warc.gz", false, response("http://a.test/2"))
    done = export(tmp_path / "archive", tmp_path / "all.warc.gz")
    assert (done.answers, done.problems) == (1, {"bad-digest": 1})


def test_exports_that_cannot_be(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(InputError):
        export(tmp_path / "none", tmp_path / "all.warc.gz")
    with pytest.raises(InputError):
        export(folder, tmp_path / "all.zip")
    assert list(tmp_path.glob("*.part")) == []
