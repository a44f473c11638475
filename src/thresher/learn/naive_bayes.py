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

    def weights(self, rows: "csr_matrix", labels: Labels, importance: Floats) -> tuple[Floats, float]:
        """Return the weights and bias learned from rows and labels; `importance` is the weight of each row."""
        own, other = (self._log_shares(rows.T @ (importance * side)) for side in (labels, ~labels))
        return own - other, float(np.log(importance[labels].sum() / importance[~labels].sum()))

    def _fitted(self, rows: "csr_matrix", labels: Labels) -> tuple[Floats, float]:
        return self.weights(rows, labels, np.ones(len(labels)))

    def _log_shares(self, weight: Floats) -> Floats:
        """Return the logarithm of each term's share in the weight of a class."""
        smoothed = np.asarray(weight, float).ravel() + self.smoothing
        return np.asarray(np.log(smoothed / smoothed.sum()))
