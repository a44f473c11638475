"""Meta functions: one decision from the votes of several methods, which may abstain (Sizov, section 3.1.4).

Votes have a row per method and a column per document, each a label from 0; -1 is no vote.
"""

from typing import Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from thresher.learn.k_means import NONE, Floats, Labels

MetaFunction = Literal["majority", "unanimous", "weighted"]


class Decision(Struct, frozen=True, eq=False):
    """The label of each document, -1 if undecided, and the share of votes for its best label."""

    labels: Labels
    shares: Floats

    @property
    def loss(self) -> float:
        """The share of documents that are left undecided."""
        return float((self.labels < 0).mean()) if len(self.labels) else 0.0


def decide(votes: Labels, k: int, function: MetaFunction = "unanimous", weights: Floats | None = None) -> Decision:
    """Return the joint decision of several methods.

    `majority` needs more than half of the votes, `unanimous` all of them, and `weighted` more than half of the
    `weights` of the methods, which are equal by default.

    >>> votes = np.array([[0, 0, 1], [0, 1, 1], [0, 1, 0]])
    >>> decide(votes, 2).labels.tolist(), decide(votes, 2, "majority").labels.tolist()
    ([0, -1, -1], [0, 1, 1])
    >>> decide(votes, 2, "weighted", np.array([0.6, 0.2, 0.2])).labels.tolist()
    [0, 0, 1]
    """
    counted = weights if function == "weighted" else None
    shares = vote_shares(votes, k, counted)
    best = shares.argmax(axis=1)
    top = shares[np.arange(len(best)), best]
    taken = top > 1.0 - 1e-9 if function == "unanimous" else top > 0.5 + 1e-9
    return Decision(np.where(taken, best, NONE).astype(np.int64), top)


def vote_shares(votes: Labels, k: int, weights: Floats | None = None) -> Floats:
    """Return the weighted share of votes of each document for each label; abstaining methods count in the total.

    >>> vote_shares(np.array([[0, 1], [0, -1]]), 2).tolist()
    [[1.0, 0.0], [0.0, 0.5]]
    """
    counted = np.ones(len(votes)) if weights is None else np.asarray(weights, np.float64)
    if counted.shape != (len(votes),) or not np.isfinite(counted).all() or (counted < 0).any() or not counted.any():
        raise ValueError("there must be one weight for each method, none negative and not all zero")
    return np.asarray(np.tensordot(counted / counted.sum(), votes[:, :, None] == np.arange(k), axes=1))


def between_thresholds(scores: Floats, weights: Floats, upper: float, lower: float) -> NDArray[np.int64]:
    """Return +1 if the weighted sum of signed scores exceeds `upper`, -1 if it is below `lower`, otherwise 0.

    `scores` have a row per method: votes of +1 and -1, or confidences.

    >>> between_thresholds(np.array([[1, 1, -1], [1, -1, -1]]), np.array([0.5, 0.5]), 0.5, -0.5).tolist()
    [1, 0, -1]
    """
    if upper < lower:
        raise ValueError("the upper threshold must not be below the lower one")
    sums = np.asarray(weights, np.float64) @ scores
    return (sums > upper).astype(np.int64) - (sums < lower).astype(np.int64)
