"""Probabilities from margins: Platt's sigmoid, fitted to held-out examples.

A margin is any real number that is larger for the positive class. Margins on a model's own training examples are too
good to be true, so each example is scored by a model that has not seen it (Platt, 1999).
"""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Self

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Floats = NDArray[np.float64]
Labels = NDArray[np.bool_]

FOLDS: Final = 5
_ITERATIONS: Final = 100
_STEEPEST: Final = 50.0


def sigmoid(value: float) -> float:
    """Return 1 / (1 + e⁻ᵛ) for any number, however large.

    >>> sigmoid(0.0), sigmoid(1e6), sigmoid(-1e6)
    (0.5, 1.0, 0.0)
    """
    if value >= 0:
        return 1.0 / (1.0 + math.exp(-value))
    grown = math.exp(value)
    return grown / (1.0 + grown)


def sigmoids(values: Floats) -> Floats:
    """Return `sigmoid` of each number.

    >>> sigmoids(np.array([0.0, 1e6, -1e6])).tolist()
    [0.5, 1.0, 0.0]
    """
    grown = np.exp(-np.abs(values))
    return np.where(values >= 0, 1.0, grown) / (1.0 + grown)


class PlattScaling:
    """Turns margins into probabilities by a sigmoid that never falls.

    Learned: `slope_`, more than 0, and `offset_`; the probability of a margin m is sigmoid(slope · m + offset).

    >>> scaling = PlattScaling().fit(np.array([-2.0, -1.0, 1.0, 2.0]), np.array([False, False, True, True]))
    >>> [round(float(p), 2) for p in scaling.probabilities(np.array([-2.0, 0.0, 2.0]))]
    [0.21, 0.5, 0.79]
    """

    def __init__(self) -> None:
        self.slope_ = 1.0
        self.offset_ = 0.0

    def fit(self, margins: Floats, labels: Labels) -> Self:
        """Learn from margins of held-out examples by Newton's method on Platt's smoothed targets.

        If the margins separate the classes the wrong way round or not at all, which happens by chance with a handful of
        examples, the slope stays 1 and only the offset is learned: a flat sigmoid is better than a falling one.
        """
        positives, negatives = int(labels.sum()), int((~labels).sum())
        targets = np.where(labels, (positives + 1.0) / (positives + 2.0), 1.0 / (negatives + 2.0))
        slope, offset = _newton(margins, targets)
        if not (math.isfinite(slope) and math.isfinite(offset)) or slope <= 0:
            slope, offset = 1.0, float(np.log(targets.mean() / (1 - targets.mean())) - margins.mean())
        if slope > _STEEPEST:
            offset, slope = offset * _STEEPEST / slope, _STEEPEST
        self.slope_, self.offset_ = slope, offset
        return self

    def probabilities(self, margins: Floats) -> Floats:
        """Return the probability of the positive class for each margin."""
        return sigmoids(self.slope_ * margins + self.offset_)


def _newton(margins: Floats, targets: Floats) -> tuple[float, float]:
    """Return the slope and offset that minimise the cross-entropy, by damped Newton steps."""
    centre, spread = float(margins.mean()), float(margins.std()) or 1.0
    scaled = (margins - centre) / spread
    design = np.stack([scaled, np.ones_like(scaled)], axis=1)
    weights = np.array([0.0, math.log(targets.mean() / (1 - targets.mean()))])
    loss = _cross_entropy(design @ weights, targets)
    for _ in range(_ITERATIONS):
        guess = sigmoids(design @ weights)
        gradient = design.T @ (guess - targets)
        hessian = (design * (guess * (1 - guess))[:, None]).T @ design + 1e-10 * np.eye(2)
        step = np.linalg.solve(hessian, gradient)
        length = 1.0
        while length > 1e-8:
            tried = _cross_entropy(design @ (weights - length * step), targets)
            if tried < loss:
                break
            length /= 2
        else:
            break
        weights, gain, loss = weights - length * step, loss - tried, tried
        if gain < 1e-12:
            break
    slope = float(weights[0]) / spread
    return slope, float(weights[1]) - slope * centre


def _cross_entropy(logits: Floats, targets: Floats) -> float:
    return float((np.logaddexp(0.0, logits) - targets * logits).sum())


def held_out_margins(
    rows: "csr_matrix", labels: Labels, margins: Callable[["csr_matrix", Labels, "csr_matrix"], Floats]
) -> Floats:
    """Return the margin of each example by a model fitted to the other folds.

    `margins(rows, labels, unseen)` fits a model and returns the margins of unseen rows. There are five folds, or as
    many as the smaller class has examples; with fewer than two examples of a class nothing can be held out, and one
    model fitted to all examples scores them all.
    """
    fewest = int(min(labels.sum(), (~labels).sum()))
    if fewest < 2:
        return margins(rows, labels, rows)
    folds = min(FOLDS, fewest)
    place = np.zeros(len(labels), int)
    for kind in (False, True):
        of_kind = np.flatnonzero(labels == kind)
        place[of_kind] = np.arange(len(of_kind)) % folds
    held_out = np.zeros(len(labels))
    for fold in range(folds):
        seen, unseen = np.flatnonzero(place != fold), np.flatnonzero(place == fold)
        held_out[unseen] = margins(rows[seen], labels[seen], rows[unseen])
    return held_out
