"""Simhash (Charikar 2002): 64 bits that change little when a text changes little.

Every stem votes on each bit with its count, according to its own hash; bits with a majority are set. Texts that share
most of their stems differ in a few bits, unrelated texts in about half.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
from xxhash import xxh3_64_digest as _hash

BITS: Final = 64


def simhash(terms: Mapping[str, int]) -> int:
    """Return the simhash of stems with their counts, from 0 to 2**64 - 1; 0 if there are none.

    The order of the stems does not matter, nor does a factor by which all counts are multiplied.

    >>> text = {"boat": 4, "sail": 3, "wind": 2, "harbour": 2, "rope": 1}
    >>> distance(simhash(text), simhash({**text, "mast": 1})) < distance(simhash(text), simhash({"cheese": 3}))
    True
    """
    if not terms:
        return 0
    # Hashing again is faster than looking up earlier hashes.
    hashes = b"".join([_hash(stem.encode("utf-8", "surrogatepass")) for stem in terms])
    counts = np.fromiter(terms.values(), np.float32, len(terms))
    ayes = counts @ np.unpackbits(np.frombuffer(hashes, np.uint8).reshape(-1, BITS // 8), axis=1)
    # 0 is reserved for texts without stems.
    return int.from_bytes(np.packbits(2 * ayes > counts.sum()).tobytes()) or 1


def distance(one: int, other: int) -> int:
    """Return the number of bits in which two simhashes differ.

    >>> distance(0b1100, 0b1010)
    2
    """
    return (one ^ other).bit_count()
