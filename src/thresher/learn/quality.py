"""The quality of a classifier on unseen documents: precision, recall and F with intervals."""

import math
from typing import Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

_Z: Final = 1.96
"""Number of standard errors on either side of a 95 % interval."""


class Quality(Struct, frozen=True):
    """Shares between 0 and 1 with the bounds of their 95 % intervals; None if the denominator is 0."""

    precision: float | None
    precision_interval: tuple[float, float]
    recall: float | None
    recall_interval: tuple[float, float]
    f: float | None
    f_interval: tuple[float, float]


def quality(labels: NDArray[Any], said: NDArray[Any]) -> Quality:
    """Compare a classifier's output for held-out documents with their labels.

    The intervals of precision and recall are Wilson's; so is that of F, as the share k / n with k = 2·TP and n = 2·TP +
    FP + FN.

    >>> found = quality(np.array([1, 1, 0, 0]), np.array([1, 0, 0, 0]))
    >>> found.precision, found.recall, round(found.f, 2)
    (1.0, 0.5, 0.67)
    """
    truth, guess = np.asarray(labels).astype(bool), np.asarray(said).astype(bool)
    hits, false, missed = int((truth & guess).sum()), int((~truth & guess).sum()), int((truth & ~guess).sum())
    precision, recall = (hits, hits + false), (hits, hits + missed)
    f = (2 * hits, 2 * hits + false + missed)
    return Quality(share(*precision), wilson(*precision), share(*recall), wilson(*recall), share(*f), wilson(*f))


def share(part: int, whole: int) -> float | None:
    """Return part / whole, or None if the whole is 0."""
    return part / whole if whole else None


def wilson(part: int, whole: int) -> tuple[float, float]:
    """Return the bounds of Wilson's 95 % interval of a share; 0 and 1 if the whole is 0.

    >>> [round(bound, 3) for bound in wilson(5, 10)]
    [0.237, 0.763]
    """
    if whole == 0:
        return 0.0, 1.0
    found = part / whole
    centre = found + _Z**2 / (2 * whole)
    spread = _Z * math.sqrt(found * (1 - found) / whole + _Z**2 / (4 * whole**2))
    scale = 1 + _Z**2 / whole
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)
