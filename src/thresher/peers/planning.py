"""Estimates how many peers are needed: loss and error of a unanimous vote (Sizov, section 3.3.4).

A model errs on a page with a certain probability, small for most pages and large for a few. If that probability follows
a beta distribution, the number of models that err on a page follows a beta-binomial distribution, fitted by their mean
error and by how often two of them err together. What many models do together depends on the hardest pages, of which the
beta distribution has too few, so it is reweighted by how many models were wrong about each page. The paper multiplies
along a chain of members, each depending only on the one before, which promises too low an error. The paper's estimate
and the plain beta distribution are kept as options.
"""

from collections import Counter
from collections.abc import Callable
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

LEAST: Final = 0.001
MOST: Final = 0.99
_SMALLEST: Final = 1e-12

_CELLS: Final = 20
"""Number of parts of the beta distribution that are reweighted, from the easiest to the hardest pages."""

_LAW: Final = 10.0
"""Weight of the beta distribution relative to the tested pages, in pages."""

_ROUNDS: Final = 200

Floats = NDArray[np.float64]


class Tried(Struct, frozen=True):
    """The number of `pages` about which `wrong` of `models` were wrong."""

    wrong: int
    models: int
    pages: int


class SharedErrors(Struct, frozen=True):
    """How a group of models errs on the same pages: the mean error and the mean covariance of correctness.

    `tried` says for how many pages how many models were wrong.
    """

    error: float
    covariance: float
    tried: tuple[Tried, ...] = ()

    @property
    def correlation(self) -> float:
        """The mean correlation of two members' correctness, from 0.001 to 0.99."""
        spread = self.error * (1.0 - self.error)
        return min(MOST, max(LEAST, self.covariance / spread)) if spread > _SMALLEST else LEAST


class VotePlan(Struct, frozen=True):
    """The expected loss and error of a unanimous vote of a number of models."""

    models: int
    loss: float
    error: float


Estimator = Callable[[SharedErrors, int], VotePlan]


def agreement(right: NDArray[np.bool_], asked: NDArray[np.bool_] | None = None) -> SharedErrors:
    """Return how models err together, from a table of which pages each got right, a row per model.

    `asked` says which pages count for which model, all by default: a model is not tested on its training pages.

    >>> found = agreement(np.array([[True, True, False, False], [True, True, False, False]]))
    >>> found.error, found.covariance, found.tried[-1]
    (0.5, 0.25, Tried(wrong=2, models=2, pages=2))
    """
    counted = np.ones(right.shape, np.bool_) if asked is None else asked
    if not counted.any():
        return SharedErrors(0.5, 0.0)
    wrong = ~np.asarray(right, np.bool_) & counted
    error = float(wrong.sum() / counted.sum())
    pairs = [
        float(np.cov(right[one][both], right[other][both], bias=True)[0, 1])
        for one in range(len(right))
        for other in range(one)
        if (both := counted[one] & counted[other]).any()
    ]
    counts = Counter(zip(wrong.sum(axis=0).tolist(), counted.sum(axis=0).tolist(), strict=True))
    tried = tuple(Tried(*key, pages) for key, pages in sorted(counts.items()) if key[1])
    return SharedErrors(error, float(np.mean(pairs)) if pairs else 0.0, tried)


def unanimous(known: SharedErrors, models: int) -> VotePlan:
    """Return the estimate by the beta distribution, reweighted by how many models were wrong about each page.

    >>> found = unanimous(SharedErrors(0.2, 0.0), 1)
    >>> found.loss, round(found.error, 3)
    (0.0, 0.2)
    """
    a, b = _law(known)
    if not known.tried:
        return beta_law(known, models)
    weights = _reshaped(known, a, b)
    right, wrong = _cells(a, b, 0, models), _cells(a, b, models, models)
    return _plan(models, float(weights @ right), float(weights @ wrong))


def beta_law(known: SharedErrors, models: int) -> VotePlan:
    """Return the estimate by the plain beta distribution."""
    return _plan(models, _all_of(1.0 - known.error, known, models), _all_of(known.error, known, models))


def chained(known: SharedErrors, models: int) -> VotePlan:
    """Return the paper's estimate, by a chain of members."""
    return _plan(models, _chain(1.0 - known.error, known, models), _chain(known.error, known, models))


def planned(
    known: SharedErrors,
    most: int,
    *,
    least: int = 1,
    loss: float | None = None,
    error: float | None = None,
    by: Estimator = unanimous,
) -> VotePlan | None:
    """Return the smallest group of `least` to `most` models that stays within a loss and an error, or None."""
    for models in range(least, most + 1):
        found = by(known, models)
        if (loss is None or found.loss <= loss) and (error is None or found.error <= error):
            return found
    return None


def _law(known: SharedErrors) -> tuple[float, float]:
    """Return the parameters of the beta distribution of errors."""
    s = 1.0 / known.correlation - 1.0
    return max(_SMALLEST, known.error * s), max(_SMALLEST, (1.0 - known.error) * s)


def _cells(a: float, b: float, wrong: int, models: int) -> Floats:
    """Return for each part the probability that a page is in it and exactly `wrong` models are wrong."""
    from scipy.special import betainc, betaln

    borders = betainc(a + wrong, b + models - wrong, np.linspace(0.0, 1.0, _CELLS + 1))
    chance = np.exp(betaln(a + wrong, b + models - wrong) - betaln(a, b))
    return np.asarray(chance * np.diff(borders), np.float64)


def _reshaped(known: SharedErrors, a: float, b: float) -> Floats:
    """Return how much more likely each part is than the beta distribution says, given the tested pages."""
    law = _cells(a, b, 0, 0)
    chances = np.array([_cells(a, b, one.wrong, one.models) for one in known.tried])
    pages = np.array([one.pages for one in known.tried], np.float64)
    weights = np.ones(_CELLS)
    for _ in range(_ROUNDS):
        shares = weights * chances
        shares /= np.maximum(shares.sum(axis=1, keepdims=True), _SMALLEST)
        found = (_LAW * law + pages @ shares) / (_LAW + pages.sum())
        weights = np.divide(found, law, out=np.zeros(_CELLS), where=law > _SMALLEST)
    return weights


def _all_of(share: float, known: SharedErrors, models: int) -> float:
    """Return the probability that all models do what one does with probability `share`."""
    s = 1.0 / known.correlation - 1.0
    return float(np.prod([(share * s + i) / (s + i) for i in range(models)]))


def _chain(share: float, known: SharedErrors, models: int) -> float:
    if share <= _SMALLEST:
        return 0.0
    step = min(1.0, max(0.0, (share * share + known.covariance) / share))
    return float(share * step ** (models - 1))


def _plan(models: int, all_right: float, all_wrong: float) -> VotePlan:
    decided = all_right + all_wrong
    error = all_wrong / decided if decided > _SMALLEST else 0.0
    # Rounding may leave a loss just below 0.
    return VotePlan(models, max(0.0, 1.0 - decided), error)
