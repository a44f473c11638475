"""Meta functions: one decision from the votes of several methods, which may abstain (Sizov, section 3.1.4).

Votes have a row per method and a column per document, each a label from 0; -1 is no vote.
"""

from typing import Final, Literal

import numpy as np
from msgspec import Struct

from thresher.learn.k_means import NONE, Floats, Labels

MetaFunction = Literal["threshold", "majority", "unanimous", "weighted"]

SHARE: Final = 0.8
"""Default share of the votes that a threshold requires."""

_ROUNDING: Final = 1e-9


class Decision(Struct, frozen=True, eq=False):
    """The label of each document, -1 if undecided, and the share of votes for its best label."""

    labels: Labels
    shares: Floats

    @property
    def loss(self) -> float:
        """The share of documents that are left undecided."""
        return float((self.labels < 0).mean()) if len(self.labels) else 0.0


def decide(
    votes: Labels,
    k: int,
    function: MetaFunction = "unanimous",
    weights: Floats | None = None,
    share: float = SHARE,
) -> Decision:
    """Return the joint decision of several methods.

    `majority` needs more than half of the votes, `unanimous` all of them, `threshold` the given `share`, and `weighted`
    more than half of the `weights` of the methods, which are equal by default. For two labels, a threshold is the
    source's pair of thresholds t1 = 2·share - 1 and t2 = -t1 for the sum of votes of +1 and -1.

    >>> votes = np.array([[0, 0, 1], [0, 1, 1], [0, 1, 0]])
    >>> decide(votes, 2).labels.tolist(), decide(votes, 2, "majority").labels.tolist()
    ([0, -1, -1], [0, 1, 1])
    >>> decide(votes, 2, "weighted", np.array([0.6, 0.2, 0.2])).labels.tolist()
    [0, 0, 1]
    >>> decide(votes, 2, "threshold", share=0.6).labels.tolist()
    [0, 1, 1]
    """
    if not 0.5 <= share <= 1.0:
        raise ValueError("the share must be between 0.5 and 1")
    counted = weights if function == "weighted" else None
    shares = vote_shares(votes, k, counted)
    best = shares.argmax(axis=1)
    top = shares[np.arange(len(best)), best]
    needed = {"unanimous": 1.0, "threshold": share}.get(function, 0.0)
    taken = (top > 0.5 + _ROUNDING) & (top >= needed - _ROUNDING)
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
