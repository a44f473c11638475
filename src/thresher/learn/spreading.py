"""Labels the rows that a restrictive method left undecided, with classifiers trained on the decided ones.

(Sizov, section 3.1.6.) Together with meta clustering, this is a clustering without loss.
"""

from typing import TYPE_CHECKING, Final

import numpy as np

from thresher.learn.k_means import Floats, Labels, leads
from thresher.learn.linear import LinearSvm
from thresher.learn.threads import one_thread

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

STEPS: Final = (0.01, 0.1, 0.5, 1.0)
"""Weight of an unlabelled row relative to a labelled one, step by step."""


def spread(rows: "csr_matrix", labels: Labels, *, transductive: bool = False) -> Labels:
    """Return labels for all rows; labels of 0 or more stay, and -1 is replaced by the label of the best classifier.

    The `transductive` classifier also learns from the unlabelled rows: it assigns them labels in the proportions of the
    labelled rows, and learns from these with growing weight (Joachims 1999). Raises ValueError if there are fewer than
    two labels.

    >>> from scipy.sparse import csr_matrix
    >>> rows = csr_matrix([[1.0, 0.0], [0.9, 0.1], [0.0, 1.0], [0.1, 0.9], [0.2, 0.8]])
    >>> spread(rows, np.array([0, 0, 1, 1, -1])).tolist()
    [0, 0, 1, 1, 1]
    """
    known, open_ = np.flatnonzero(labels >= 0), np.flatnonzero(labels < 0)
    kinds = np.unique(labels[known])
    if len(kinds) < 2:
        raise ValueError("rows of at least two labels are needed")
    if not len(open_):
        return labels.copy()
    with one_thread():
        margins = margins_of(rows[known], labels[known], rows[open_], kinds)
        if not transductive:
            guess = kinds[margins.argmax(axis=1)]
        else:
            shares = (labels[known, None] == kinds).mean(axis=0)
            guess = kinds[in_proportion(margins, shares)]
            order = np.concatenate([known, open_])
            for weight in STEPS:
                counting = np.concatenate([np.ones(len(known)), np.full(len(open_), weight)])
                both = np.concatenate([labels[known], guess])
                margins = margins_of(rows[order], both, rows[open_], kinds, counting)
                guess = kinds[in_proportion(margins, shares)]
    found = labels.copy()
    found[open_] = guess
    return found


def margins_of(
    rows: "csr_matrix", labels: Labels, unseen: "csr_matrix", kinds: Labels, importance: Floats | None = None
) -> Floats:
    """Return the margin of each unseen row for each kind of label, by one-against-the-rest classifiers."""
    machine = LinearSvm(balanced=True)
    found = []
    for kind in kinds:
        weights, bias = machine.weights(rows, labels == kind, importance)
        found.append(np.asarray(unseen @ weights).ravel() + bias)
    return np.column_stack(found)


def in_proportion(margins: Floats, shares: Floats) -> Labels:
    """Return the column assigned to each row, so that each column gets its share of the rows.

    Rows choose in order of confidence; if its best column is full, a row takes the best one that is not.

    >>> in_proportion(np.array([[0.9, 0.1], [0.8, 0.3], [0.6, 0.5], [0.7, 0.6]]), np.array([0.5, 0.5])).tolist()
    [0, 0, 1, 1]
    """
    number = len(margins)
    room = np.floor(shares * number).astype(np.int64)
    for column in np.argsort(-(shares * number - room), kind="stable")[: number - int(room.sum())]:
        room[column] += 1
    chosen = np.zeros(number, np.int64)
    for row in np.argsort(-leads(margins), kind="stable").tolist():
        best = int(np.where(room > 0, margins[row], -np.inf).argmax())
        chosen[row] = best
        room[best] -= 1
    return chosen


def told_apart(rows: "csr_matrix", labels: Labels, folds: int = 5) -> "list[bool]":
    """Return for each labelled row whether classifiers that have not seen it give it the same label.

    Rows with label -1 are left out. Labels that occur once cannot be held out and count as wrong.
    """
    known = np.flatnonzero(labels >= 0)
    kinds = np.unique(labels[known])
    if len(kinds) < 2:
        return [True] * len(known)
    place = np.zeros(len(known), np.int64)
    for kind in kinds:
        own = np.flatnonzero(labels[known] == kind)
        place[own] = np.arange(len(own)) % folds
    right = np.zeros(len(known), np.bool_)
    with one_thread():
        for fold in np.unique(place).tolist():
            seen, unseen = known[place != fold], known[place == fold]
            left = np.unique(labels[seen])
            if len(left) < 2:
                continue
            guess = left[margins_of(rows[seen], labels[seen], rows[unseen], left).argmax(axis=1)]
            right[place == fold] = guess == labels[unseen]
    return [bool(one) for one in right]
