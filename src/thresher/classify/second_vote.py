"""A second classifier with its own vote: the direction from the mean of all other documents to that of the topic.

Rocchio's rule has no borders and fits nothing, so a handful of documents cannot mislead it as it can mislead a support
vector machine. Both are linear in the same space, so their mean is a linear classifier again.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Floats = NDArray[np.float64]


def with_vote(weights: Floats, rows: "csr_matrix", labels: NDArray[np.bool_], importance: Floats) -> Floats:
    """Return the mean of a classifier's weights and those of Rocchio's rule, scaled to the same length.

    `importance` is the weight of each row within its class.

    >>> from scipy.sparse import csr_matrix
    >>> rows = csr_matrix([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    >>> with_vote(np.array([1.0, 0.0]), rows, np.array([True, False, False]), np.ones(3)).round(2).tolist()
    [0.85, -0.35]
    """
    own, other = (_mean(rows, importance * side) for side in (labels, ~labels))
    way = own - other
    length = float(np.linalg.norm(way))
    return weights if not length else (weights + way * (float(np.linalg.norm(weights)) / length)) / 2


def _mean(rows: "csr_matrix", weights: Floats) -> Floats:
    total = float(weights.sum())
    return np.asarray(rows.T @ weights).ravel() / (total or 1.0)
