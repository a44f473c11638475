"""Which sites a crawl has entered, eight bytes each."""

from array import array
from bisect import bisect_left
from typing import Final

import numpy as np

RECENT: Final = 1024
"""Number of sites kept in a set, which is fast but takes ten times the memory, before they join the array."""


class KnownSites:
    """A growing set of site numbers below 2⁶³.

    >>> known = KnownSites()
    >>> for number in range(5000):
    ...     known.add(3 * number)
    >>> 3 in known, 4 in known, len(known)
    (True, False, 5000)
    """

    def __init__(self) -> None:
        self._sorted = array("q")
        self._recent: set[int] = set()

    def __contains__(self, number: int) -> bool:
        if number in self._recent:
            return True
        place = bisect_left(self._sorted, number)
        return place < len(self._sorted) and self._sorted[place] == number

    def __len__(self) -> int:
        return len(self._sorted) + len(self._recent)

    def add(self, number: int) -> None:
        """Remember a site."""
        if number in self:
            return
        self._recent.add(number)
        if len(self._recent) > max(RECENT, len(self._sorted) // 64):
            recent = np.fromiter(self._recent, np.int64, len(self._recent))
            joined = np.concatenate([np.frombuffer(self._sorted, np.int64), recent])
            joined.sort(kind="stable")
            self._sorted = array("q", joined.tobytes())
            self._recent = set()
