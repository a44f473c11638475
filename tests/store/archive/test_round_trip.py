"""Whatever was received comes back as it was, and another library reads the same."""

import gzip
import string
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.store.archive.samples import AT, hop, page, read_all
from thresher.store.archive.answering import answer_from
from thresher.store.archive.archive_files import RecordPosition
from thresher.store.archive.cdxj import line_of, read_row, row_of
from thresher.store.archive.dates import read_date, warc_date
from thresher.store.archive.http_message import answer_head, read_head, unchunk
from thresher.store.archive.stored import read_record
from thresher.store.archive.warc_archive import WarcArchive
from thresher.types import Fetched, Redirected

TOKENS = st.text(string.ascii_letters + string.digits + "-_.!#$%&'*+^`|~", min_size=1, max_size=20).filter(
    lambda name: name.lower() not in ("content-encoding", "transfer-encoding", "content-length", "content-type")
)
VALUES = st.text(st.characters(max_codepoint=255, exclude_characters="\r\n\0"), max_size=60).map(
    lambda s: s.strip(" \t")
)
HEADERS = st.lists(st.tuples(TOKENS, VALUES), max_size=8)
BODIES = st.one_of(
    st.binary(max_size=300), st.just(b""), st.just(b"\r\n\r\n"), st.binary(min_size=70_000, max_size=70_000)
)
CODINGS = {"": lambda body: body, "gzip": gzip.compress, "deflate": zlib.compress}


@st.composite
def fetched(draw: st.DrawFn) -> Fetched:
    coding = draw(st.sampled_from(sorted(CODINGS)))
    body = draw(BODIES)
    headers = draw(HEADERS) + ([("Content-Encoding", coding)] if coding else [])
    if draw(st.booleans()):
        headers.insert(0, ("Transfer-Encoding", "chunked"))
    return page(
        draw(st.integers(0, 99)),
        body,
        raw=CODINGS[coding](body),
        headers=[*headers, ("Content-Type", "text/csv")],
        mime="text/csv",
        http_version=draw(st.sampled_from(["1.0", "1.1", "2"])),
        at=draw(st.integers(0, 4_000_000_000_000_000)) / 1e6,
    )


@st.composite
def redirected(draw: st.DrawFn) -> Redirected:
    headers = [("Location", "/there"), *draw(HEADERS)]
    changed = replace(hop(draw(st.integers(0, 99)), "http://a.test/there"), headers=headers, raw=draw(BODIES))
    return replace(changed, status=draw(st.sampled_from([301, 302, 303, 307, 308])))


@pytest.mark.slow
@settings(max_examples=120)
@given(answers=st.lists(st.one_of(fetched(), redirected()), min_size=1, max_size=4))
def test_answers_come_back(tmp_path_factory: pytest.TempPathFactory, answers: list[Fetched | Redirected]) -> None:
    folder = tmp_path_factory.mktemp("trip")
    places = WarcArchive(folder).append(answers)
    back = [answer_from(read_record(folder, place)) for place in places]
    assert back == [replace(answer, request=[]) for answer in answers]
    seen = [record for record in read_all(folder) if record.kind in ("response", "revisit")]
    for record, answer in zip(seen, answers, strict=True):
        assert (record.url, record.status) == (answer.url, str(answer.status))
        assert record.payload == (answer.raw if record.kind == "response" else b"")


@given(version=st.sampled_from(["1.0", "1.1", "2"]), status=st.integers(100, 999), headers=HEADERS, body=BODIES)
def test_heads_come_back(version: str, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
    head = answer_head(version, status, headers)
    assert read_head(head + body) == (version, status, headers, len(head))


@given(st.lists(st.binary(min_size=1, max_size=50), max_size=5), st.sampled_from([b"", b";x=y", b" "]))
def test_chunks_are_undone(parts: list[bytes], extension: bytes) -> None:
    coded = b"".join(b"%x%b\r\n%b\r\n" % (len(part), extension, part) for part in parts) + b"0\r\n\r\n"
    assert unchunk(coded) == b"".join(parts)


@given(st.integers(-62_135_596_800_000_000, 250_000_000_000_000_000))
def test_dates_come_back(micros: int) -> None:
    assert read_date(warc_date(micros / 1e6)) == pytest.approx(micros / 1e6, abs=2e-5)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2008-04-30T20:48:25Z", 1209588505.0),
        ("2008-04-30T20:48:25.123456789Z", 1209588505.123456),
        ("2008-04-30T22:48:25+02:00", 1209588505.0),
        ("20080430204825", 1209588505.0),
        ("20080430204825123", None),
        ("2008", 1199145600.0),
        ("20081399000000", None),
        ("9999-12-31T23:59:60Z", None),
        ("", None),
        ("٢٠٠٨", None),
        ("Wed, 30 Apr 2008 20:48:25 GMT", None),
    ],
)
def test_dates_of_others(text: str, at: float | None) -> None:
    assert read_date(text) == at


@given(
    url=st.text(max_size=60),
    at=st.integers(0, 4_000_000_000),
    mime=st.text(max_size=10),
    status=st.integers(0, 999),
    offset=st.integers(0, 1 << 62),
)
def test_rows_come_back(url: str, at: int, mime: str, status: int, offset: int) -> None:
    row = row_of(url, float(at), mime, status, "sha1:A", RecordPosition("a.warc.gz", offset, 7))
    assert read_row(line_of(row)) == row


def test_the_clock_of_the_archive_is_kept(tmp_path: Path) -> None:
    [place] = WarcArchive(tmp_path).append([page(1, at=AT)])
    assert answer_from(read_record(tmp_path, place)).at == AT
    assert answer_from(read_record(tmp_path, place), at=5.0).at == 5.0
