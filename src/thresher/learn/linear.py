"""Linear two-class classifiers, including logistic regression and the support vector machine of scikit-learn.

scikit-learn takes seconds to import, so it is imported only where something is fitted; a fitted model is an array of
weights and a bias.
"""

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from thresher.learn.calibration import Floats, Labels, PlattScaling, held_out_margins
from thresher.learn.threads import one_thread
from thresher.learn.two_classes import TwoClasses

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

_TOLERANCE = 1e-6
SVM_TOLERANCE: Final = 1e-4
_ITERATIONS = 10_000


class Linear(TwoClasses):
    """What all linear classifiers share: margins, and probabilities by Platt's sigmoid over held-out margins.

    Learned: `weights_`, one per column, `bias_` and `scaling_`.
    """

    def __init__(self) -> None:
        super().__init__()
        self.weights_: Floats = np.zeros(0)
        self.bias_ = 0.0

    def fit(self, rows: "csr_matrix", labels: NDArray[Any]) -> Self:
        """Learn from rows and their labels, true for the positive class; both classes must occur."""
        truth = np.asarray(labels).astype(bool)
        if truth.all() or not truth.any():
            raise ValueError("examples of both classes are needed")
        with one_thread():
            self.weights_, self.bias_ = self._fitted(rows, truth)
            self.scaling_ = PlattScaling().fit(held_out_margins(rows, truth, self.margins_of), truth)
        return self

    def margins(self, rows: "csr_matrix") -> Floats:
        """Return the signed distance of each row from the border, in units of the weights' length."""
        return np.asarray(rows @ self.weights_).ravel() + self.bias_

    def margins_of(self, rows: "csr_matrix", labels: Labels, unseen: "csr_matrix") -> Floats:
        """Return the margins of unseen rows by a model fitted to others; nothing is kept."""
        weights, bias = self._fitted(rows, labels)
        return np.asarray(unseen @ weights).ravel() + bias

    @abstractmethod
    def _fitted(self, rows: "csr_matrix", labels: Labels) -> tuple[Floats, float]:
        """Return weights and bias learned from rows and labels."""


def _unpacked(model: Any) -> tuple[Floats, float]:
    """Return the weights and bias of a fitted scikit-learn model."""
    return np.asarray(model.coef_, float).ravel(), float(model.intercept_[0])


class Logistic(Linear):
    """Logistic regression with an L2 penalty; `cost` (C) is the penalty for an error.

    >>> from scipy.sparse import csr_matrix
    >>> model = Logistic().fit(csr_matrix([[0.0, 1.0], [1.0, 0.0], [0.1, 0.9], [1.0, 0.2]]), np.array([1, 0, 1, 0]))
    >>> model.predict(csr_matrix([[0.0, 1.0], [1.0, 0.0]])).tolist()
    [True, False]
    """

    def __init__(self, cost: float = 1.0) -> None:
        super().__init__()
        self.cost = cost

    def weights(self, rows: "csr_matrix", labels: Labels, importance: Floats) -> tuple[Floats, float]:
        """Return the weights and bias learned from rows and labels; `importance` is the weight of each row."""
        return self._fitted(rows, labels, importance)

    def _fitted(self, rows: "csr_matrix", labels: Labels, importance: Floats | None = None) -> tuple[Floats, float]:
        from sklearn.linear_model import LogisticRegression

        # With few rows and many columns, Newton steps take a tenth of the time of the default solver.
        model = LogisticRegression(C=self.cost, solver="newton-cg", tol=_TOLERANCE, max_iter=_ITERATIONS)
        return _unpacked(model.fit(rows, labels, importance))


class LinearSvm(Linear):
    """The linear support vector machine with squared hinge loss; `cost` (C) is the penalty for an error.

    `balanced` gives both classes the same total weight; fitting ends when no example violates the optimality conditions
    by more than the `tolerance`.

    >>> from scipy.sparse import csr_matrix
    >>> model = LinearSvm().fit(csr_matrix([[0.0, 1.0], [1.0, 0.0], [0.1, 0.9], [1.0, 0.2]]), np.array([1, 0, 1, 0]))
    >>> model.predict(csr_matrix([[0.0, 1.0], [1.0, 0.0]])).tolist()
    [True, False]
    """

    def __init__(self, cost: float = 1.0, balanced: bool = False, tolerance: float = SVM_TOLERANCE) -> None:
        super().__init__()
        self.cost = cost
        self.balanced = balanced
        self.tolerance = tolerance

    def weights(
        self, rows: "csr_matrix", labels: NDArray[Any], importance: Floats | None = None
    ) -> tuple[Floats, float]:
        """Return the weights and bias learned from rows and labels, for margins without probabilities; nothing is kept.

        `importance` is the weight of each row; by default all are equal.
        """
        from sklearn.svm import LinearSVC

        truth = np.asarray(labels).astype(bool)
        counting = np.ones(len(truth)) if importance is None else importance
        if self.balanced:
            positive = counting[truth].sum() / counting.sum()
            counting = counting / (2 * np.where(truth, positive, 1 - positive))
        # It visits the examples in random order.
        model = LinearSVC(C=self.cost, tol=self.tolerance, max_iter=_ITERATIONS, random_state=0)
        return _unpacked(model.fit(rows, truth, counting))

    def _fitted(self, rows: "csr_matrix", labels: Labels) -> tuple[Floats, float]:
        return self.weights(rows, labels)
