"""Selects the terms that distinguish each of several siblings from the others, and each subtopic from the rest.

All of them are counted over one matrix at once: with a hundred siblings, counting separately would read every training
page a hundred times.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from thresher.learn.feature_selection import Chosen, Contingency, Measure, contingencies, select, select_counted

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Members = NDArray[np.bool_]
Parts = Sequence[tuple[int, NDArray[np.bool_]]]
"""Topics below siblings: the number of the sibling, and which documents belong to the topic."""


def telling_terms(
    counts: "csr_matrix", members: Members, parts: Parts, number: int, measure: Measure, candidates: int
) -> tuple[list[Chosen], list[Chosen]]:
    """Return the columns that distinguish each sibling, a column of `members`, and those that distinguish each part.

    A part is compared with the documents outside its sibling: the other parts are neither for it nor against it.
    `number`, `measure` and `candidates` are as in `learn/feature_selection.py`.

    >>> from scipy.sparse import csr_matrix
    >>> counts = csr_matrix([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> members = np.array([[True], [True], [False]])
    >>> siblings, below = telling_terms(counts, members, [(0, np.array([True, False, False]))], 9, "mi", 9)
    >>> [columns.tolist() for columns, _ in siblings], [columns.tolist() for columns, _ in below]
    ([[0, 1]], [[0]])
    """
    if measure == "cmi":
        wholes = [(counts, labels) for labels in members.T]
        outside = [(np.flatnonzero(of_part | ~members[:, sibling]), of_part) for sibling, of_part in parts]
        pieces = [(counts[seen], of_part[seen]) for seen, of_part in outside]
        told = [select(rows, labels, number, measure, candidates) for rows, labels in wholes + pieces]
    else:
        told = [select_counted(found, number, measure, candidates) for found in _counted(counts, members, parts)]
    return told[: members.shape[1]], told[members.shape[1] :]


def _counted(counts: "csr_matrix", members: Members, parts: Parts) -> Iterator[Contingency]:
    """Yield the contingency of each sibling, then that of each part."""
    labels = np.column_stack([members, *(of_part for _, of_part in parts)])
    parents = {sibling for sibling, _ in parts}
    against: dict[int, tuple[NDArray[np.float64], int]] = {}
    for place, (positive, negative, positives, negatives) in enumerate(contingencies(counts, labels)):
        if place < members.shape[1]:
            if place in parents:
                against[place] = negative, negatives
            yield positive, negative, positives, negatives
        else:
            outside, number = against[parts[place - members.shape[1]][0]]
            yield positive, outside, positives, number
