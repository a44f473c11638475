"""A gzip file that unpacks to itself, byte for byte, so opening archives in archives never ends.

Deflate has two instructions: *print* the bytes that follow, and *repeat* the last ones printed. Both can be written in
five bytes, and a program of them can print itself with any head before it and any tail after it. The tail has the
checksum of the whole file, which depends on itself: a system of 32 linear equations over the bits.
"""

import struct
import zlib
from collections.abc import Callable
from typing import Final

_UNIT: Final = 5
"""Size of an instruction in bytes."""

_NAME: Final = b"r.gz\0"
_END: Final = b"\x01\x00\x00\xff\xff"
"""The last block of a stream, which is empty."""


def gzip_quine() -> bytes:
    """Return a gzip file that unpacks to itself.

    >>> quine = gzip_quine()
    >>> zlib.decompress(quine, 31) == quine
    True
    """
    return next(file for stamp in range(256) if (file := _stamped(stamp)) is not None)


def _stamped(stamp: int) -> bytes | None:
    """Return the file with a time stamp, or None if the equations of its checksum have no solution."""
    head = b"\x1f\x8b\x08\x08" + struct.pack("<I", stamp) + b"\x00\x03" + _NAME
    size = len(_written(head, _END + bytes(8)))

    def file(crc: int) -> bytes:
        return _written(head, _END + struct.pack("<II", crc, size))

    crc = _fixed_point(lambda crc: zlib.crc32(file(crc)))
    return None if crc is None else file(crc)


def _written(head: bytes, tail: bytes) -> bytes:
    """Return the program that prints itself between a head and a tail.

    The output lags behind the input, at first by the head. Each print adds its own instruction to the lag, and each
    repeat subtracts what it prints again, until the last one prints itself and the tail.
    """
    p, s, four = len(head) + _UNIT, len(tail) + _UNIT, 4 * _UNIT
    opening = _print(p) + head + _print(p) + _repeat(p) + _print(_UNIT) + _repeat(p) + _print(_UNIT) + _print(_UNIT)
    middle = _print(four) + _repeat(p) + _print(_UNIT) + _print(_UNIT) + _print(four) + _repeat(four)
    middle += _print(four) + (_repeat(four) + _print(four)) * 2 + _repeat(four)
    turn = _repeat(four) + _print(0) + _print(0) + _print(s)
    closing = _print(four) + turn + turn + _repeat(s) + tail + _repeat(s) + tail
    return head + opening + middle + closing


def _print(size: int) -> bytes:
    """Return the instruction that prints the bytes after it: the head of an uncompressed block."""
    return b"\x00" + struct.pack("<HH", size, size ^ 0xFFFF)


def _repeat(size: int) -> bytes:
    """Return the instruction that repeats the last 17 to 20 bytes, as two matches of a compressed block.

    3 bits begin the block, twice 7 bits encode a length and 8 a distance, and 7 end the block: forty in total.
    """
    bits: list[int] = [0, 1, 0]
    for length in (size - size // 2, size // 2):
        bits += _most_first(length - 2, 7)  # codes 257 to 264 are lengths 3 to 10
        bits += _most_first(8, 5) + [size - 17 >> place & 1 for place in range(3)]  # code 8: distances 17 to 24
    bits += [0] * 7
    return bytes(sum(bit << place for place, bit in enumerate(bits[at : at + 8])) for at in range(0, 40, 8))


def _most_first(code: int, width: int) -> list[int]:
    return [code >> place & 1 for place in reversed(range(width))]


def _fixed_point(function: Callable[[int], int]) -> int | None:
    """Return x with f(x) = x for an affine function of 32 bits, or None if there is none."""
    constant = function(0)
    # Rows of f(x) ^ x = constant: for each row, the bits of x it depends on, with its right-hand side above them.
    columns = [function(1 << bit) ^ constant ^ (1 << bit) for bit in range(32)]
    rows = [sum((column >> bit & 1) << at for at, column in enumerate(columns)) for bit in range(32)]
    rows = [row | (constant >> bit & 1) << 32 for bit, row in enumerate(rows)]
    for bit in range(32):
        pivot = next((at for at in range(bit, 32) if rows[at] >> bit & 1), None)
        if pivot is None:
            return None
        rows[bit], rows[pivot] = rows[pivot], rows[bit]
        rows = [row ^ rows[bit] if at != bit and row >> bit & 1 else row for at, row in enumerate(rows)]
    return sum((row >> 32 & 1) << bit for bit, row in enumerate(rows))
