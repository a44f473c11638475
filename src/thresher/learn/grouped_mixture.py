"""Separates a mixture of two kinds of values whose proportions differ between groups, without labels.

The upper kind is normally distributed around one centre, the lower kind around another; every group has its own share
of the upper kind. Centres, spreads and shares are learned together by expectation maximisation: a value is more likely
of the upper kind in a group with many of them, and a group has many of them if its values are high.
"""

from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from thresher.learn.calibration import sigmoids

Floats = NDArray[np.float64]
Groups = NDArray[np.int64]

ROUNDS: Final = 30

GROUP: Final = 20.0
"""Maximum weight of a group, in values, when centres and spreads are learned."""

TAUGHT: Final = 1.0
"""The same for a group with a value known to be of the upper kind: it was used for teaching, so all of its values are
higher than those of the upper kind elsewhere.
"""

FEW: Final = 2.0
"""Weight, in values, of the initial guess of centres and spreads."""

FEWEST_VALUES, FEWEST_GROUPS = 3, 5
"""Minimum number of values per group, and of such groups, to estimate how much groups differ."""

PRIOR: Final = 4.0
"""Weight, in values, of the mean share of all groups within a group, while that is not estimated."""

PRIORS: Final = (0.5, 16.0)
UPPER_SPREADS: Final = (0.8, 3.0)
LOWER_SPREADS: Final = (1.0, 3.0)
SHARES: Final = (0.01, 0.98)
"""Limits of the learned values."""

_STEPS: Final = 200


class GroupedMixture:
    """Learns where the upper kind begins in a group with a given share of it.

    Learned: `upper_` and `lower_`, the centre and spread of each kind, `shares_` of the upper kind in each group, and
    `prior_`, how many values of a group outweigh half of the mean share: few if groups are mostly of one kind.

    >>> rng = np.random.default_rng(0)
    >>> groups = np.repeat(np.arange(20), 30)
    >>> values = np.where(rng.random(600) < (groups % 2) * 0.9, rng.normal(6, 1, 600), rng.normal(0, 1, 600))
    >>> mixture = GroupedMixture().fit(values, groups, np.full(600, np.nan), start=3.0)
    >>> [round(float(mixture.shares_[places].mean()), 1) for places in (slice(0, 20, 2), slice(1, 20, 2))]
    [0.0, 0.9]
    """

    def __init__(self, rounds: int = ROUNDS) -> None:
        self.rounds = rounds
        self.upper_ = (1.0, 1.0)
        self.lower_ = (0.0, 1.0)
        self.shares_: Floats = np.zeros(0)
        self.prior_ = PRIOR

    def fit(self, values: Floats, groups: Groups, known: Floats, start: float) -> Self:
        """Learn from values and their group numbers; every group has a value.

        `known` is 1 for values known to be of the upper kind, 0 for those of the lower kind, and NaN for all others.
        `start` is the initial border of the upper kind; its centre stays above.
        """
        numbers = np.bincount(groups)
        sure = ~np.isnan(known)
        given = sure & (known > 0)
        taught = np.unique(groups[given])
        most = np.full(len(numbers), GROUP)
        most[taught] = TAUGHT
        weights = np.minimum(1.0, most / numbers)[groups]
        # Values of one group say nothing about others.
        guess = max(start + 1.0, float(np.median(values[given]))) if len(taught) > 1 else start + 1.0
        self.shares_ = np.full(len(numbers), SHARES[0])
        upper = np.where(sure, known, sigmoids(2.0 * (values - start)))
        for _ in range(self.rounds):
            self._share(np.asarray(np.bincount(groups, upper), np.float64), numbers)
            centre, spread = _learnt(values, weights * upper, (guess, 1.5), UPPER_SPREADS)
            self.upper_ = max(centre, start), spread
            # The shape of the lower kind matters in groups with much of the upper kind.
            beside = weights * (1.0 - upper) * self.shares_[groups] ** 2
            self.lower_ = _learnt(values, beside, (0.5, 1.0), LOWER_SPREADS)
            odds = _logit(self.shares_)[groups] + self._log_ratio(values)
            upper = np.where(sure, known, sigmoids(odds))
        return self

    def borders(self, shares: Floats) -> Floats:
        """Return the value beyond which the upper kind is more likely, for groups with the given shares of it.

        It is between the centres of both kinds, whatever the share.
        """
        places = np.linspace(min(self.lower_[0], self.upper_[0]), self.upper_[0], _STEPS)
        return np.asarray(np.interp(-_logit(shares), self._log_ratio(places), places))

    def _share(self, sums: Floats, numbers: Groups) -> None:
        """Learn the share of each group, pulled towards the mean as far as groups are alike."""
        mean = float(np.clip(self.shares_.mean(), SHARES[0], 0.5))
        many = numbers >= FEWEST_VALUES
        if many.sum() >= FEWEST_GROUPS:
            own = sums[many] / numbers[many]
            chance = float((own * (1.0 - own) / numbers[many]).mean())
            whole = max(float(own.mean() * (1.0 - own.mean())), 1e-6)
            differ = float(np.clip((own.var(ddof=1) - chance) / whole, 1e-3, 1.0))
            self.prior_ = float(np.clip((1.0 - differ) / differ, *PRIORS))
        self.shares_ = np.clip((self.prior_ * mean + sums) / (self.prior_ + numbers), *SHARES)

    def _log_ratio(self, values: Floats) -> Floats:
        """Return the log-likelihood ratio of values for the upper kind, constant beyond the centres."""
        above = _log_density(np.minimum(values, self.upper_[0]), *self.upper_)
        return above - _log_density(np.maximum(values, self.lower_[0]), *self.lower_)


def _learnt(
    values: Floats, weights: Floats, guess: tuple[float, float], limits: tuple[float, float]
) -> tuple[float, float]:
    """Return the centre and spread of weighted values, with a guess that a few values outweigh."""
    total = float(weights.sum()) + FEW
    centre = (float(weights @ values) + FEW * guess[0]) / total
    square = (float(weights @ (values - centre) ** 2) + FEW * guess[1] ** 2) / total
    return centre, float(np.clip(square**0.5, *limits))


def _log_density(values: Floats, centre: float, spread: float) -> Floats:
    return np.asarray(-0.5 * ((values - centre) / spread) ** 2 - np.log(spread))


def _logit(shares: Floats) -> Floats:
    return np.asarray(np.log(shares / (1.0 - shares)))
