"""Simhash: a number of 64 bits that changes little where a text changes little (Charikar 2002; Manku et al. 2007)."""

from collections.abc import Mapping

import numpy as np
import xxhash


def simhash(terms: Mapping[str, int]) -> int:
    """Return the simhash of stems with counts, 0 for none; a stem weighs the logarithm of its count.

    >>> near = simhash({"boat": 9, "sea": 7, "sail": 3}) ^ simhash({"boat": 9, "sea": 7, "sail": 4})
    >>> near.bit_count() < 8
    True
    """
    if not terms:
        return 0
    hashes = np.array([xxhash.xxh3_64_intdigest(term.encode("utf-8", "replace")) for term in terms], ">u8")
    weights = 1.0 + np.log(np.fromiter(terms.values(), np.float64, len(terms)))
    bits = np.unpackbits(hashes.view(np.uint8)).reshape(-1, 64)
    above = 2.0 * (weights @ bits) > weights.sum()
    return int.from_bytes(np.packbits(above).tobytes(), "big")
