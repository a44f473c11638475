"""Indexes: every row leads to its record, and broken indexes do no harm."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from tests.store.archive.samples import hop, page, warcs, zipped
from thresher.store.archive.archive_files import index_path
from thresher.store.archive.cdxj import last_rows, read_row, rows, trim
from thresher.store.archive.surt import surt
from thresher.store.archive.warc_archive import WarcArchive


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    WarcArchive(tmp_path, max_bytes=6000).append(
        [page(n) for n in range(20)] + [zipped(20), hop(21), page(22, page(0).raw)]
    )
    return tmp_path


def test_every_row_leads_to_its_record(archive: Path) -> None:
    assert len(warcs(archive)) > 1
    found = []
    for warc in warcs(archive):
        for row in rows(index_path(warc)):
            assert row.filename == warc.name
            with warc.open("rb") as file:
                file.seek(row.offset)
                iterator = ArchiveIterator(file)
                record = next(iterator)
                assert record.rec_headers.get_header("WARC-Target-URI") == row.url
                assert record.rec_headers.get_header("WARC-Payload-Digest") == row.digest
                assert int(record.http_headers.get_statuscode()) == row.status
                stamp = record.rec_headers.get_header("WARC-Date").translate(str.maketrans("", "", "-:TZ"))[:14]
                assert stamp == row.time
                record.raw_stream.read()
                assert iterator.get_record_length() == row.length
            found.append((record.rec_type, row.mime))
    assert found[-3:] == [("response", "text/html"), ("response", "text/html"), ("revisit", "warc/revisit")]
    assert len(found) == 23


def test_rows_have_the_fields_other_tools_expect(archive: Path) -> None:
    line = index_path(warcs(archive)[0]).read_bytes().splitlines()[0]
    key, stamp, fields = line.split(b" ", 2)
    assert (key, stamp) == (b"test,site0)/page/0?a=1&b=2", b"20231114221320")
    assert msgspec.json.decode(fields, type=dict[str, str]).keys() == {
        "url",
        "mime",
        "status",
        "digest",
        "length",
        "offset",
        "filename",
    }


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://www.archive.org/goo/", "org,archive)/goo"),
        ("https://archive.org/goo/?b&a=2", "org,archive)/goo?a=2&b"),
        ("http://WWW2.Archive.org:8080/A", "org,archive:8080)/a"),
        ("http://www.test/", "test)/"),
        ("http://www/", "www)/"),
        ("http://192.0.2.1/x", "192.0.2.1)/x"),
        ("http://[2001:db8::1]:81/", "[2001:db8::1]:81)/"),
        ("http://[2001:db8::1]/", "[2001:db8::1])/"),
        ("dns:www.archive.org", "dns:www.archive.org"),
        ("no url at all", "no%20url%20at%20all"),
    ],
)
def test_keys(url: str, key: str) -> None:
    assert surt(url) == key


@given(st.text(max_size=80))
def test_keys_have_no_spaces(url: str) -> None:
    assert len(surt(f"http://a.test/{url}").split()) == 1
    assert len(surt(url).split()) <= 1


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"a b\n",
        b"a 2020 {}\n",
        b'a 2020 {"url": "u", "offset": "x"}\n',
        b'a 2020 {"url": "u", "offset": "-1"}\n',
        b'a 2020 {"url": "u", "offset": "1"}',
        b'a 2020 {"url": 1, "offset": "1"}\n',
        b'a \xff {"url": "u", "offset": "1"}\n',
        b"a 2020 " + b"[" * 5000 + b"\n",
    ],
)
def test_broken_lines_are_no_rows(line: bytes) -> None:
    assert read_row(line) is None


@given(st.binary(max_size=200))
def test_any_line_is_a_row_or_none(line: bytes) -> None:
    for whole in (line + b"\n", b'a 2020 {"url": "u", "offset": ' + line + b"}\n"):
        row = read_row(whole)
        assert row is None or row.offset >= 0


def test_rows_of_other_tools_are_read() -> None:
    row = read_row(b'test,a)/ 20200229120000 {"url": "http://a.test/", "offset": 7, "status": "-", "extra": [1]}\n')
    assert row is not None
    assert (row.url, row.offset, row.length, row.status, row.mime) == ("http://a.test/", 7, 0, 0, "unk")


def test_a_missing_index_is_empty(tmp_path: Path) -> None:
    assert list(rows(tmp_path / "none")) == last_rows(tmp_path / "none", 3) == []
    assert trim(tmp_path / "none", 9) is None


@pytest.mark.parametrize("count", [0, 1, 2, 19, 5000])
def test_the_last_rows(tmp_path: Path, count: int) -> None:
    archive = WarcArchive(tmp_path)
    for number in range(3):
        archive.append([page(n, b"") for n in range(number * 300, number * 300 + 300)])
    index = index_path(warcs(tmp_path)[0])
    everything = list(rows(index))
    assert last_rows(index, count) == (everything[-count:] if count else [])
    with index.open("ab") as file:
        file.write(b"test,a)/ 2020")
    assert last_rows(index, 1) == everything[-1:]


def test_an_index_is_cut_behind_a_record(archive: Path) -> None:
    index = index_path(warcs(archive)[0])
    everything = list(rows(index))
    assert trim(index, everything[3].offset) == everything[3]
    assert list(rows(index)) == everything[:4]
    assert trim(index, 0) is None
    assert index.read_bytes() == b""
