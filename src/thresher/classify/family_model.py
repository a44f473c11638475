"""The fitted children of one topic, applied to one page at a time: a look-up per stem and one small product."""

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from thresher.classify.examples import Family
from thresher.classify.sibling_space import SiblingSpace, SpaceParameters
from thresher.learn.calibration import PlattScaling, sigmoid
from thresher.learn.quality import Quality, quality
from thresher.learn.span_margins import SpanMargins
from thresher.learn.tfidf import log_count

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Floats = NDArray[np.float64]
FEW: Final = 5
"""Positive pages below which training pages themselves set the scale of confidence, and rare words count."""

TELLING: Final = 50
"""Telling stems kept for each child, best first."""


class Feature(Struct, frozen=True):
    """A stem that tells a topic: its score by the measure of the space, and the number of training pages with it."""

    stem: str
    score: float
    pages: int


class Child(Struct, frozen=True, kw_only=True):
    """What is known of one child beside its weights.

    Confidence is the margin divided by `scale`; the probability is sigmoid(slope · margin + offset);
    `mean_confidence` is that of its own training pages when they were held out, which archetypes must exceed.
    `features` is the number of stems chosen for it, and `telling` the best of them.
    """

    name: str
    scale: float
    slope: float
    offset: float
    mean_confidence: float
    pages: int
    quality: Quality
    features: int
    telling: list[Feature]


class Verdict(Struct, frozen=True):
    """What a family says of a page: confidence and probability for each child, and how many of its stems it knows."""

    confidences: list[float]
    probabilities: list[float]
    known: int


class FamilyModel:
    """Judges pages among the children of one topic."""

    def __init__(
        self, terms: Sequence[str], idf: Floats, weights: Floats, biases: Floats, children: list[Child], relative: bool
    ) -> None:
        self.terms = list(terms)
        self.idf = idf
        self.weights = np.ascontiguousarray(weights)
        self.biases = biases
        self.children = children
        self.relative = relative
        self._place = {term: place for place, term in enumerate(self.terms)}
        self._inverse = idf.tolist()

    def judge(self, bag: Mapping[str, int]) -> Verdict:
        """Return the verdict on a bag of stems."""
        places, row = self._row(bag)
        margins = self.biases if not places else row @ self.weights[places] + self.biases
        found = margins.tolist()
        return Verdict(
            [margin / child.scale for margin, child in zip(found, self.children, strict=True)],
            [sigmoid(c.slope * margin + c.offset) for margin, c in zip(found, self.children, strict=True)],
            len(places),
        )

    @cached_property
    def span_margins(self) -> SpanMargins:
        """The same machines, for many spans of one text."""
        slopes = np.array([child.slope for child in self.children])
        offsets = np.array([child.offset for child in self.children])
        return SpanMargins(self.terms, self.idf, self.weights, self.biases, slopes, offsets)

    def evidence(self, bag: Mapping[str, int], child: int, number: int) -> list[tuple[str, float]]:
        """Return the stems that say most for or against a child, with what each adds to its confidence."""
        places, row = self._row(bag)
        added = row * self.weights[places, child] / self.children[child].scale
        order = np.argsort(-np.abs(added), kind="stable")[:number]
        return [(self.terms[places[place]], float(added[place])) for place in order]

    def _row(self, bag: Mapping[str, int]) -> tuple[list[int], Floats]:
        place, inverse, relative = self._place, self._inverse, self.relative
        places: list[int] = []
        values: list[float] = []
        square = 0.0
        for term, count in bag.items():
            found = place.get(term)
            if found is not None:
                value = (count if relative else log_count(count)) * inverse[found]
                places.append(found)
                values.append(value)
                square += value * value
        row = np.array(values)
        return places, row / math.sqrt(square) if square else row


def fit_family(family: Family, parameters: SpaceParameters) -> FamilyModel:
    """Learn to tell the children of a topic apart; quality and scales come from pages that were held out."""
    # Of a topic with a page or two, every word it is known by may stand in one page only.
    scarce = int(family.members.sum(axis=0).min()) < FEW
    terms, counts = count_matrix([page.terms for page in family.pages], 1 if scarce else 2)
    space = SiblingSpace(parameters).fit(counts, family.members)
    fitted = space.margins(counts)
    held_out = space.held_out_margins(counts, family.members)
    having = np.diff(counts.tocsc().indptr)
    children = [
        _child(
            name,
            labels,
            held_out[:, place],
            fitted[:, place],
            [Feature(terms[column], score, int(having[column])) for column, score in space.telling_[place]],
        )
        for place, (name, labels) in enumerate(zip(family.children, family.members.T, strict=True))
    ]
    known = [terms[column] for column in space.columns_]
    return FamilyModel(known, space.idf_, space.weights_, space.biases_, children, parameters.weighting == "rtf")


def _child(name: str, labels: NDArray[np.bool_], held_out: Floats, fitted: Floats, telling: list[Feature]) -> Child:
    pages = int(labels.sum())
    distances = fitted if pages < FEW else held_out
    scale = float(np.abs(distances[labels]).mean()) or 1.0
    scaling = PlattScaling()
    if labels.any() and not labels.all():
        scaling.fit(held_out, labels)
    return Child(
        name=name,
        scale=scale,
        slope=scaling.slope_,
        offset=scaling.offset_,
        mean_confidence=float(held_out[labels].mean()) / scale,
        pages=pages,
        quality=quality(labels, held_out > 0),
        features=len(telling),
        telling=telling[:TELLING],
    )


def count_matrix(bags: Sequence[Mapping[str, int]], min_bags: int = 2) -> tuple[list[str], "csr_matrix"]:
    """Return the terms that occur in at least `min_bags` bags (in any, where none does) and the counts of each bag.

    >>> terms, counts = count_matrix([{"boat": 2, "sail": 1}, {"boat": 1}])
    >>> terms, counts.toarray().tolist()
    (['boat'], [[2], [1]])
    """
    from scipy.sparse import csr_matrix

    frequency: dict[str, int] = {}
    for bag in bags:
        for term in bag:
            frequency[term] = frequency.get(term, 0) + 1
    terms = sorted(term for term, number in frequency.items() if number >= min_bags) or sorted(frequency)
    column = {term: place for place, term in enumerate(terms)}
    starts, columns, values = [0], [], []
    for bag in bags:
        found = sorted((column[term], count) for term, count in bag.items() if term in column)
        columns += [place for place, _ in found]
        values += [count for _, count in found]
        starts.append(len(columns))
    parts: Any = (np.array(values, np.int64), np.array(columns, np.int64), np.array(starts, np.int64))
    return terms, csr_matrix(parts, shape=(len(bags), len(terms)))
