"""The error as a function of the threshold, measured on held-out labelled documents."""

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from thresher.learn.predictive_interval import predictive_interval
from thresher.learn.quality import share

Floats = NDArray[np.float64]


class ErrorEstimate(Struct, frozen=True):
    """The share of kept documents that are wrong, with its 95 % interval, measured on `kept` documents.

    If there were none, the error is None and the interval says nothing.
    """

    error: float | None
    interval: tuple[float, float]
    kept: int


def estimate(wrong: int, kept: int, among: int | None = None) -> ErrorEstimate:
    """Return the estimate for a number of wrong documents among those kept.

    The interval is that of the share among `among` other documents, or of the rate if that is None.

    >>> estimate(1, 20).error, estimate(0, 0).error
    (0.05, None)
    """
    low, high = predictive_interval(wrong, kept, among)
    found = share(wrong, kept)
    # Shares among a few documents have gaps, in which the estimate may be.
    bounds = (low, high) if found is None else (min(low, found), max(high, found))
    return ErrorEstimate(found, bounds, kept)


class ErrorCurve:
    """The error of keeping documents above a threshold, from held-out `confidences` and whether each is `right`.

    >>> curve = ErrorCurve(np.array([0.1, 0.2, 0.8, 0.9]), np.array([False, True, True, True]))
    >>> curve.above(0.0).error, curve.above(0.15).error
    (0.25, 0.0)
    """

    def __init__(self, confidences: Floats, right: NDArray[np.bool_]) -> None:
        order = np.argsort(-confidences, kind="stable")
        self._confidences = confidences[order]
        self._wrong = np.concatenate([[0], np.cumsum(~np.asarray(right, np.bool_)[order])])

    def above(self, threshold: float, among: int | None = None) -> ErrorEstimate:
        """Return the error of keeping the documents above a threshold; `among` is the number of pages kept there."""
        kept = int(np.searchsorted(-self._confidences, -threshold))
        return estimate(int(self._wrong[kept]), kept, among)

    def threshold_for(self, error: float) -> float | None:
        """Return the lowest threshold at which the error is at most `error`, or None if there is none.

        It is minus infinity if all documents may be kept.
        """
        number = len(self._confidences)
        shares = self._wrong[1:] / np.arange(1, number + 1)
        # Documents with the same confidence are kept or dropped together.
        last = np.append(self._confidences[1:] != self._confidences[:-1], True) if number else np.zeros(0, np.bool_)
        good = np.flatnonzero((shares <= error + 1e-12) & last)
        if not len(good):
            return None
        kept = int(good[-1]) + 1
        if kept == number:
            return float("-inf")
        return float((self._confidences[kept - 1] + self._confidences[kept]) / 2)
