"""Restrictive decisions: the least certain documents are left undecided (Sizov, sections 3.1.2 and 3.2.1)."""

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def most_certain(confidences: Floats, loss: float) -> NDArray[np.bool_]:
    """Return which decisions stand if the share `loss` of them, the least certain, is left open.

    Of equally certain decisions, the later ones are left open first.

    >>> most_certain(np.array([0.9, 0.1, 0.5, 0.7]), 0.5).tolist()
    [True, False, False, True]
    """
    if not 0.0 <= loss <= 1.0:
        raise ValueError("the loss must be between 0 and 1")
    # A loss of 0.1 leaves 27 of 30, whatever floating-point rounding says.
    dropped = math.floor(loss * len(confidences) + 1e-9)
    kept = np.zeros(len(confidences), np.bool_)
    kept[np.argsort(-confidences, kind="stable")[: len(confidences) - dropped]] = True
    return kept


def percentiles(confidences: Floats) -> Floats:
    """Return the percentile of each number, from 0 to 1, so that methods with different units can be added.

    >>> percentiles(np.array([5.0, 100.0, 7.0])).round(2).tolist()
    [0.17, 0.83, 0.5]
    """
    _, place, number = np.unique(confidences, return_inverse=True, return_counts=True)
    # Equal numbers share the middle of their positions.
    middles = np.cumsum(number) - number / 2.0
    return np.asarray(middles[place.ravel()] / max(1, len(confidences)))
