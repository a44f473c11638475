"""Reading archives of others: WARC and ARC, compressed or not, sound or broken on purpose."""

import tracemalloc
import zlib
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.packing import packed_gzip
from tests.store.archive.samples import arc_record, response, warc_record, write
from thresher.errors import InputError
from thresher.reasons import Reason
from thresher.store.archive.archived import Archived, records
from thresher.store.archive.problems import MEANING, Problem, Problems
from thresher.store.archive.raw_records import RawRecord, raw_records, read_raw

GOOD = [response(f"http://a.test/{number}", b"payload %d" % number) for number in range(4)]
ARC_GOOD = [
    arc_record(f"http://a.test/{number}", b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\npayload %d" % number)
    for number in range(4)
]


def read(path: Path, **limits: int) -> tuple[list[Archived], Problems]:
    problems = Problems()
    return list(records(path, problems, **limits)), problems


def urls(path: Path) -> tuple[list[str], dict[Problem, int]]:
    found, problems = read(path)
    return [record.url for record in found], dict(problems)


@pytest.mark.parametrize("zipped", [True, False])
@pytest.mark.parametrize("made", [GOOD, ARC_GOOD])
def test_sound_files(tmp_path: Path, made: list[bytes], zipped: bool) -> None:
    path = write(tmp_path / "a", *made, zipped=zipped)
    found, problems = read(path)
    assert [(record.url, record.status, record.mime, record.payload) for record in found] == [
        (f"http://a.test/{number}", 200, "text/html", b"payload %d" % number) for number in range(4)
    ]
    assert not problems
    for record in found:
        with path.open("rb") as file:
            again = read_raw(file, record.place.offset)
            assert not isinstance(again, Problem)
            assert (again.url, again.length) == (record.url, record.place.length)


def test_dates_addresses_and_versions(tmp_path: Path) -> None:
    warc = response("http://a.test/", WARC_Date="2020-02-29T12:00:00.5Z", WARC_IP_Address="192.0.2.9")
    found, _ = read(write(tmp_path / "a", warc, ARC_GOOD[0], zipped=False))
    assert [(record.at, record.ip, record.http_version) for record in found] == [
        (1582977600.5, "192.0.2.9", "1.1"),
        (1209588505.0, "192.0.2.1", "1.1"),
    ]


def test_an_arc_of_the_second_version(tmp_path: Path) -> None:
    block = b"HTTP/1.0 404 Not Found\n\nno"
    head = b"http://a.test/x y 192.0.2.1 20080430204825 text/html 404 abc - 0 a.arc %d\n" % len(block)
    [record], problems = read(write(tmp_path / "a.arc", head + block + b"\n", zipped=False))
    assert (record.url, record.status, record.payload, dict(problems)) == ("http://a.test/x y", 404, b"no", {})


def test_what_is_no_answer_is_passed_over(tmp_path: Path) -> None:
    others = [
        warc_record({"WARC-Type": "warcinfo"}, b"software: x\r\n"),
        warc_record({"WARC-Type": "request", "WARC-Target-URI": "http://a.test/"}, b"GET / HTTP/1.1\r\n\r\n"),
        warc_record({"WARC-Type": "response", "WARC-Target-URI": "dns:a.test"}, b"192.0.2.1"),
        warc_record({"WARC-Type": "metadata", "WARC-Target-URI": "http://a.test/"}, b"x: y"),
        warc_record({"WARC-Type": "new-kind", "WARC-Target-URI": "http://a.test/"}, b""),
        arc_record("filedesc://a.arc", b"1 1 x\nURL IP-address Archive-date Content-type Archive-length\n"),
        arc_record("dns:a.test", b"192.0.2.1"),
    ]
    assert urls(write(tmp_path / "a", *others, GOOD[0])) == (["http://a.test/0"], {})


def test_a_resource_is_a_page(tmp_path: Path) -> None:
    fields = {
        "WARC-Type": "resource",
        "WARC-Target-URI": "<http://a.test/>",
        "WARC-Date": "2020-02-29T12:00:00Z",
        "Content-Type": "text/plain; charset=utf-8",
    }
    [record], _ = read(write(tmp_path / "a", warc_record(fields, b"text")))
    assert (record.url, record.status, record.mime, record.body()) == ("http://a.test/", 200, "text/plain", b"text")


def test_codings_are_undone_under_a_limit(tmp_path: Path) -> None:
    packed = packed_gzip(b"hello " * 1000)
    chunks = b"%x\r\n%b\r\n0\r\n\r\n" % (len(packed), packed)
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip"
    [record], _ = read(write(tmp_path / "a", response("http://a.test/", chunks, head=head)))
    assert record.received() == packed
    assert record.body() == b"hello " * 1000
    assert record.body(5999) is Reason.BODY_TOO_LARGE


def test_a_coding_that_is_only_claimed(tmp_path: Path) -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked"
    [record], _ = read(write(tmp_path / "a", response("http://a.test/", b"<html>", head=head)))
    assert record.body() == b"<html>"
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip"
    [record], _ = read(write(tmp_path / "b", response("http://a.test/", b"<html>", head=head)))
    assert record.body() is Reason.BAD_CODING


@pytest.mark.parametrize(
    ("broken", "problem"),
    [
        (response("http://a.test:99999/"), Problem.BAD_URL),
        (response("http://a.test/", WARC_Date="soon"), Problem.BAD_DATE),
        (response("http://a.test/", head=b"ICY 200"), Problem.BAD_HTTP),
        (warc_record({"WARC-Type": "response", "WARC-Target-URI": "http://a.test/"}, b""), Problem.BAD_HTTP),
        (warc_record({"WARC-Type": "response"}, b"abc", length="-3"), Problem.BAD_LENGTH),
        (warc_record({"WARC-Type": "response"}, b"abc", length="many"), Problem.BAD_LENGTH),
        (warc_record({"WARC-Type": "response"}, b"abc", length="9" * 18), None),
        (warc_record({"WARC-Type": "response"}, b"abcdef" * 9, length=3), Problem.BAD_LENGTH),
        (warc_record({"WARC-Type": "response"}, b"abcdef", length=60), None),
        (b"WARC/1.0\r\n" + b"X: y\r\n" * 20_000 + b"\r\n", Problem.BAD_HEADER),
        (b"no record at all\r\n", Problem.BAD_HEADER),
        (arc_record("http://b.test/", b"abcdef", length=60), None),
    ],
)
@pytest.mark.parametrize("zipped", [True, False])
def test_a_broken_record_is_counted_and_the_others_are_read(
    tmp_path: Path, broken: bytes, problem: Problem | None, zipped: bool
) -> None:
    found, problems = urls(write(tmp_path / "a", GOOD[0], broken, *GOOD[1:], zipped=zipped))
    assert [url for url in found if url != "http://a.test/"] == [f"http://a.test/{number}" for number in range(4)]
    assert sum(problems.values()) >= 1
    assert problem is None or problem in problems


@pytest.mark.parametrize("made", [GOOD, ARC_GOOD])
def test_damage_inside_of_a_member_costs_that_member(tmp_path: Path, made: list[bytes]) -> None:
    members = [packed_gzip(record) for record in made]
    middle = bytearray(members[1])
    middle[len(middle) // 2] ^= 0xFF
    path = tmp_path / "a"
    for damaged in (bytes(middle), members[1][:-20], b"junk" * 50, members[1] + b"between", b"\0" * 600):
        path.write_bytes(members[0] + damaged + members[2] + members[3])
        found, _ = urls(path)
        assert found[0] == "http://a.test/0"
        assert found[-2:] == ["http://a.test/2", "http://a.test/3"]


def test_a_head_that_breaks_off(tmp_path: Path) -> None:
    path = write(tmp_path / "a", GOOD[0], b"WARC/1.0\r\nWARC-Type: response", GOOD[1])
    assert urls(path) == (["http://a.test/0", "http://a.test/1"], {Problem.BAD_HEADER: 1})


def test_a_file_that_breaks_off(tmp_path: Path) -> None:
    path = write(tmp_path / "a", *GOOD)
    path.write_bytes(path.read_bytes()[:-9])
    found, problems = urls(path)
    assert found == ["http://a.test/0", "http://a.test/1", "http://a.test/2"]
    assert problems == {Problem.CUT_OFF: 1}


def test_many_records_in_one_member_are_read_but_not_seekable(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(packed_gzip(b"".join(GOOD)))
    found, problems = read(path)
    assert [record.url for record in found] == [f"http://a.test/{number}" for number in range(4)]
    assert [record.seekable for record in found] == [True, False, False, False]
    assert not problems


def test_a_large_record_is_passed_over(tmp_path: Path) -> None:
    for zipped in (True, False):
        path = write(tmp_path / "a", GOOD[0], response("http://a.test/big", b"x" * 5000), GOOD[1], zipped=zipped)
        found, problems = read(path, max_record=1000)
        assert [record.url for record in found] == ["http://a.test/0", "http://a.test/1"]
        assert problems == {Problem.TOO_LARGE: 1}


@pytest.mark.slow
def test_a_bomb_costs_little_memory(tmp_path: Path) -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    size = 200 << 20
    head = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.test/\r\nContent-Length: %d\r\n\r\n" % size
    parts = [packer.compress(head)] + [packer.compress(bytes(1 << 20)) for _ in range(size >> 20)] + [packer.flush()]
    path = tmp_path / "a"
    path.write_bytes(b"".join(parts) + packed_gzip(GOOD[0]))
    tracemalloc.start()
    found, problems = urls(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (found, problems) == (["http://a.test/0"], {Problem.TOO_LARGE: 1})
    assert peak < 5 << 20


def test_too_much_damage_ends_the_reading(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(packed_gzip(GOOD[0]) + b"\x1f\x8b\x08\x00" * 5000 + packed_gzip(GOOD[1]))
    found, problems = urls(path)
    assert found == ["http://a.test/0"]
    assert problems[Problem.GIVEN_UP] == 1


def test_a_missing_file_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        list(records(tmp_path / "none"))
    with pytest.raises(InputError):
        list(records(tmp_path))


@pytest.mark.parametrize("data", [b"", b"\n\n\n", b"\x1f\x8b", b"\x1f", b"\0" * 10, b"WARC/", b"\xff" * 100])
def test_files_that_are_none(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a").write_bytes(data)
    assert urls(tmp_path / "a")[0] == []


@settings(max_examples=200)
@given(
    made=st.sampled_from([GOOD, ARC_GOOD]),
    zipped=st.booleans(),
    cuts=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 30), st.binary(max_size=30)), max_size=3),
)
def test_any_damage_is_survived(made: list[bytes], zipped: bool, cuts: list[tuple[float, int, bytes]]) -> None:
    data = b"".join(packed_gzip(record) if zipped else record for record in made)
    for share, length, put in cuts:
        start = int(share * len(data))
        data = data[:start] + put + data[start + length :]
    problems = Problems()
    found = list(raw_records(BytesIO(data), problems, max_record=10_000))
    assert len(found) <= 8
    if not cuts:
        assert (len(found), problems.total()) == (4, 0)


@settings(max_examples=200)
@given(st.binary(max_size=400), st.booleans())
def test_any_bytes_are_read(data: bytes, zipped: bool) -> None:
    found = [
        *raw_records(BytesIO(packed_gzip(data) if zipped else data), Problems()),
        *raw_records(BytesIO(b"WARC/1.0\r\n" + data), Problems()),
    ]
    assert all(record.offset >= 0 for record in found)
    assert isinstance(read_raw(BytesIO(data), 3), RawRecord | Problem)


def test_every_problem_has_a_meaning() -> None:
    assert set(MEANING) == set(Problem)
