"""A linear classifier of one topic as plain data: terms with weights, and a bias.

This is what portals exchange. A bag of stems is judged as in `family_model.py`: term weights normalised over the known
terms, times the weights of the model, plus the bias.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import repeat

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class LinearModel(Struct, frozen=True):
    """The terms of a classifier, their inverse document frequencies and weights, and the bias.

    With `relative`, a term counts as often as it occurs, otherwise by 1 + ln of that.
    """

    terms: list[str]
    idf: list[float]
    weights: list[float]
    bias: float
    relative: bool = False


class LinearMachine:
    """Judges bags of stems with a linear model.

    >>> machine = LinearMachine(LinearModel(["boat", "car"], [1.0, 1.0], [2.0, -2.0], -0.5))
    >>> machine.confidences([{"boat": 1}, {"car": 3, "road": 1}, {}]).tolist()
    [1.5, -2.5, -0.5]
    """

    def __init__(self, model: LinearModel) -> None:
        self._place = {term: place for place, term in enumerate(model.terms)}
        self._idf = np.array(model.idf, np.float64)
        self._weights = np.array(model.weights, np.float64)
        self._bias = model.bias
        self._relative = model.relative

    def confidence(self, bag: Mapping[str, int]) -> float:
        """Return the confidence that a bag of stems is of the model's topic; negative if it is not."""
        places = np.array(list(map(self._place.get, bag, repeat(-1))), np.int64)
        here = places >= 0
        places = places[here]
        counts = np.fromiter(bag.values(), np.float64, len(bag))[here]
        values = (counts if self._relative else 1.0 + np.log(counts)) * self._idf[places]
        length = math.sqrt(values @ values)
        return float(values @ self._weights[places]) / (length or 1.0) + self._bias

    def confidences(self, bags: Sequence[Mapping[str, int]]) -> Floats:
        """Return the confidence for each bag."""
        return np.array([self.confidence(bag) for bag in bags], np.float64)
