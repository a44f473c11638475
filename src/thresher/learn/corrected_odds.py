"""Corrects known log-odds by a few labels, as little as possible.

The corrected log-odds of an item are its known ones, plus a shift common to all items, plus a linear function of its
features. Shift and weights have normal priors around 0, so without labels nothing changes, and a label mostly affects
items with similar features. The most probable correction is found in dual form: its cost depends on the number of
labels, not on the number of features.
"""

from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from thresher.learn.calibration import sigmoids

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Floats = NDArray[np.float64]

_ITERATIONS: Final = 100
_SHORTEST: Final = 1e-6
_GAIN: Final = 1e-9


class Correction(Struct, frozen=True, eq=False):
    """What is added to log-odds: `shift` to all, and the product of an item's features and `weights`."""

    shift: float
    weights: Floats


def correction(
    log_odds: Floats, labels: NDArray[np.bool_], counts: Floats, rows: "csr_matrix", *, shift: float, change: float
) -> Correction:
    """Return the most probable correction given the known log-odds, labels and features of some items.

    `counts` say how many labels each label counts for. `shift` and `change` are the prior standard deviations of the
    shift and of each weight.

    >>> from scipy.sparse import csr_matrix
    >>> rows = csr_matrix(np.eye(2, 3))
    >>> found = correction(np.zeros(2), np.array([True, True]), np.ones(2), rows, shift=1.0, change=2.0)
    >>> round(found.shift, 2), found.weights.round(2).tolist()
    (0.43, [0.86, 0.86, 0.0])
    """
    kernel = shift**2 + change**2 * np.asarray((rows @ rows.T).toarray(), np.float64)
    coefficients = _most_probable(log_odds, np.asarray(labels, np.float64), counts, kernel)
    return Correction(shift**2 * float(coefficients.sum()), change**2 * np.asarray(rows.T @ coefficients, np.float64))


def _most_probable(log_odds: Floats, targets: Floats, counts: Floats, kernel: Floats) -> Floats:
    """Return a coefficient for each item, such that `kernel @ coefficients` corrects it, by damped Newton steps."""
    coefficients = np.zeros(len(targets))
    cost = _cost(coefficients, log_odds, targets, counts, kernel)
    for _ in range(_ITERATIONS):
        added = kernel @ coefficients
        guess = sigmoids(log_odds + added)
        curvature = counts * guess * (1.0 - guess)
        system = np.eye(len(targets)) + curvature[:, None] * kernel
        step = np.linalg.solve(system, curvature * added + counts * (targets - guess)) - coefficients
        length = 1.0
        while (tried := _cost(coefficients + length * step, log_odds, targets, counts, kernel)) > cost:
            length /= 2
            if length < _SHORTEST:
                return coefficients
        coefficients, gain, cost = coefficients + length * step, cost - tried, tried
        if gain < _GAIN:
            break
    return coefficients


def _cost(coefficients: Floats, log_odds: Floats, targets: Floats, counts: Floats, kernel: Floats) -> float:
    """Return the negative logarithm of the posterior probability of a correction, up to a constant."""
    added = kernel @ coefficients
    odds = log_odds + added
    return float((counts * (np.logaddexp(0.0, odds) - targets * odds)).sum() + 0.5 * coefficients @ added)
