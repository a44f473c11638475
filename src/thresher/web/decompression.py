"""Decompresses streams block by block: gzip, deflate, Brotli and Zstandard behind one small interface.

No step returns more than about `BLOCK` bytes, and no stream needs more memory than its window, so a caller that counts
blocks can stop a decompression bomb in time.
"""

import sys
import zlib
from typing import Final, NamedTuple, Protocol

import brotli  # type: ignore[import-untyped]

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

BLOCK: Final = 1 << 16
"""Bytes returned by a step; Brotli may return half as many again."""

ERRORS: Final = (zlib.error, brotli.error, zstd.ZstdError)
"""Exceptions raised for a broken stream."""

WINDOW: Final = 23
"""Binary logarithm of the largest Zstandard window: 8 MiB, the most a server may use in HTTP (RFC 9659)."""


class DecodedPart(NamedTuple):
    """The result of one step: decoded bytes, remaining input, and whether more comes without further input."""

    block: bytes
    rest: bytes
    more: bool


class Stream(Protocol):
    """One compressed stream; `ended` once its last byte was read, and then `Step.rest` is what follows it."""

    ended: bool

    def step(self, data: bytes) -> DecodedPart:
        """Process input and return at most a block; raise one of `ERRORS`."""


class Inflate:
    """A zlib stream: gzip, zlib or raw deflate."""

    def __init__(self, bits: int) -> None:
        self._stream = zlib.decompressobj(bits)
        self.ended = False

    def step(self, data: bytes) -> DecodedPart:
        """Process input and return at most a block."""
        block = self._stream.decompress(data, BLOCK)
        self.ended = self._stream.eof
        if self.ended:
            return DecodedPart(block, self._stream.unused_data, False)
        # A full block may leave output inside the stream although all input is consumed.
        return DecodedPart(block, self._stream.unconsumed_tail, len(block) == BLOCK)


class Brotli:
    """A Brotli stream with a window of at most 16 MiB."""

    def __init__(self) -> None:
        self._stream = brotli.Decompressor()
        self.ended = False

    def step(self, data: bytes) -> DecodedPart:
        """Process input and return at most a block; the stream keeps all input it was given."""
        block = self._stream.process(data, output_buffer_limit=BLOCK)
        self.ended = self._stream.is_finished()
        return DecodedPart(block, b"", not self.ended and not self._stream.can_accept_more_data())


class Zstandard:
    """A Zstandard frame with a window of at most 8 MiB."""

    def __init__(self) -> None:
        self._stream = zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: WINDOW})
        self.ended = False

    def step(self, data: bytes) -> DecodedPart:
        """Process input and return at most a block; the stream keeps all input it was given."""
        block = self._stream.decompress(data, BLOCK)
        self.ended = self._stream.eof
        if self.ended:
            return DecodedPart(block, self._stream.unused_data, False)
        return DecodedPart(block, b"", not self._stream.needs_input)


def another_gzip(data: bytes) -> bool:
    """Return whether two bytes after a gzip member begin another; anything else is padding.

    >>> another_gzip(b"\\x1f\\x8b"), another_gzip(b"\\0\\0")
    (True, False)
    """
    return data.startswith(b"\x1f\x8b")


def another_zstandard(data: bytes) -> bool:
    """Return whether four bytes after a Zstandard frame begin another frame, skippable or not."""
    return data.startswith(b"\x28\xb5\x2f\xfd") or (0x50 <= data[0] <= 0x5F and data[1:4] == b"\x2a\x4d\x18")


def another_brotli(data: bytes) -> bool:
    """Refuse anything after a Brotli stream, as the library does if both come in one piece."""
    raise brotli.error(f"{len(data)} bytes after the end")


def open_deflate(data: bytes) -> Inflate:
    """Return a stream for deflate, which means the zlib format, although many servers send raw deflate."""
    wrapped = data[0] & 0x0F == 8 and (data[0] << 8 | data[1]) % 31 == 0
    return Inflate(15 if wrapped else -15)
