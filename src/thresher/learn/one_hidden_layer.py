"""A neural network with one hidden layer, fitted with scikit-learn and applied as two matrix products."""

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from thresher.learn.calibration import Floats, Labels, PlattScaling, held_out_margins
from thresher.learn.threads import one_thread
from thresher.learn.two_classes import TwoClasses

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


class OneHiddenLayer(TwoClasses):
    """A two-class network: rows, `hidden` tanh units, one output.

    `decay` is the penalty on the squared weights and `seed` determines the initial weights. Learned: `inner_` (columns
    × hidden), `inner_bias_`, `outer_` (hidden), `outer_bias_` and `scaling_`, Platt's sigmoid over held-out margins.

    >>> from scipy.sparse import csr_matrix
    >>> rows = csr_matrix([[0.0, 1.0], [1.0, 0.0], [0.1, 0.9], [1.0, 0.2]])
    >>> OneHiddenLayer().fit(rows, np.array([1, 0, 1, 0])).predict(rows).tolist()
    [True, False, True, False]
    """

    def __init__(self, hidden: int = 8, decay: float = 0.01, seed: int = 0) -> None:
        super().__init__()
        self.hidden = hidden
        self.decay = decay
        self.seed = seed
        self.inner_: Floats = np.zeros((0, hidden))
        self.inner_bias_: Floats = np.zeros(hidden)
        self.outer_: Floats = np.zeros(hidden)
        self.outer_bias_ = 0.0

    def fit(self, rows: "csr_matrix", labels: NDArray[Any]) -> Self:
        """Learn from rows and their labels, true for the positive class; both classes must occur."""
        truth = np.asarray(labels).astype(bool)
        if truth.all() or not truth.any():
            raise ValueError("examples of both classes are needed")
        with one_thread():
            held_out = held_out_margins(rows, truth, self._margins_of)
            self.learn(rows, truth)
            self.scaling_ = PlattScaling().fit(held_out, truth)
        return self

    def margins(self, rows: "csr_matrix") -> Floats:
        """Return the output before the sigmoid, one number per row."""
        cells = np.tanh(np.asarray(rows @ self.inner_) + self.inner_bias_)
        return np.asarray(cells @ self.outer_ + self.outer_bias_)

    def _margins_of(self, rows: "csr_matrix", labels: Labels, unseen: "csr_matrix") -> Floats:
        return self.learn(rows, labels).margins(unseen)

    def learn(self, rows: "csr_matrix", labels: Labels) -> Self:
        """Learn only the weights, for margins without probabilities."""
        from sklearn.neural_network import MLPClassifier

        network = MLPClassifier(
            (self.hidden,), activation="tanh", solver="lbfgs", alpha=self.decay, max_iter=500, random_state=self.seed
        ).fit(rows, labels)
        self.inner_, outer = network.coefs_
        self.inner_bias_, outer_bias = network.intercepts_
        self.outer_, self.outer_bias_ = outer.ravel(), float(outer_bias[0])
        return self
