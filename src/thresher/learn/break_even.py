"""Where the border of a topic belongs: the margin above which as many held-out examples lie as belong to it.

A support vector machine that learnt from a handful of positive examples puts nearly all others on the wrong side,
though it ranks them well. At the break-even point precision equals recall on examples that were held out, and F is
near its best, for few examples as for many.
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Labels = NDArray[np.bool_]


def break_even(margins: Floats, labels: Labels) -> float:
    """Return the margin that parts the k highest from the rest, k being the number of positive labels.

    0, the machine's own border, where all examples or none are positive.

    >>> break_even(np.array([-0.2, -0.4, -0.6, -0.8]), np.array([True, False, True, False]))
    -0.5
    """
    positives = int(labels.sum())
    if not 0 < positives < len(labels):
        return 0.0
    falling = np.sort(margins)[::-1]
    return float((falling[positives - 1] + falling[positives]) / 2)
