"""Decides when a crawl for sites ends: enough were found, or more have become much harder to find.

The pages are divided into windows of equal length. A crawl ends when the latest window found less than a third of the
relevant sites of the best one, and the difference is significant: three standard deviations of the difference of two
Poisson counts.
"""

import math
from collections.abc import Sequence
from typing import Final

LESS: Final = 1 / 3
DEVIATIONS: Final = 3.0


def windows(found: Sequence[int], pages: int, window: int) -> list[int]:
    """Return how many sites were found in each complete window; `found` are the page counts at which each was found.

    >>> windows([10, 60, 90, 150], 210, 100)
    [3, 1]
    """
    counts = [0] * (pages // window)
    for page in found:
        if page // window < len(counts):
            counts[page // window] += 1
    return counts


def costs_rise(found: Sequence[int], pages: int, window: int) -> bool:
    """Return whether relevant sites have become much harder to find in the latest window.

    >>> costs_rise(list(range(0, 1000, 20)), 2000, 1000), costs_rise(list(range(0, 1000, 20)), 1000, 1000)
    (True, False)
    """
    if window < 1:
        return False
    counts = windows(found, pages, window)
    if len(counts) < 2:
        return False
    best, last = max(counts), counts[-1]
    return last < LESS * best and best - last > DEVIATIONS * math.sqrt(best + last)
