"""The children of one topic, told apart in one feature space (Sizov, sections 2.3.1 and 2.3.2).

Each child has a linear support vector machine, trained on its own pages against those of its siblings and of nobody;
the space is the union of the terms that tell one of them, or a topic below one of them, from the others, and all of
them share it.
"""

from typing import TYPE_CHECKING, Final, Literal, Self, get_args

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from thresher.classify.telling_terms import Members, Parts, telling_terms
from thresher.learn.feature_selection import CANDIDATES, Chosen, Measure
from thresher.learn.linear import SVM_TOLERANCE, LinearSvm

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Floats = NDArray[np.float64]
Weighting = Literal["rtf", "tfidf"]

FOLDS: Final = 5

HELD_OUT_TOLERANCE: Final = 1e-2
"""Tolerance of machines that only judge held-out documents: their margins are right to about a thousandth, far below
what they vary by from one choice of documents to another, in half the time."""


class SpaceParameters(Struct, frozen=True, kw_only=True):
    """How a space is learnt: `features` terms per child by `measure`, out of the `candidates` in most documents.

    `weighting` is `rtf`, the relative frequency of a term, or `tfidf`; rows have unit length. `cost` (C) is the price
    of an error, the classes weighing alike.
    """

    features: int = 2000
    measure: Measure = "mi"
    candidates: int = CANDIDATES
    weighting: Weighting = "tfidf"
    cost: float = 1.0


class HeldOut(Struct, frozen=True):
    """Margins of documents while they were held out, not a number for those that never were, and their folds, or −1."""

    margins: Floats
    folds: NDArray[np.int64]


class SiblingSpace:
    """Margins of documents for each of several siblings; `tolerance` is that of the machines.

    Learnt: `columns_` of the space among all columns, `idf_` of each (ones under `rtf`), `weights_` (a row per term, a
    column per sibling), `biases_`, and `telling_`: for each sibling its columns with their scores, best first.

    >>> from scipy.sparse import csr_matrix
    >>> counts = csr_matrix([[3, 0, 1], [2, 0, 0], [0, 2, 1], [0, 1, 0]])
    >>> members = np.array([[True, False], [True, False], [False, True], [False, True]])
    >>> SiblingSpace().fit(counts, members).margins(counts).argmax(axis=1).tolist()
    [0, 0, 1, 1]
    """

    def __init__(self, parameters: SpaceParameters | None = None, tolerance: float = SVM_TOLERANCE) -> None:
        self.parameters = parameters or SpaceParameters()
        self.tolerance = tolerance
        if self.parameters.weighting not in get_args(Weighting):
            raise ValueError(f"the weighting must be one of {', '.join(get_args(Weighting))}")
        self.columns_: NDArray[np.int64] = np.zeros(0, np.int64)
        self.idf_: Floats = np.zeros(0)
        self.weights_: Floats = np.zeros((0, 0))
        self.biases_: Floats = np.zeros(0)
        self.telling_: list[Chosen] = []

    def fit(self, counts: "csr_matrix", members: Members, parts: Parts = ()) -> Self:
        """Learn from counts (a row per document, a column per term) and memberships (a column per sibling).

        A document that belongs to no sibling is a negative example for all. A sibling to which all or none of the
        documents belong cannot be told from anything: its margin is always 0. `parts` are topics below the siblings:
        the number of the sibling, and which documents belong to the part.
        """
        given = self.parameters
        self.telling_, below = telling_terms(counts, members, parts, given.features, given.measure, given.candidates)
        self.columns_ = np.unique(np.concatenate([columns for columns, _ in self.telling_ + below]))
        self.idf_ = self._idf(counts)
        rows = self._rows(counts)
        self.weights_ = np.zeros((len(self.columns_), members.shape[1]))
        self.biases_ = np.zeros(members.shape[1])
        machine = LinearSvm(given.cost, balanced=True, tolerance=self.tolerance)
        for sibling, labels in enumerate(members.T):
            if labels.any() and not labels.all() and len(self.columns_):
                self.weights_[:, sibling], self.biases_[sibling] = machine.weights(rows, labels)
        return self

    def margins(self, counts: "csr_matrix") -> Floats:
        """Return the signed distance of each document from each sibling's border."""
        return np.asarray(self._rows(counts) @ self.weights_) + self.biases_

    def held_out_margins(
        self, counts: "csr_matrix", members: Members, parts: Parts = (), always: Members | None = None
    ) -> HeldOut:
        """Return the margins of documents by spaces that have not seen them; features are chosen anew for each fold.

        Documents of each combination of siblings are dealt in turn to five folds, or to as many as the smallest sibling
        has documents; a sibling with one document cannot be held out, and its margins come from a space fitted to all.
        Documents that are `always` there teach every space and are never held out: their margins are not a number.
        """
        dealt = np.ones(len(members), bool) if always is None else ~always
        sizes = members[dealt].sum(axis=0)
        folds = int(min(FOLDS, *sizes[sizes > 1].tolist(), dealt.sum())) if (sizes > 1).any() else 1
        held_out = np.full(members.shape, np.nan)
        place = np.where(dealt, 0, -1)
        if folds < 2:
            all_seen = SiblingSpace(self.parameters).fit(counts, members, parts)
            held_out[dealt] = all_seen.margins(counts[np.flatnonzero(dealt)])
            return HeldOut(held_out, place)
        place[dealt] = _dealt(members[dealt], folds)
        for fold in range(folds):
            seen, unseen = np.flatnonzero(place != fold), np.flatnonzero(place == fold)
            if len(unseen):
                left = [(sibling, of_part[seen]) for sibling, of_part in parts]
                fitted = SiblingSpace(self.parameters, HELD_OUT_TOLERANCE).fit(counts[seen], members[seen], left)
                held_out[unseen] = fitted.margins(counts[unseen])
        if (sizes == 1).any():
            everything = SiblingSpace(self.parameters).fit(counts, members, parts).margins(counts)
            alone = np.ix_(dealt, sizes == 1)
            held_out[alone] = everything[alone]
        return HeldOut(held_out, place)

    def _idf(self, counts: "csr_matrix") -> Floats:
        if self.parameters.weighting == "rtf":
            return np.ones(len(self.columns_))
        having = np.asarray(counts[:, self.columns_].astype(bool).sum(axis=0)).ravel()
        inverse: Floats = np.log((1 + counts.shape[0]) / (1 + having)) + 1.0
        return inverse

    def _rows(self, counts: "csr_matrix") -> "csr_matrix":
        from scipy.sparse import diags

        rows = counts[:, self.columns_].astype(np.float64)
        if self.parameters.weighting == "tfidf":
            rows.data = 1.0 + np.log(rows.data)
        rows = rows @ diags(self.idf_)
        lengths = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
        return diags(1.0 / np.where(lengths > 0, lengths, 1.0)) @ rows


def _dealt(members: Members, folds: int) -> NDArray[np.int64]:
    """Return the fold of each document: those of one combination of siblings go round."""
    _, kinds = np.unique(members, axis=0, return_inverse=True)
    place = np.zeros(len(members), np.int64)
    for number, kind in enumerate(np.unique(kinds)):
        of_kind = np.flatnonzero(kinds.ravel() == kind)
        place[of_kind] = (np.arange(len(of_kind)) + number) % folds
    return place
