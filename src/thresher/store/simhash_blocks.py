"""Indexes simhashes by blocks of bits; similar simhashes share a block."""

from typing import Final

MOST: Final = 3
"""Number of bits in which two simhashes may differ and still share a block."""

_BLOCKS: Final = MOST + 1
_BITS: Final = 64 // _BLOCKS


def blocks(simhash: int) -> list[int]:
    """Return the four 16-bit blocks of a simhash, each tagged with its number.

    >>> [hex(block) for block in blocks(0xAAAABBBBCCCCDDDD)]
    ['0xdddd', '0x1cccc', '0x2bbbb', '0x3aaaa']
    """
    return [number << _BITS | simhash >> number * _BITS & (1 << _BITS) - 1 for number in range(_BLOCKS)]
