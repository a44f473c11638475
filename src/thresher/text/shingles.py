"""Shingles: sequences of consecutive words, by which slightly changed copies of a text are recognised.

The resemblance of two texts is the share of shingles that they have in common (Broder 1997). A sketch contains the
smallest shingle in each of many random orders; the share of positions at which two sketches agree estimates the
resemblance of their texts.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest as _hash

Hashes = NDArray[np.uint64]

WIDTH: Final = 4
"""Number of words in a shingle."""

PLACES: Final = 64
"""Number of positions in a sketch."""

_FACTOR: Final = np.uint64(0x9E3779B97F4A7C15)
_DRAWN: Final = np.random.default_rng(20030601).integers(1, 1 << 63, (2, PLACES), dtype=np.uint64)
_MULTIPLIERS: Final = _DRAWN[0] * np.uint64(2) + np.uint64(1)
_OFFSETS: Final = _DRAWN[1]


def shingles(words: Sequence[str], width: int = WIDTH) -> Hashes:
    """Return the distinct hashes of a text's shingles, sorted; a shorter text has one shingle, the whole text.

    >>> len(shingles("a rose is a rose is a rose".split()))
    3
    >>> len(shingles(["short"])), len(shingles([]))
    (1, 0)
    """
    if not words:
        return np.zeros(0, np.uint64)
    hashed = np.array([_hash(word.lower().encode("utf-8", "surrogatepass")) for word in words], np.uint64)
    width = min(width, len(hashed))
    # Unsigned numbers wrap around, as a hash should.
    found = np.zeros(len(hashed) - width + 1, np.uint64)
    for place in range(width):
        found = found * _FACTOR + hashed[place : len(hashed) - width + 1 + place]
    return np.unique(found)


def resemblance(one: Hashes, other: Hashes) -> float:
    """Return the share of shingles that two texts have in common; 0 if either has none.

    >>> resemblance(shingles("to be or not to be".split()), shingles("to be or not to be".split()))
    1.0
    """
    shared = len(np.intersect1d(one, other, assume_unique=True))
    return shared / (len(one) + len(other) - shared) if shared else 0.0


def sketch(found: Hashes) -> Hashes:
    """Return the sketch of a text with at least one shingle."""
    mixed = found ^ (found >> np.uint64(31))
    return np.asarray((mixed[:, None] * _MULTIPLIERS + _OFFSETS).min(axis=0))
