"""Estimates how many peers are needed: loss and error of a unanimous vote (Sizov, section 3.3.4).

All members are assumed to be right with the same probability, and their errors to have the same pairwise correlation.
The number of members that are wrong about a page then follows a beta-binomial distribution, which gives the
probabilities that all are right and that all are wrong. The paper multiplies along a chain of members, each depending
only on the previous one; that underestimates the error and is kept as an option.
"""

from collections.abc import Callable
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

LEAST: Final = 0.001
MOST: Final = 0.99
_SMALLEST: Final = 1e-12


class Agreement(Struct, frozen=True):
    """How a group of models errs on the same pages: mean error and mean covariance of correctness."""

    error: float
    covariance: float

    @property
    def correlation(self) -> float:
        """The mean correlation of two members' correctness, from 0.001 to 0.99."""
        spread = self.error * (1.0 - self.error)
        return min(MOST, max(LEAST, self.covariance / spread)) if spread > _SMALLEST else LEAST


class Plan(Struct, frozen=True):
    """The expected loss and error of a unanimous vote of a number of models."""

    models: int
    loss: float
    error: float


Estimator = Callable[[Agreement, int], Plan]


def agreement(right: NDArray[np.bool_]) -> Agreement:
    """Return how models err together, from a table of which pages each got right; a row per model.

    >>> agreement(np.array([[True, True, False, False], [True, True, False, False]]))
    Agreement(error=0.5, covariance=0.25)
    """
    scores = np.asarray(right, np.float64)
    if not scores.size:
        return Agreement(0.5, 0.0)
    error = 1.0 - float(scores.mean())
    number = len(scores)
    if number < 2:
        return Agreement(error, 0.0)
    table = np.atleast_2d(np.cov(scores, bias=True))
    pairs = (float(table.sum()) - float(np.trace(table))) / (number * (number - 1))
    return Agreement(error, pairs)


def unanimous(known: Agreement, models: int) -> Plan:
    """Return the estimate by the beta-binomial law.

    >>> found = unanimous(Agreement(0.2, 0.0), 1)
    >>> found.loss, round(found.error, 3)
    (0.0, 0.2)
    """
    return _plan(models, _all_of(1.0 - known.error, known, models), _all_of(known.error, known, models))


def chained(known: Agreement, models: int) -> Plan:
    """Return the paper's estimate, by a chain of members."""
    return _plan(models, _chain(1.0 - known.error, known, models), _chain(known.error, known, models))


def planned(
    known: Agreement,
    most: int,
    *,
    least: int = 1,
    loss: float | None = None,
    error: float | None = None,
    by: Estimator = unanimous,
) -> Plan | None:
    """Return the smallest group of `least` to `most` models that stays within a loss and an error.

    None if none does.
    """
    for models in range(least, most + 1):
        found = by(known, models)
        if (loss is None or found.loss <= loss) and (error is None or found.error <= error):
            return found
    return None


def _all_of(share: float, known: Agreement, models: int) -> float:
    """Return the probability that all models do what one does with probability `share`."""
    s = 1.0 / known.correlation - 1.0
    return float(np.prod([(share * s + i) / (s + i) for i in range(models)]))


def _chain(share: float, known: Agreement, models: int) -> float:
    if share <= _SMALLEST:
        return 0.0
    step = min(1.0, max(0.0, (share * share + known.covariance) / share))
    return float(share * step ** (models - 1))


def _plan(models: int, all_right: float, all_wrong: float) -> Plan:
    decided = all_right + all_wrong
    error = all_wrong / decided if decided > _SMALLEST else 0.0
    # Rounding may leave a loss just below 0.
    return Plan(models, max(0.0, 1.0 - decided), error)
