"""The 95 % interval of a share that is yet to be seen, from a share that was measured.

An interval of an unknown rate, such as Wilson's, is too narrow for a share among a limited number of documents, which
varies even if the rate is known. This one includes both: Jeffreys' prior for the rate, and chance among the documents.
"""

from typing import Final

import numpy as np

_PRIOR: Final = 0.5
_TAIL: Final = 0.025

MOST: Final = 100_000
"""Number of documents above which their share is the rate."""


def predictive_interval(part: int, whole: int, among: int | None = None) -> tuple[float, float]:
    """Return the bounds of the share among `among` documents, given `part` of `whole` others; None means countless.

    They are 0 and 1 if nothing was measured.

    >>> [round(bound, 3) for bound in predictive_interval(1, 20, 50)]
    [0.0, 0.24]
    >>> [round(bound, 3) for bound in predictive_interval(1, 20)]
    [0.005, 0.211]
    """
    from scipy.special import betaincinv, betaln, gammaln

    if not whole:
        return 0.0, 1.0
    one, other = part + _PRIOR, whole - part + _PRIOR
    if among is None or among > MOST:
        low, high = (float(betaincinv(one, other, tail)) for tail in (_TAIL, 1.0 - _TAIL))
        # A rate of 0 or 1 has been seen if nothing else was.
        return (low if part else 0.0), (high if part < whole else 1.0)
    if not among:
        return 0.0, 1.0
    number = np.arange(among + 1)
    ways = gammaln(among + 1) - gammaln(number + 1) - gammaln(among - number + 1)
    below = np.cumsum(np.exp(ways + betaln(number + one, among - number + other) - betaln(one, other)))
    low, high = (min(int(np.searchsorted(below, tail)), among) / among for tail in (_TAIL, 1.0 - _TAIL))
    return low, high
