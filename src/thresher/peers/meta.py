"""The weight of a received model's vote (Sizov, section 3.3.4).

A model is weighted by how much better than chance it is. Its accuracy is the mean of the receiver's own measurement and
the median of other peers' measurements; its sender's claims are ignored. Other peers' reports can never raise it above
the receiver's own measurement.
"""

from collections.abc import Sequence
from statistics import median

from thresher.peers.matching import Separation


def accuracy_of(own: Separation, others: Sequence[float]) -> float:
    """Return the accuracy of a model from our own measurement and those of other peers.

    >>> own = Separation(accuracy=0.8, low=0.6, pages=20, centre=0.0, unit=1.0)
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
