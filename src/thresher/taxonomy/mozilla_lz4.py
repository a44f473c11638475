"""Decompresses Firefox's backups (`.jsonlz4`): a signature, the decompressed size, and one LZ4 block.

A block is a series of sequences. Each has a token with two four-bit lengths, then literal bytes, then an offset back
into the output and the number of bytes to repeat from there. Only the last has no offset.
"""

from typing import Final

MARK: Final = b"mozLz40\0"
MOST: Final = 100_000_000
"""Maximum decompressed size of a backup in bytes."""

_LONGER: Final = 15
_SHORTEST: Final = 4


def unpack(data: bytes) -> bytes:
    """Return the contents of a backup; raise ValueError if it is damaged or larger than `MOST`.

    >>> unpack(MARK + (9).to_bytes(4, "little") + bytes([0x32]) + b"abc" + bytes([3, 0]))
    b'abcabcabc'
    """
    start = len(MARK) + 4
    size = int.from_bytes(data[len(MARK) : start], "little")
    if not data.startswith(MARK) or len(data) < start or size > MOST:
        raise ValueError("it is not a compressed backup")
    try:
        unpacked = _block(data, start, size)
    except IndexError:
        raise ValueError("the backup ends too early") from None
    if len(unpacked) != size:
        raise ValueError("the backup does not have the size it declares")
    return bytes(unpacked)


def _block(data: bytes, at: int, size: int) -> bytearray:
    out = bytearray()
    while at < len(data):
        token = data[at]
        literals, at = _length(data, at + 1, token >> 4)
        out += data[at : at + literals]
        at += literals
        if at >= len(data):
            break
        back = data[at] | data[at + 1] << 8
        repeated, at = _length(data, at + 2, token & _LONGER)
        repeated += _SHORTEST
        if not 0 < back <= len(out) or len(out) + repeated > size:
            raise ValueError("the backup is corrupt")
        start = len(out) - back
        pattern = out[start : start + repeated]
        # The repeated bytes may overlap with their copy.
        out += (pattern * (repeated // back + 1))[:repeated]
    return out


def _length(data: bytes, at: int, length: int) -> tuple[int, int]:
    """Return a length and where it ends: a length that fills its half of the token continues in further bytes."""
    if length == _LONGER:
        while True:
            more = data[at]
            at += 1
            length += more
            if more < 255:
                break
    return length, at
