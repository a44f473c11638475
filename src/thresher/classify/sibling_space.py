"""The shared feature space of the children of one topic (Sizov, sections 2.3.1 and 2.3.2).

Each child has a linear support vector machine, trained on its own pages against those of its siblings, of no topic and
of general language. The space is the union of the terms that distinguish one of them, or a topic below one of them,
from the others; all children share it.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal, Self, get_args

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from thresher.classify.folds import Folds
from thresher.classify.relevance_weights import relevance_weights
from thresher.classify.several_votes import with_votes
from thresher.classify.telling_terms import Members, Parts, telling_terms
from thresher.classify.topic_names import with_name
from thresher.learn.feature_selection import CANDIDATES, Chosen, Measure
from thresher.learn.linear import SVM_TOLERANCE, LinearSvm

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Floats = NDArray[np.float64]
Weighting = Literal["rtf", "tfidf", "rsj"]

GENERAL: Final = 0.25
"""Total weight of the general-language documents, relative to all other negatives."""

UNLIKE: Final = 0.5
"""Total weight of the unlabelled documents least like a sibling, also relative; and their share of all unlabelled ones.
"""

MOST_UNLIKE: Final = 200
"""Maximum number of unlabelled documents used as negatives of one sibling; more only take time."""

SPOKEN: Final = 20
"""Minimum number of documents in a language to estimate how common a term is in it."""

LEAST: Final = 4
"""Minimum number of pages assumed for the other negatives."""

HELD_OUT_TOLERANCE: Final = 1e-2
"""Tolerance of classifiers that only judge held-out documents: their margins are correct to about a thousandth, far
below their variation between choices of documents, in half the time.
"""


class SpaceParameters(Struct, frozen=True, kw_only=True):
    """How a space is learned: `features` terms per child by `measure`, from the `candidates` in most documents.

    `weighting` is `rtf`, the relative frequency of a term, `tfidf`, or `rsj`, which uses Robertson–Spärck Jones weights
    instead of inverse document frequencies; rows have unit length. `cost` (C) is the cost of an error, with balanced
    classes. With `vote`, several classifiers vote (`several_votes.py`). `pairs`, `anchors` and `neighbours` add
    further words to pages (`word_pairs.py`, `train/surroundings.py`).
    """

    features: int = 2000
    measure: Measure = "mi"
    candidates: int = CANDIDATES
    weighting: Weighting = "tfidf"
    cost: float = 1.0
    vote: bool = False
    pairs: bool = False
    anchors: bool = False
    neighbours: bool = False


class TrainingCounts(Struct, frozen=True, eq=False):
    """Documents to learn from: counts (a row per document, a column per term) and memberships (a column per sibling).

    A document that belongs to no sibling is a negative example for all; `general` ones are of general language and
    weigh little. `parts` are topics below the siblings: the number of the sibling, and which documents belong to the
    part. `met` are the counts of unlabelled documents, which show how common a term is; the half of them least like a
    sibling serves as negatives. `names` are for each sibling the columns of its name, if any; `languages` and
    `met_languages` are those of the documents, if known.
    """

    counts: "csr_matrix"
    members: Members
    general: NDArray[np.bool_]
    met: "csr_matrix"
    parts: Parts = ()
    names: Sequence[Sequence[int]] = ()
    languages: NDArray[np.str_] | None = None
    met_languages: NDArray[np.str_] | None = None

    def some(self, rows: NDArray[np.int64], met: NDArray[np.int64]) -> "TrainingCounts":
        """Return a subset of the documents and of the unlabelled ones."""
        return TrainingCounts(
            self.counts[rows],
            self.members[rows],
            self.general[rows],
            self.met[met],
            [(sibling, of_part[rows]) for sibling, of_part in self.parts],
            self.names,
            None if self.languages is None else self.languages[rows],
            None if self.met_languages is None else self.met_languages[met],
        )


class SiblingSpace:
    """Margins of documents for each of several siblings; `tolerance` is that of the classifiers.

    Learned: `columns_` of the space among all columns, `idf_` of each (ones for `rtf`), `weights_` (a row per term, a
    column per sibling), `biases_`, and `telling_`: for each sibling its columns with their scores, best first.

    >>> from scipy.sparse import csr_matrix
    >>> counts = csr_matrix([[3, 0, 1], [2, 0, 0], [0, 2, 1], [0, 1, 0]])
    >>> members = np.array([[True, False], [True, False], [False, True], [False, True]])
    >>> space = SiblingSpace().fit(TrainingCounts(counts, members, np.zeros(4, bool), csr_matrix((0, 3))))
    >>> space.margins(counts).argmax(axis=1).tolist()
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

    def fit(self, documents: TrainingCounts) -> Self:
        """Learn from documents.

        A sibling to which all or none of them belong cannot be learned: its margin is always 0.
        """
        given, counts, members = self.parameters, documents.counts, documents.members
        self.telling_, below = telling_terms(
            counts, members, documents.parts, given.features, given.measure, given.candidates
        )
        named = [np.array(columns, np.int64) for columns in documents.names]
        self.columns_ = np.unique(np.concatenate([columns for columns, _ in self.telling_ + below] + named))
        self.idf_ = self._idf(documents)
        rows, met = self._rows(counts), self._rows(documents.met)
        self.weights_ = np.zeros((len(self.columns_), members.shape[1]))
        self.biases_ = np.zeros(members.shape[1])
        for sibling, labels in enumerate(members.T):
            if labels.any() and not labels.all() and len(self.columns_):
                weights, self.biases_[sibling] = self._told(rows, labels, documents.general, met)
                places = np.searchsorted(self.columns_, named[sibling]).tolist() if named else ()
                self.weights_[:, sibling] = with_name(weights, places)
        return self

    def _told(
        self, rows: "csr_matrix", labels: NDArray[np.bool_], general: NDArray[np.bool_], met: "csr_matrix"
    ) -> tuple[Floats, float]:
        """Return the weights and bias for a sibling: first without unlabelled documents, then with the most unlike."""
        from scipy.sparse import vstack

        machine = LinearSvm(self.parameters.cost, balanced=True, tolerance=self.tolerance)
        others = max(LEAST, int((~labels & ~general).sum()))
        importance = np.where(general, GENERAL * others / max(1, int(general.sum())), 1.0)
        weights, bias = machine.weights(rows, labels, importance)
        unlike = np.argsort(met @ weights, kind="stable")[: int(UNLIKE * met.shape[0])]
        if len(unlike):
            unlike = unlike[:: max(1, len(unlike) // MOST_UNLIKE)]
            importance = np.concatenate([importance, np.full(len(unlike), UNLIKE * others / len(unlike))])
            labels = np.concatenate([labels, np.zeros(len(unlike), bool)])
            rows = vstack([rows, met[unlike]])
            weights, bias = machine.weights(rows, labels, importance)
        if not self.parameters.vote:
            return weights, bias
        return with_votes(weights, bias, rows, labels, importance, machine)

    def margins(self, counts: "csr_matrix") -> Floats:
        """Return the signed distance of each document from each sibling's border."""
        return np.asarray(self._rows(counts) @ self.weights_) + self.biases_

    def _idf(self, documents: TrainingCounts) -> Floats:
        """Return how rare each term is among all documents, or in the language in which it is least rare.

        Otherwise a few examples in another language than most pages would teach that language.
        """
        if self.parameters.weighting == "rtf":
            return np.ones(len(self.columns_))
        if self.parameters.weighting == "rsj":
            columns = self.columns_
            return relevance_weights(documents.counts[:, columns], documents.members, documents.met[:, columns])
        both = ((documents.counts, documents.languages), (documents.met, documents.met_languages))
        having = [(counts[:, self.columns_].astype(bool), languages) for counts, languages in both]
        inverse = _rarity([counts for counts, _ in having])
        known = np.concatenate([languages for _, languages in having if languages is not None] or [np.zeros(0, str)])
        for language, number in zip(*np.unique(known, return_counts=True), strict=True):
            if language and SPOKEN <= number < len(known):
                own = [counts[languages == language] for counts, languages in having if languages is not None]
                inverse = np.minimum(inverse, _rarity(own))
        return inverse

    def _rows(self, counts: "csr_matrix") -> "csr_matrix":
        from scipy.sparse import diags

        rows = counts[:, self.columns_].astype(np.float64)
        if self.parameters.weighting != "rtf":
            rows.data = 1.0 + np.log(rows.data)
        rows = rows @ diags(self.idf_)
        lengths = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
        return diags(1.0 / np.where(lengths > 0, lengths, 1.0)) @ rows


def _rarity(having: "Sequence[csr_matrix]") -> Floats:
    """Return the inverse document frequency of each column, given tables of which documents have it."""
    number = sum(table.shape[0] for table in having)
    frequency = sum(np.asarray(table.sum(axis=0)).ravel() for table in having)
    return np.asarray(np.log((1 + number) / (1 + frequency)))


def margins_apart(
    parameters: SpaceParameters, documents: TrainingCounts, folds: Folds, met_folds: Folds
) -> tuple[Floats, Floats]:
    """Return the margins of labelled and unlabelled documents, each by a space that has not seen its fold.

    Features are selected again for each fold. Margins are NaN for fold −1, which teaches every space, and for siblings
    that a space could not learn.
    """
    found = np.full(documents.members.shape, np.nan)
    met = np.full((len(met_folds), documents.members.shape[1]), np.nan)
    for fold in np.unique(np.concatenate([folds, met_folds])).tolist():
        left = documents.some(np.flatnonzero(folds != fold), np.flatnonzero(met_folds != fold))
        if fold < 0 or not len(left.members):
            continue
        learnt = np.flatnonzero(left.members.any(axis=0) & ~left.members.all(axis=0))
        if not len(learnt):
            continue
        fitted = SiblingSpace(parameters, HELD_OUT_TOLERANCE).fit(left)
        for margins, counts, of in ((found, documents.counts, folds), (met, documents.met, met_folds)):
            unseen = np.flatnonzero(of == fold)
            margins[np.ix_(unseen, learnt)] = fitted.margins(counts[unseen])[:, learnt]
    return found, met
