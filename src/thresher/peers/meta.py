"""The meta classifier over own and received models: what each model's vote weighs (Sizov, section 3.3.4).

A model weighs by how much better than chance it is. Its accuracy is the mean of what its receiver has measured itself
and of the middle of what other peers have measured, never of what its sender says of it. What others say can raise it
no higher than the receiver's own measurement allows.
"""

from collections.abc import Mapping, Sequence
from statistics import median

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from thresher.classify.linear_model import LinearMachine, LinearModel
from thresher.learn.meta_functions import between_thresholds
from thresher.learn.restrictive import most_certain
from thresher.peers.matching import Measure

Floats = NDArray[np.float64]
Votes = NDArray[np.int64]


def accuracy_of(own: Measure, others: Sequence[float]) -> float:
    """Return the accuracy of a model by the own measurement and those of other peers.

    >>> own = Measure(accuracy=0.8, low=0.6, pages=20, centre=0.0, unit=1.0)
    >>> accuracy_of(own, []), accuracy_of(own, [0.7, 0.6, 0.0]), accuracy_of(own, [1.0, 1.0])
    (0.8, 0.7, 0.8)
    """
    said = [min(1.0, max(0.0, accuracy)) for accuracy in others]
    return min(own.accuracy, round((own.accuracy + median(said)) / 2, 6)) if said else own.accuracy


def weight_of(accuracy: float) -> float:
    """Return the weight of a model's vote: 1 if it is always right, 0 if it is no better than chance.

    >>> weight_of(1.0), weight_of(0.75), weight_of(0.3)
    (1.0, 0.5, 0.0)
    """
    return max(0.0, 2.0 * accuracy - 1.0)


class Member(Struct, frozen=True):
    """A model in a meta classifier, with its weight and the centre and unit of its confidences."""

    model: LinearModel
    weight: float = 1.0
    centre: float = 0.0
    unit: float = 1.0


class MetaModel:
    """Decides by the weighted sum of what its members are sure of.

    >>> boats = LinearModel(["boat", "car"], [1.0, 1.0], [1.0, -1.0], 0.0)
    >>> sails = LinearModel(["sail", "car"], [1.0, 1.0], [1.0, -1.0], 0.0)
    >>> meta = MetaModel([Member(boats), Member(sails)])
    >>> meta.between([{"boat": 1, "sail": 1}, {"car": 1}, {"boat": 1}], 0.5, -0.5).tolist()
    [1, -1, 0]
    """

    def __init__(self, members: Sequence[Member]) -> None:
        if not members:
            raise ValueError("a meta classifier needs a member")
        self._machines = [LinearMachine(member.model) for member in members]
        self._centres = np.array([member.centre for member in members])
        self._units = np.array([member.unit for member in members])
        weights = np.array([member.weight for member in members])
        self._weights = weights / weights.sum() if weights.any() else np.full(len(members), 1 / len(members))

    def confidences(self, bags: Sequence[Mapping[str, int]]) -> Floats:
        """Return what each member is sure of, a row per member."""
        said = np.array([machine.confidences(bags) for machine in self._machines])
        return np.asarray((said - self._centres[:, None]) / self._units[:, None])

    def sums(self, bags: Sequence[Mapping[str, int]]) -> Floats:
        """Return the weighted sum of the members' confidences for each page."""
        return np.asarray(self._weights @ self.confidences(bags))

    def between(self, bags: Sequence[Mapping[str, int]], upper: float, lower: float) -> Votes:
        """Return 1 if the weighted sum of votes exceeds `upper`, -1 if it is below `lower`, else 0."""
        return between_thresholds(np.sign(self.confidences(bags)), self._weights, upper, lower)

    def at_loss(self, bags: Sequence[Mapping[str, int]], loss: float) -> Votes:
        """Return 1 or -1 for each page, and 0 for the share `loss` of pages that the members are least sure of."""
        sums = self.sums(bags)
        return np.where(most_certain(np.abs(sums), loss), np.where(sums > 0, 1, -1), 0).astype(np.int64)
