"""Content codings: every form servers send, cut and broken streams, and bombs."""

import gzip
import time
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.reasons import Reason
from thresher.web.codings import Decoder


def deflate(data: bytes, wbits: int = 15) -> bytes:
    packer = zlib.compressobj(wbits=wbits)
    return packer.compress(data) + packer.flush()


def decode(coding: str, data: bytes, limit: int = 1 << 20, chunk: int = 1000) -> bytes | Reason:
    decoder = Decoder(coding, limit)
    for start in range(0, len(data), chunk):
        if decoder.feed(data[start : start + chunk]):
            break
    return decoder.finish()


TEXT = b"the quick brown fox " * 500


@pytest.mark.parametrize(
    ("coding", "data"),
    [
        ("", TEXT),
        ("identity", TEXT),
        ("gzip", gzip.compress(TEXT)),
        ("GZip", gzip.compress(TEXT)),
        ("x-gzip", gzip.compress(TEXT)),
        ("deflate", deflate(TEXT)),
        ("deflate", deflate(TEXT, -15)),
        ("gzip", gzip.compress(TEXT[:100]) + gzip.compress(TEXT[100:])),
        ("gzip", gzip.compress(TEXT) + b"\0" * 100),
        ("deflate", deflate(TEXT) + b"garbage"),
        ("gzip, identity", gzip.compress(TEXT)),
        ("deflate, gzip", gzip.compress(deflate(TEXT))),
        ("gzip,gzip ,gzip", gzip.compress(gzip.compress(gzip.compress(TEXT)))),
    ],
)
@pytest.mark.parametrize("chunk", [1, 7, 100_000])
def test_codings_are_undone(coding: str, data: bytes, chunk: int) -> None:
    assert decode(coding, data, chunk=chunk) == TEXT


@pytest.mark.parametrize(
    ("coding", "data"),
    [
        ("br", TEXT),
        ("gzip;q=1", gzip.compress(TEXT)),
        ("gzip,gzip,gzip,gzip", TEXT),
        ("gzip", TEXT),
        ("gzip", gzip.compress(TEXT)[:-1]),
        ("gzip", gzip.compress(TEXT)[:-8] + b"\0" * 8),
        ("gzip", b"\x1f"),
        ("gzip", gzip.compress(b"x") + gzip.compress(TEXT)[:50]),
        ("deflate", deflate(TEXT)[:-3]),
        ("deflate", deflate(TEXT, -15)[:-3]),
        ("deflate", b"\xff" * 50),
        ("deflate, gzip", gzip.compress(deflate(TEXT)[:-5])),
        ("gzip", gzip.compress(b"") * 2000),
    ],
)
def test_broken_streams_are_bad_codings(coding: str, data: bytes) -> None:
    assert decode(coding, data) is Reason.BAD_CODING


@pytest.mark.parametrize("coding", ["", "gzip", "deflate", "gzip, deflate"])
def test_an_empty_body_has_no_stream_to_break(coding: str) -> None:
    assert Decoder(coding, 100).finish() == b""


def test_the_limit_counts_received_and_decoded_bytes() -> None:
    assert decode("", b"x" * 100, limit=100) == b"x" * 100
    assert decode("", b"x" * 101, limit=100) is Reason.BODY_TOO_LARGE
    assert decode("gzip", gzip.compress(b"x" * 100_000), limit=100_000) == b"x" * 100_000
    assert decode("gzip", gzip.compress(b"x" * 100_001), limit=100_000) is Reason.BODY_TOO_LARGE
    assert decode("gzip", gzip.compress(b"x") + b"\0" * 200, limit=100) is Reason.BODY_TOO_LARGE


def test_bombs_are_cut_early() -> None:
    bomb = gzip.compress(b"\0" * 50_000_000)
    stacked = gzip.compress(bomb)
    start = time.process_time()
    for coding, data in (("gzip", bomb), ("gzip, gzip", stacked), ("gzip, gzip", gzip.compress(bomb * 3))):
        assert decode(coding, data, limit=1_000_000) is Reason.BODY_TOO_LARGE
    assert time.process_time() - start < 1


@given(st.binary(max_size=2000), st.sampled_from(["gzip", "deflate", "deflate, gzip"]), st.integers(1, 50))
@settings(deadline=None)
def test_arbitrary_bytes_never_raise(data: bytes, coding: str, chunk: int) -> None:
    assert isinstance(decode(coding, data, chunk=chunk), bytes | Reason)


@given(st.binary(max_size=300_000), st.integers(1, 100_000))
@settings(max_examples=40, deadline=None)
def test_what_was_packed_comes_back_whole(data: bytes, chunk: int) -> None:
    assert decode("gzip", gzip.compress(data, 1), chunk=chunk) == data
    assert decode("gzip", gzip.compress(data * 3, 9), chunk=chunk) == data * 3
