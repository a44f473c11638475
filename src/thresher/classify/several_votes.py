"""Several classifiers with one vote each: different learners, and one in a feature space of its own.

- a support vector machine over all terms of the space
- Rocchio's rule, the direction from the mean of all other documents to that of the topic: it has no borders and fits
  nothing, so a handful of documents cannot mislead it
- logistic regression
- naive Bayes
- a support vector machine over the terms that best distinguish the two classes

All are linear in the same rows, so the sum of their votes is a linear classifier again and costs a crawl nothing.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from thresher.learn.feature_selection import contingency, information_gain
from thresher.learn.linear import LinearSvm, Logistic
from thresher.learn.naive_bayes import NaiveBayes
from thresher.learn.selected_terms import SELECTED

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def with_votes(
    weights: Floats, bias: float, rows: "csr_matrix", labels: Flags, importance: Floats, machine: LinearSvm
) -> tuple[Floats, float]:
    """Return the mean of several classifiers, each scaled to the length of the first one's weights.

    `weights` and `bias` are those of the support vector `machine` fitted to the rows, `importance` is the weight of
    each row within its class.

    >>> from scipy.sparse import csr_matrix
    >>> rows = csr_matrix([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    >>> labels, machine = np.array([True, False, False]), LinearSvm()
    >>> weights, _ = with_votes(np.array([1.0, 0.0]), 0.0, rows, labels, np.ones(3), machine)
    >>> bool(weights[0] > 0 > weights[1])
    True
    """
    even = _balanced(labels, importance)
    members = [
        (_mean(rows, even * labels) - _mean(rows, even * ~labels), bias),
        Logistic().weights(rows, labels, even),
        NaiveBayes().weights(rows, labels, even),
        _over_selected(rows, labels, importance, machine),
    ]
    length = float(np.linalg.norm(weights))
    total, shift, votes = weights.copy(), bias, 1
    for own, border in members:
        size = float(np.linalg.norm(own))
        if size:
            # Rocchio's rule has no border of its own and takes over that of the first.
            scale = length / size
            total += own * scale
            shift += border * (scale if own is not members[0][0] else 1.0)
            votes += 1
    return total / votes, shift / votes


def _balanced(labels: Flags, importance: Floats) -> Floats:
    """Return weights of the rows that sum to half their number in each class."""
    even = importance.astype(float)
    for side in (labels, ~labels):
        even[side] *= len(labels) / (2 * max(float(importance[side].sum()), 1e-12))
    return even


def _over_selected(rows: "csr_matrix", labels: Flags, importance: Floats, machine: LinearSvm) -> tuple[Floats, float]:
    gains = information_gain(*contingency(rows, labels))
    chosen = np.sort(np.argsort(-gains, kind="stable")[:SELECTED])
    weights = np.zeros(rows.shape[1])
    weights[chosen], bias = machine.weights(rows[:, chosen], labels, importance)
    return weights, bias


def _mean(rows: "csr_matrix", weights: Floats) -> Floats:
    total = float(weights.sum())
    return np.asarray(rows.T @ weights).ravel() / (total or 1.0)
