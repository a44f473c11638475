"""Checks whether probabilities are calibrated: accepted pages by probability, and how many of them are correct.

Measured on hosts without a bookmark, since on the others nearly everything is correct.
"""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Final

from msgspec import Struct

from thresher.bench.promise.figures import Accepted
from thresher.bench.promise.truth import Truth, once
from thresher.web.urls import host_of

BINS: Final = (0.95, 0.8, 0.6, 0.0)
"""The minimum probability of each bin; the portal has a word for each."""


class Bin(Struct, frozen=True):
    """Accepted pages with a minimum probability: their number, mean predicted probability, and share that is right.

    `predicted` and `right` are None if there are no pages.
    """

    least: float
    pages: int
    predicted: float | None
    right: float | None


def calibration(
    fetched: Sequence[str], accepted: Accepted, probabilities: Mapping[str, float], truth: Truth
) -> list[Bin]:
    """Return the bins of the labelled accepted pages on hosts without a bookmark, highest first."""
    home = truth.home_hosts()
    pages = [
        (probabilities[url], truth.is_of(url, accepted[url]))
        for url in once(fetched)
        if url in accepted and url in truth.of and host_of(url) not in home
    ]
    found, below = [], float("inf")
    for least in BINS:
        found.append(_bin(least, [page for page in pages if least <= page[0] < below]))
        below = least
    return found


def pooled(tables: Sequence[Sequence[Bin]]) -> list[Bin]:
    """Merge the bins of several runs; every page counts once.

    >>> pooled([[Bin(0.8, 1, 0.9, 1.0)], [Bin(0.8, 3, 0.8, 0.0)], [Bin(0.8, 0, None, None)]])
    [Bin(least=0.8, pages=4, predicted=0.825, right=0.25)]
    """
    found = []
    for bins in zip(*(table for table in tables if table), strict=True):
        pages = sum(one.pages for one in bins)
        predicted = sum(one.pages * (one.predicted or 0.0) for one in bins)
        right = sum(one.pages * (one.right or 0.0) for one in bins)
        shares = (round(predicted / pages, 4), round(right / pages, 4)) if pages else (None, None)
        found.append(Bin(bins[0].least, pages, *shares))
    return found


def _bin(least: float, pages: Sequence[tuple[float, bool]]) -> Bin:
    if not pages:
        return Bin(least, 0, None, None)
    return Bin(
        least, len(pages), round(fmean(one for one, _ in pages), 4), round(fmean(right for _, right in pages), 4)
    )
