"""A vote of several learners and feature spaces: a weighted sum of their confidences (Sizov, section 3.3.4)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from thresher.learn.calibration import Floats, Labels, PlattScaling, held_out_margins
from thresher.learn.linear import Linear, LinearSvm, Logistic
from thresher.learn.naive_bayes import NaiveBayes
from thresher.learn.selected_terms import SelectedTerms
from thresher.learn.threads import one_thread
from thresher.learn.two_classes import TwoClasses

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


class MetaClassifier(TwoClasses):
    """Decides by the weighted sum of the members' signed confidences, each between -1 and 1.

    A member is weighted by how much better than chance it is on held-out examples. Learned: `members_`, `weights_`
    (which sum to 1), and `held_out_`, the margin of each example by members that have not seen it.

    >>> from scipy.sparse import csr_matrix
    >>> rows = csr_matrix([[0.0, 1.0], [1.0, 0.0], [0.1, 0.9], [1.0, 0.2]])
    >>> MetaClassifier().fit(rows, np.array([1, 0, 1, 0])).predict(csr_matrix([[0.0, 1.0], [1.0, 0.0]])).tolist()
    [True, False]
    """

    def __init__(self, members: Sequence[Linear] | None = None) -> None:
        super().__init__()
        self.members_ = list(members) if members is not None else usual_members()
        self.weights_: Floats = np.zeros(0)
        self.held_out_: Floats = np.zeros(0)

    def fit(self, rows: "csr_matrix", labels: NDArray[Any]) -> Self:
        """Learn from rows and their labels, true for the positive class; both classes must occur."""
        truth = np.asarray(labels).astype(bool)
        sure = []
        for member in self.members_:
            member.fit(rows, truth)
            with one_thread():
                margins = held_out_margins(rows, truth, member.margins_of)
            sure.append(_signed(member.scaling_, margins))
        held_out = np.array(sure)
        better = np.array([_balanced_accuracy(one > 0, truth) - 0.5 for one in held_out]).clip(0.0)
        self.weights_ = better / better.sum() if better.any() else np.full(len(held_out), 1 / len(held_out))
        self.held_out_ = self.weights_ @ held_out
        self.scaling_ = PlattScaling().fit(self.held_out_, truth)
        return self

    def margins(self, rows: "csr_matrix") -> Floats:
        """Return the weighted sum of the members' confidences, from -1 to 1."""
        sure = [_signed(member.scaling_, member.margins(rows)) for member in self.members_]
        return np.asarray(self.weights_ @ np.array(sure))


def usual_members() -> list[Linear]:
    """Return three learners over all terms, and one over the most distinctive terms."""
    return [LinearSvm(balanced=True), Logistic(), NaiveBayes(), SelectedTerms(LinearSvm(balanced=True))]


def _signed(scaling: PlattScaling, margins: Floats) -> Floats:
    return 2.0 * scaling.probabilities(margins) - 1.0


def _balanced_accuracy(said: Labels, truth: Labels) -> float:
    return float((said[truth].mean() + (~said[~truth]).mean()) / 2)
