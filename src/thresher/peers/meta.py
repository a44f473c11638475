"""What the vote of a received model weighs (Sizov, section 3.3.4).

A model weighs by how much better than chance it is. Its accuracy is the mean of what its receiver has measured itself
and of the middle of what other peers have measured, never of what its sender says of it. What others say can raise it
no higher than the receiver's own measurement allows.
"""

from collections.abc import Sequence
from statistics import median

from thresher.peers.matching import Measure


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
