"""Where most numbers of a sample lie, and how far from there they usually are, whatever a few of them do."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_NORMAL = 1.4826
"""The standard deviation of a normal distribution over its median distance from the median."""


def weighted_median(values: Floats, weights: Floats) -> float:
    """Return the least value with half of the weight at or below it; there must be one.

    >>> weighted_median(np.array([3.0, 1.0, 2.0]), np.array([1.0, 5.0, 1.0]))
    1.0
    """
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order])
    return float(values[order][min(np.searchsorted(reached, reached[-1] / 2), len(values) - 1)])


def centre_and_spread(values: Floats, weights: Floats) -> tuple[float, float]:
    """Return the median and the spread about it, which is the standard deviation where values are normal.

    >>> centre, spread = centre_and_spread(np.array([-1.0, 0.0, 1.0, 99.0]), np.ones(4))
    >>> centre, round(spread, 2)
    (0.0, 1.48)
    """
    centre = weighted_median(values, weights)
    return centre, _NORMAL * weighted_median(np.abs(values - centre), weights)
