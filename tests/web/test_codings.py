"""Content codings: every form servers send, cut and broken streams, and bombs."""

import tracemalloc
import zlib

import brotli
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.packing import packed_gzip
from thresher.reasons import Reason
from thresher.web.codings import ACCEPT, Decoder
from thresher.web.decompression import zstd


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
SKIPPED = b"\x5a\x2a\x4d\x18" + (3).to_bytes(4, "little") + b"abc"
PACK = {
    "gzip": lambda data: packed_gzip(data, 6),
    "deflate": deflate,
    "br": lambda data: brotli.compress(data, quality=5),
    "zstd": zstd.compress,
}


def wide_window() -> bytes:
    """Return a Zstandard frame whose window is larger than HTTP allows."""
    parameter = zstd.CompressionParameter
    packer = zstd.ZstdCompressor(options={parameter.window_log: 27, parameter.enable_long_distance_matching: 1})
    return packer.compress(b"small") + packer.flush()


def test_servers_are_asked_for_what_can_be_undone() -> None:
    assert ", ".join(PACK) == ACCEPT


@pytest.mark.parametrize(
    ("coding", "data"),
    [
        ("", TEXT),
        ("identity", TEXT),
        ("gzip", packed_gzip(TEXT)),
        ("GZip", packed_gzip(TEXT)),
        ("x-gzip", packed_gzip(TEXT)),
        ("deflate", deflate(TEXT)),
        ("deflate", deflate(TEXT, -15)),
        ("gzip", packed_gzip(TEXT[:100]) + packed_gzip(TEXT[100:])),
        ("gzip", packed_gzip(TEXT) + b"\0" * 100),
        ("deflate", deflate(TEXT) + b"garbage"),
        ("gzip, identity", packed_gzip(TEXT)),
        ("deflate, gzip", packed_gzip(deflate(TEXT))),
        ("gzip,gzip ,gzip", packed_gzip(packed_gzip(packed_gzip(TEXT)))),
        ("br", brotli.compress(TEXT)),
        ("zstd", zstd.compress(TEXT)),
        ("zstd", zstd.compress(TEXT[:100]) + zstd.compress(TEXT[100:])),
        ("zstd", SKIPPED + zstd.compress(TEXT) + SKIPPED),
        ("zstd", zstd.compress(TEXT) + b"\0" * 100),
        ("zstd, br, gzip", packed_gzip(brotli.compress(zstd.compress(TEXT)))),
    ],
)
@pytest.mark.parametrize("chunk", [1, 7, 100_000])
def test_codings_are_undone(coding: str, data: bytes, chunk: int) -> None:
    assert decode(coding, data, chunk=chunk) == TEXT


@pytest.mark.parametrize(
    ("coding", "data"),
    [
        ("br", TEXT),
        ("br", brotli.compress(TEXT)[:-1]),
        ("br", brotli.compress(TEXT) + b"garbage"),
        ("br", brotli.compress(TEXT) * 2),
        ("zstd", TEXT),
        ("zstd", zstd.compress(TEXT)[:-1]),
        ("zstd", zstd.compress(TEXT) + zstd.compress(TEXT)[:9]),
        ("zstd", wide_window()),
        ("zstd", b"\x28\xb5\x2f"),
        ("zstd", SKIPPED * 2000),
        ("zstd, br", brotli.compress(zstd.compress(TEXT)[:-5])),
        ("compress", TEXT),
        ("gzip;q=1", packed_gzip(TEXT)),
        ("gzip,gzip,gzip,gzip", TEXT),
        ("gzip", TEXT),
        ("gzip", packed_gzip(TEXT)[:-1]),
        ("gzip", packed_gzip(TEXT)[:-8] + b"\0" * 8),
        ("gzip", b"\x1f"),
        ("gzip", packed_gzip(b"x") + packed_gzip(TEXT)[:50]),
        ("deflate", deflate(TEXT)[:-3]),
        ("deflate", deflate(TEXT, -15)[:-3]),
        ("deflate", b"\xff" * 50),
        ("deflate, gzip", packed_gzip(deflate(TEXT)[:-5])),
        ("gzip", packed_gzip(b"") * 2000),
    ],
)
def test_broken_streams_are_bad_codings(coding: str, data: bytes) -> None:
    assert decode(coding, data) is Reason.BAD_CODING


@pytest.mark.parametrize("coding", ["", *PACK, "gzip, deflate"])
def test_an_empty_body_has_no_stream_to_break(coding: str) -> None:
    assert Decoder(coding, 100).finish() == b""


def test_the_limit_counts_received_and_decoded_bytes() -> None:
    assert decode("", b"x" * 100, limit=100) == b"x" * 100
    assert decode("", b"x" * 101, limit=100) is Reason.BODY_TOO_LARGE
    assert decode("gzip", packed_gzip(b"x" * 100_000), limit=100_000) == b"x" * 100_000
    assert decode("gzip", packed_gzip(b"x" * 100_001), limit=100_000) is Reason.BODY_TOO_LARGE
    assert decode("gzip", packed_gzip(b"x") + b"\0" * 200, limit=100) is Reason.BODY_TOO_LARGE


@pytest.mark.parametrize("coding", [*PACK, "gzip, gzip", "zstd, gzip", "br, zstd", "gzip, br"])
def test_bombs_are_cut_early_in_bounded_memory(coding: str) -> None:
    bomb = b"\0" * 50_000_000
    for name in coding.split(", "):
        bomb = PACK[name](bomb)
    tracemalloc.start()
    assert decode(coding, bomb, limit=1_000_000, chunk=65536) is Reason.BODY_TOO_LARGE
    assert tracemalloc.get_traced_memory()[1] < 4_000_000
    tracemalloc.stop()


@pytest.mark.parametrize("coding", PACK)
def test_a_bomb_can_be_cut_to_its_beginning(coding: str) -> None:
    decoder = Decoder(coding, 1000)
    decoder.feed(PACK[coding](b"x" * 10_000_000))
    assert decoder.cut() == b"x" * 1000


@pytest.mark.parametrize("coding", ["", *PACK])
@pytest.mark.parametrize("chunk", [1, 100_000])
def test_the_beginning_can_be_looked_at_on_the_way(coding: str, chunk: int) -> None:
    data = PACK[coding](TEXT) if coding else TEXT
    decoder = Decoder(coding, 1 << 20)
    while decoder.decoded < 30:
        assert decoder.feed(data[:chunk]) is None
        data = data[chunk:]
    assert decoder.head(30) == TEXT[:30]
    assert decoder.head(5) == TEXT[:5]


@pytest.mark.parametrize("coding", ["", *PACK])
def test_the_limit_can_be_lowered_on_the_way(coding: str) -> None:
    data = PACK[coding](TEXT) if coding else TEXT
    for limit, outcome in ((len(TEXT), TEXT), (len(TEXT) - 1, Reason.BODY_TOO_LARGE), (1 << 21, TEXT)):
        early, late = Decoder(coding, 1 << 20), Decoder(coding, 1 << 20)
        early.tighten(limit)
        early.feed(data)
        late.feed(data)
        late.tighten(limit)
        assert early.finish() == late.finish() == outcome


@given(st.binary(max_size=2000), st.sampled_from([*PACK, "deflate, gzip", "zstd, br"]), st.integers(1, 50))
def test_arbitrary_bytes_never_raise(data: bytes, coding: str, chunk: int) -> None:
    assert isinstance(decode(coding, data, chunk=chunk), bytes | Reason)


@given(st.data(), st.sampled_from([*PACK]), st.integers(1, 50))
def test_a_damaged_stream_never_raises(data: st.DataObject, coding: str, chunk: int) -> None:
    packed = bytearray(PACK[coding](TEXT))
    packed[data.draw(st.integers(0, len(packed) - 1))] ^= data.draw(st.integers(1, 255))
    assert isinstance(decode(coding, bytes(packed), chunk=chunk), bytes | Reason)


@given(st.binary(max_size=100_000), st.sampled_from([*PACK]), st.integers(1, 100_000))
@settings(max_examples=60)
def test_what_was_packed_comes_back_whole(data: bytes, coding: str, chunk: int) -> None:
    assert decode(coding, PACK[coding](data), chunk=chunk) == data
    assert decode(coding, PACK[coding](data * 3), chunk=chunk) == data * 3
