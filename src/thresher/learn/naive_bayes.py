"""Naive Bayes: terms drawn one by one from the vocabulary of a class (the multinomial model)."""

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from thresher.learn.calibration import Floats, sigmoid

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


class NaiveBayes:
    """Multinomial Naive Bayes of two classes over weights or counts that are not negative.

    `smoothing` is added to the weight of every term in every class. Its margin, the logarithm of the odds, is linear in
    the row, so that it can be applied like any linear model. Learnt: `weights_`, one per column, and `bias_`.

    >>> from scipy.sparse import csr_matrix
    >>> model = NaiveBayes().fit(csr_matrix([[0.0, 3.0], [2.0, 1.0], [0.0, 1.0]]), np.array([1, 0, 1]))
    >>> likely, unlikely = model.predict_proba(csr_matrix([[0.0, 1.0], [1.0, 0.0]])).tolist()
    >>> likely > 0.5 > unlikely
    True
    """

    def __init__(self, smoothing: float = 1.0) -> None:
        self.smoothing = smoothing
        self.weights_: Floats = np.zeros(0)
        self.bias_ = 0.0

    def fit(self, rows: "csr_matrix", labels: NDArray[Any]) -> Self:
        """Learn from rows and their labels, true for the positive class; both classes must occur."""
        truth = np.asarray(labels).astype(bool)
        if truth.all() or not truth.any():
            raise ValueError("examples of both classes are needed")
        self.weights_ = self._log_shares(rows[np.flatnonzero(truth)]) - self._log_shares(rows[np.flatnonzero(~truth)])
        self.bias_ = float(np.log(truth.sum() / (~truth).sum()))
        return self

    def margins(self, rows: "csr_matrix") -> Floats:
        """Return the logarithm of the odds that a row is of the positive class."""
        return np.asarray(rows @ self.weights_).ravel() + self.bias_

    def predict_proba(self, rows: "csr_matrix") -> Floats:
        """Return the probability of the positive class, one number per row."""
        return np.array([sigmoid(margin) for margin in self.margins(rows).tolist()])

    def _log_shares(self, rows: "csr_matrix") -> Floats:
        """Return the logarithm of each term's share in the weight of a class."""
        weight = np.asarray(rows.sum(axis=0), float).ravel() + self.smoothing
        return np.asarray(np.log(weight / weight.sum()))
