"""Naive Bayes: terms drawn one by one from the vocabulary of a class (the multinomial model)."""

from typing import TYPE_CHECKING

import numpy as np

from thresher.learn.calibration import Floats, Labels
from thresher.learn.linear import Linear

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


class NaiveBayes(Linear):
    """Multinomial two-class naive Bayes over nonnegative weights or counts.

    Its margin, the log-odds, is linear in the row. `smoothing` is added to the weight of every term in every class.

    >>> from scipy.sparse import csr_matrix
    >>> model = NaiveBayes().fit(csr_matrix([[0.0, 3.0], [2.0, 1.0], [0.0, 1.0]]), np.array([1, 0, 1]))
    >>> unlikely, likely = model.predict_proba(csr_matrix([[0.0, 1.0]]))[0].tolist()
    >>> likely > 0.5 > unlikely
    True
    """

    def __init__(self, smoothing: float = 1.0) -> None:
        super().__init__()
        self.smoothing = smoothing

    def _fitted(self, rows: "csr_matrix", labels: Labels) -> tuple[Floats, float]:
        positive, negative = np.flatnonzero(labels), np.flatnonzero(~labels)
        weights = self._log_shares(rows[positive]) - self._log_shares(rows[negative])
        return weights, float(np.log(len(positive) / len(negative)))

    def _log_shares(self, rows: "csr_matrix") -> Floats:
        """Return the logarithm of each term's share in the weight of a class."""
        weight = np.asarray(rows.sum(axis=0), float).ravel() + self.smoothing
        return np.asarray(np.log(weight / weight.sum()))
