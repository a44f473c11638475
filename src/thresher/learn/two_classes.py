"""What two-class classifiers share: labels and probabilities from margins, as in scikit-learn."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Final

import numpy as np

from thresher.learn.calibration import Floats, Labels, PlattScaling

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


class TwoClasses(ABC):
    """A classifier whose margin is positive for the positive class.

    `classes_` are the labels in column order of `predict_proba`. Learned: `scaling_`, Platt's sigmoid over held-out
    margins.

    >>> class Sums(TwoClasses):
    ...     def margins(self, rows):
    ...         return rows.sum(axis=1)
    >>> Sums().predict(np.array([[2.0, 1.0], [0.0, -3.0]])).tolist()
    [True, False]
    """

    classes_: Final = np.array([False, True])

    def __init__(self) -> None:
        self.scaling_ = PlattScaling()

    @abstractmethod
    def margins(self, rows: "csr_matrix") -> Floats:
        """Return a number per row, larger if the positive class is more likely."""

    def predict(self, rows: "csr_matrix") -> Labels:
        """Return for each row whether the positive class is at least as likely as the negative one."""
        return self._positive(rows) >= 0.5

    def predict_proba(self, rows: "csr_matrix") -> Floats:
        """Return the calibrated probabilities of both classes, one row per input row."""
        positive = self._positive(rows)
        return np.column_stack([1.0 - positive, positive])

    def _positive(self, rows: "csr_matrix") -> Floats:
        return self.scaling_.probabilities(self.margins(rows))
