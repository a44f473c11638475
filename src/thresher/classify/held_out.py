"""Checks whether training pages are classified correctly by a tree that was not trained on them.

The families of a tree hold out their pages each for itself; a page is judged rightly as a whole where every family on
its way to its topic judges it rightly. A page led astray higher up is wrong whatever is said below.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from thresher.classify.examples import Family

Floats = NDArray[np.float64]


def right(examples: int, families: Sequence[Family], held_out: Sequence[Floats], threshold: float) -> list[bool]:
    """Return for each of the first `examples` pages whether each of its families puts it where it belongs.

    `held_out` are the confidences of the pages of each family while they were held out; the child with the highest one
    takes the page if that exceeds the `threshold`. Pages that no family has count as right: nothing is asked of them.

    >>> family = Family("", ["A", "B"], [], np.array([[True, False], [False, True], [False, False]]), np.arange(3))
    >>> right(3, [family], [np.array([[0.5, 0.1], [0.7, 0.2], [-0.2, -0.4]])], 0.0)
    [True, False, True]
    """
    found = np.ones(examples, bool)
    for family, confidences in zip(families, held_out, strict=True):
        rows = np.flatnonzero(family.places < examples)
        members, judged = family.members[rows], confidences[rows]
        best = judged.argmax(axis=1)
        taken = judged[np.arange(len(rows)), best] > threshold
        belongs = members[np.arange(len(rows)), best]
        found[family.places[rows]] &= np.where(members.any(axis=1), taken & belongs, ~taken)
    return found.tolist()
