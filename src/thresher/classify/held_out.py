"""Checks whether training pages are classified correctly by a tree that was not trained on them.

Each family of a tree holds out its own pages. A page is judged correctly if every family on the path to its topic
judges it correctly. A page led astray higher up is wrong whatever happens below.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from thresher.classify.examples import Family

Floats = NDArray[np.float64]


def right(examples: int, families: Sequence[Family], held_out: Sequence[Floats], threshold: float) -> list[bool]:
    """Return for each of the first `examples` pages whether all of its families classify it correctly.

    `held_out` are the confidences of the pages of each family while held out; the child with the highest one accepts
    the page if that exceeds the `threshold`. Pages without a family count as right.

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
