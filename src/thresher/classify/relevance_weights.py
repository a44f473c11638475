"""Robertson–Spärck Jones weights: how strongly a term indicates the known relevant documents."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Floats = NDArray[np.float64]


def relevance_weights(counts: "csr_matrix", members: NDArray[np.bool_], met: "csr_matrix") -> Floats:
    """Return the weight of each term for the topic it indicates most; 0 for terms that indicate none.

    `counts` has a row per document and `members` a column per topic; the unlabelled documents `met` count as
    irrelevant, as most of them are.

    >>> from scipy.sparse import csr_matrix
    >>> counts, none = csr_matrix([[1, 1], [2, 1], [0, 1], [0, 1]]), csr_matrix((0, 2))
    >>> relevance_weights(counts, np.array([[True], [True], [False], [False]]), none).round(2).tolist()
    [3.22, 0.0]
    """
    having = counts.astype(bool).astype(np.float64)
    number = counts.shape[0] + met.shape[0]
    frequency = np.asarray(having.sum(axis=0) + met.astype(bool).sum(axis=0)).ravel()[:, None]
    relevant = np.asarray(having.T @ members.astype(np.float64))
    size = members.sum(axis=0)[None, :]
    with_term = (relevant + 0.5) / (size - relevant + 0.5)
    elsewhere = (frequency - relevant + 0.5) / (number - frequency - size + relevant + 0.5)
    return np.asarray(np.maximum(np.log(with_term / elsewhere).max(axis=1), 0.0))
