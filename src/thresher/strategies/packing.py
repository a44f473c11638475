"""Packs tables of numbers as text for a strategy's saved state: exact, a tenth of the size of JSON."""

import base64
import zlib
from collections.abc import Sequence
from typing import Final

import numpy as np

_LARGEST: Final = 1 << 26
"""Maximum size of a table in bytes."""


def packed(*columns: Sequence[float]) -> str:
    """Return columns of equal length as text; integers up to 2⁵³ and all floats stay exact.

    >>> [column.tolist() for column in unpacked(packed([1, 2], [0.1, 0.2]), 2)]
    [[1.0, 2.0], [0.1, 0.2]]
    """
    return base64.b85encode(zlib.compress(np.array(columns, "<f8").tobytes(), 6)).decode("ascii")


def unpacked(text: str, columns: int) -> list[np.ndarray]:
    """Return the columns of a packed table; raise ValueError if it is invalid or too large."""
    unpacking = zlib.decompressobj()
    try:
        data = unpacking.decompress(base64.b85decode(text), _LARGEST)
    except zlib.error as error:
        raise ValueError(f"a packed table is damaged: {error}") from None
    if not unpacking.eof:
        raise ValueError("a packed table is cut off or too large")
    return list(np.frombuffer(data, "<f8").reshape(columns, -1))
