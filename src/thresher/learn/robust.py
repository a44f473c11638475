"""Robust estimates of the centre and spread of a sample."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_NORMAL = 1.4826
"""The standard deviation of a normal distribution over the median distance of its lower half from the median."""


def weighted_quantile(values: Floats, weights: Floats, share: float) -> float:
    """Return the smallest value with this share of the weight at or below it; there must be a value.

    >>> weighted_quantile(np.array([3.0, 1.0, 2.0]), np.array([1.0, 5.0, 1.0]), 0.5)
    1.0
    """
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order])
    return float(values[order][min(np.searchsorted(reached, reached[-1] * share), len(values) - 1)])


def centre_and_spread(values: Floats, weights: Floats, above: float = 0.0) -> tuple[float, float]:
    """Return the median and the spread below it, which is the standard deviation for normal values.

    The share `above` of the values lies above all others and does not belong to them; only their number is known.

    >>> centre, spread = centre_and_spread(np.array([-1.0, 0.0, 1.0, 99.0]), np.ones(4), above=0.25)
    >>> centre, round(spread, 2)
    (0.0, 1.48)
    """
    centre = weighted_quantile(values, weights, (1.0 - above) / 2)
    below = values < centre
    if not below.any():
        return centre, 0.0
    return centre, _NORMAL * weighted_quantile(centre - values[below], weights[below], 0.5)
