"""Sets the bias of a topic at the break-even point: as many held-out examples above it as belong to the topic.

A support vector machine trained on a handful of positive examples puts nearly all others on the wrong side, although it
ranks them well. At the break-even point, precision equals recall on held-out examples, and F is near its best, for few
examples as well as for many.
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Labels = NDArray[np.bool_]


def break_even(margins: Floats, labels: Labels) -> float:
    """Return the margin that separates the k highest from the rest, where k is the number of positive labels.

    If all examples or none are positive, this is 0, the classifier's own border.

    >>> break_even(np.array([-0.2, -0.4, -0.6, -0.8]), np.array([True, False, True, False]))
    -0.5
    """
    positives = int(labels.sum())
    if not 0 < positives < len(labels):
        return 0.0
    falling = np.sort(margins)[::-1]
    return float((falling[positives - 1] + falling[positives]) / 2)


def borders_of_others(margins: Floats, labels: Labels, folds: NDArray[np.int64]) -> Floats:
    """Return for each example the break-even point of the examples in other folds, which it did not influence.

    Quality measured at a border chosen on the same examples is too good. If the other folds are all positive or all
    negative, they say nothing, and the border of all examples is used.

    >>> margins, labels = np.array([0.9, 0.1, 0.8, 0.6]), np.array([True, False, True, False])
    >>> borders_of_others(margins, labels, np.array([0, 0, 1, 1])).round(2).tolist()
    [0.7, 0.7, 0.5, 0.5]
    """
    found = np.full(len(margins), break_even(margins, labels))
    for fold in np.unique(folds):
        others = folds != fold
        if labels[others].any() and not labels[others].all():
            found[~others] = break_even(margins[others], labels[others])
    return found
