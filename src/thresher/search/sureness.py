"""Certainty levels: names for ranges of the calibrated probability."""

from typing import Final

import numpy as np

from thresher.search.columns import Mask, Numbers

LEVELS: Final = {"very": 0.95, "sure": 0.80, "fairly": 0.60, "doubtful": 0.0}
"""The minimum probability of each level, highest first."""


def level_of(probability: float) -> str | None:
    """Return the level of a probability, or None if it is unknown.

    >>> level_of(0.95), level_of(0.9), level_of(0.6), level_of(0.2), level_of(float("nan"))
    ('very', 'sure', 'fairly', 'doubtful', None)
    """
    return next((name for name, least in LEVELS.items() if probability >= least), None)


def at_level(probabilities: Numbers, level: str) -> Mask:
    """Return which of some probabilities belong to a level.

    >>> at_level(np.array([0.99, 0.85, 0.8, np.nan]), "sure").tolist()
    [False, True, True, False]
    """
    names = list(LEVELS)
    above = LEVELS[names[names.index(level) - 1]] if level != names[0] else np.inf
    return np.asarray((probabilities >= LEVELS[level]) & (probabilities < above), np.bool_)
