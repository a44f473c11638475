"""Selects the terms that distinguish a topic, by measures over document counts.

A document either has a term or not. All measures are computed from four numbers per term: how many positive and
negative documents have it, and how many documents of each kind there are (Sizov, section 2.3.1).
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Floats = NDArray[np.float64]
Measure = Literal["mi", "ig", "chi2", "cmi"]
Contingency = tuple[Floats, Floats, int, int]
"""For each term the number of positive and negative documents that have it, and the numbers of documents."""

Chosen = tuple[NDArray[np.int64], Floats]
"""Columns of terms, best first, with their scores."""

CANDIDATES: Final = 50_000
"""Number of terms to consider: those in most documents. The source uses 10,000; docs/RESULTS.md compares both."""


_AT_ONCE: Final = 64
"""Number of topics counted in one product if there are few terms."""

_CELLS: Final = 8_000_000
"""Maximum number of counts in one product, eight bytes each."""


def contingencies(rows: "csr_matrix", members: NDArray[Any]) -> Iterator[Contingency]:
    """Yield for each topic, a column of `members`, in how many of its rows and of all others each term is nonzero.

    All topics are counted in a few products over one matrix, which costs little more than counting one of them.

    >>> from scipy.sparse import csr_matrix
    >>> rows = csr_matrix([[1, 0], [2, 1], [0, 1]])
    >>> list(contingencies(rows, np.array([[True], [True], [False]])))
    [(array([2., 1.]), array([0., 1.]), 2, 1)]
    """
    belong = np.asarray(members).astype(np.float64)
    having = rows.astype(bool).astype(np.float64).T.tocsr()
    frequency = np.asarray(having.sum(axis=1)).ravel()
    at_once = max(1, min(_AT_ONCE, _CELLS // max(1, len(frequency))))
    for start in range(0, belong.shape[1], at_once):
        some = belong[:, start : start + at_once]
        for positive, number in zip(np.ascontiguousarray((having @ some).T), some.sum(axis=0), strict=True):
            yield positive, frequency - positive, int(number), int(len(belong) - number)


def contingency(rows: "csr_matrix", labels: NDArray[Any]) -> Contingency:
    """Return for each column in how many positive and negative rows it is nonzero, and the numbers of rows.

    >>> from scipy.sparse import csr_matrix
    >>> contingency(csr_matrix([[1, 0], [2, 1], [0, 1]]), np.array([True, True, False]))
    (array([2., 1.]), array([0., 1.]), 2, 1)
    """
    return next(contingencies(rows, np.asarray(labels).astype(bool)[:, None]))


def mutual_information(positive: Floats, negative: Floats, positives: int, negatives: int) -> Floats:
    """Return P(w,T)·log2(P(w,T) / (P(w)·P(T))) for each term: large for words that are frequent only in the topic.

    >>> mutual_information(np.array([2.0, 1.0]), np.array([0.0, 1.0]), 2, 2).round(3).tolist()
    [0.5, 0.0]
    """
    total = positives + negatives
    joint, word, topic = positive / total, (positive + negative) / total, positives / total
    return joint * _log_ratio(joint, word * topic)


def information_gain(positive: Floats, negative: Floats, positives: int, negatives: int) -> Floats:
    """Return the information gain in bits: how much knowing whether a document has the term says about the topic.

    >>> information_gain(np.array([2.0, 1.0]), np.array([0.0, 1.0]), 2, 2).round(3).tolist()
    [1.0, 0.0]
    """
    total = positives + negatives
    gain = np.zeros(len(positive))
    for having, of_kind in ((positive, positives), (negative, negatives)):
        for cell, share in (
            (having, (positive + negative) / total),
            (of_kind - having, 1 - (positive + negative) / total),
        ):
            joint = cell / total
            gain += joint * _log_ratio(joint, share * (of_kind / total))
    return gain


def chi_square(positive: Floats, negative: Floats, positives: int, negatives: int) -> Floats:
    """Return the chi-square statistic of each term and the topic.

    >>> chi_square(np.array([2.0, 1.0]), np.array([0.0, 1.0]), 2, 2).round(3).tolist()
    [4.0, 0.0]
    """
    total = positives + negatives
    having = positive + negative
    difference = positive * (negatives - negative) - negative * (positives - positive)
    scale = having * (total - having) * (float(positives) * negatives)
    return np.divide(total * difference**2, scale, out=np.zeros(len(positive)), where=scale > 0)


def _log_ratio(above: Floats, below: Floats) -> Floats:
    """Return log2(above / below), 0 if `above` is 0."""
    ratio = np.divide(above, below, out=np.ones(len(above)), where=(above > 0) & (below > 0))
    return np.log2(ratio)


_MEASURES: Final = {"mi": mutual_information, "ig": information_gain, "chi2": chi_square}


def select(
    rows: "csr_matrix",
    labels: NDArray[Any],
    number: int = 2000,
    measure: Measure = "mi",
    candidates: int = CANDIDATES,
) -> Chosen:
    """Return the columns of the best terms, best first, with their scores; ties in order of frequency.

    The `candidates` terms in most rows are considered. `cmi` selects one term after another by what it adds to those
    before it, and continues with those of the highest information gain, scored 0, when none adds anything. Terms that
    say nothing by themselves are never selected.

    >>> from scipy.sparse import csr_matrix
    >>> rows = csr_matrix([[1, 1, 0], [1, 0, 1], [0, 1, 0], [0, 0, 1]])
    >>> select(rows, np.array([1, 1, 0, 0]))[0].tolist()
    [0]
    """
    if measure not in get_args(Measure):
        raise ValueError(f"the measure must be one of {', '.join(get_args(Measure))}")
    counts = contingency(rows, labels)
    if measure != "cmi":
        return select_counted(counts, number, measure, candidates)
    looked_at = np.argsort(-(counts[0] + counts[1]), kind="stable")[:candidates]
    gains = information_gain(counts[0][looked_at], counts[1][looked_at], counts[2], counts[3])
    order, scores = _max_min(rows[:, looked_at], np.asarray(labels).astype(bool), gains, number)
    return looked_at[order].astype(np.int64), scores


def select_counted(
    counts: Contingency, number: int = 2000, measure: Measure = "mi", candidates: int = CANDIDATES
) -> Chosen:
    """Return what `select` returns, given only counts, which are not enough for `cmi`.

    >>> select_counted((np.array([2.0, 1.0]), np.array([0.0, 1.0]), 2, 2))[0].tolist()
    [0]
    """
    if measure not in _MEASURES:
        raise ValueError(f"the measure must be one of {', '.join(_MEASURES)}")
    scores = _MEASURES[measure](*counts)
    frequency = counts[0] + counts[1]
    worth = scores > _NOTHING
    if len(scores) > candidates:
        worth[np.argsort(-frequency, kind="stable")[candidates:]] = False
    columns = np.flatnonzero(worth)
    columns = columns[np.lexsort((-frequency[columns], -scores[columns]))][:number]
    return columns.astype(np.int64), scores[columns]


_NOTHING: Final = 1e-12


def _max_min(
    rows: "csr_matrix", labels: NDArray[np.bool_], gains: Floats, number: int
) -> tuple[NDArray[np.int64], Floats]:
    """Select greedily the term whose smallest gain, given any one term selected before, is largest (Fleuret 2004).

    The smallest gain only falls as terms are selected, so a term is compared with the newest of them only when nothing
    better is left: most comparisons are never made.
    """
    has = np.ascontiguousarray(rows.astype(bool).T.toarray())
    least = gains.copy()
    compared = np.zeros(len(gains), int)
    chosen: list[int] = []
    scores: list[float] = []
    while len(chosen) < min(number, len(gains)):
        best = int(np.argmax(least))
        while compared[best] < len(chosen):
            given = _conditional(has[best], has[chosen[compared[best]]], labels)
            least[best] = min(least[best], given)
            compared[best] += 1
            best = int(np.argmax(least))
        if least[best] <= _NOTHING:
            break
        chosen.append(best)
        scores.append(float(least[best]))
        least[best] = -1.0
    taken = set(chosen)
    rest = [int(term) for term in np.argsort(-gains, kind="stable") if term not in taken and gains[term] > _NOTHING]
    chosen += rest[: number - len(chosen)]
    return np.array(chosen, np.int64), np.array(scores + [0.0] * (len(chosen) - len(scores)))


def _conditional(term: NDArray[np.bool_], given: NDArray[np.bool_], labels: NDArray[np.bool_]) -> float:
    """Return the information between a term and the labels, given another term."""
    total = len(labels)
    cells = np.bincount(term.astype(np.int8) * 4 + given * 2 + labels, minlength=8).reshape(2, 2, 2) / total
    known = cells.sum(axis=(0, 2))
    joint = cells[cells > 0]
    with_given = np.broadcast_to(cells.sum(axis=2, keepdims=True), cells.shape)[cells > 0]
    with_label = np.broadcast_to(cells.sum(axis=0, keepdims=True), cells.shape)[cells > 0]
    given_alone = np.broadcast_to(known[None, :, None], cells.shape)[cells > 0]
    return float((joint * np.log2(joint * given_alone / (with_given * with_label))).sum())
