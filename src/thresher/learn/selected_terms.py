"""A linear classifier over the terms that best distinguish the two classes, as another feature space in a vote."""

from typing import TYPE_CHECKING, Final

import numpy as np

from thresher.learn.calibration import Floats, Labels
from thresher.learn.feature_selection import contingency, information_gain
from thresher.learn.linear import Linear

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

SELECTED: Final = 200
"""Number of terms chosen."""


class SelectedTerms(Linear):
    """Fits another classifier to the `number` columns with the highest information gain; all others weigh nothing.

    Columns are chosen from the rows given, so that held-out rows have no part in it.

    >>> from scipy.sparse import csr_matrix
    >>> from thresher.learn.linear import LinearSvm
    >>> rows = csr_matrix([[0.0, 1.0, 0.5], [1.0, 0.0, 0.5], [0.1, 0.9, 0.5], [1.0, 0.0, 0.4]])
    >>> SelectedTerms(LinearSvm(), 1).fit(rows, np.array([1, 0, 1, 0])).weights_.round(1).tolist()[::2]
    [0.0, 0.0]
    """

    def __init__(self, learner: Linear, number: int = SELECTED) -> None:
        super().__init__()
        if number < 1:
            raise ValueError("the number of terms must be at least 1")
        self.learner = learner
        self.number = number

    def _fitted(self, rows: "csr_matrix", labels: Labels) -> tuple[Floats, float]:
        gains = information_gain(*contingency(rows, labels))
        chosen = np.sort(np.argsort(-gains, kind="stable")[: self.number])
        weights = np.zeros(rows.shape[1])
        weights[chosen], bias = self.learner._fitted(rows[:, chosen], labels)
        return weights, bias
