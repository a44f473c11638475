"""Packs tables of numbers as text for a strategy's saved state: exact, and much smaller than JSON.

Some strategies save their state with every page, so packing must be fast: light compression, and base 64 rather than
85, which Python encodes slowly. States of earlier versions are in base 85.
"""

import base64
import zlib
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_LARGEST: Final = 1 << 26
"""Maximum size of a table in bytes."""

_BASE_64: Final = ":"
"""Begins a table in base 64; base 85 has no such character."""


def packed(*columns: Sequence[float] | NDArray[Any]) -> str:
    """Return columns of equal length as text; integers up to 2⁵³ and all floats stay exact.

    >>> [column.tolist() for column in unpacked(packed([1, 2], [0.1, 0.2]), 2)]
    [[1.0, 2.0], [0.1, 0.2]]
    """
    return _BASE_64 + base64.b64encode(zlib.compress(np.array(columns, "<f8").tobytes(), 1)).decode("ascii")


def unpacked(text: str, columns: int) -> list[np.ndarray]:
    """Return the columns of a packed table; raise ValueError if it is invalid or too large."""
    unpacking = zlib.decompressobj()
    try:
        raw = base64.b64decode(text[1:]) if text.startswith(_BASE_64) else base64.b85decode(text)
        data = unpacking.decompress(raw, _LARGEST)
    except zlib.error as error:
        raise ValueError(f"a packed table is damaged: {error}") from None
    if not unpacking.eof:
        raise ValueError("a packed table is cut off or too large")
    return list(np.frombuffer(data, "<f8").reshape(columns, -1))
