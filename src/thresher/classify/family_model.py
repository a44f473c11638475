"""The fitted children of one topic, applied to one page at a time: a look-up per stem and one small product."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from thresher.classify.examples import Family
from thresher.classify.sibling_space import HeldOut, SiblingSpace, SpaceParameters
from thresher.classify.telling_terms import Members
from thresher.learn.break_even import borders_of_others, break_even
from thresher.learn.calibration import PlattScaling
from thresher.learn.feature_selection import Chosen
from thresher.learn.quality import Quality, quality
from thresher.learn.span_margins import SpanMargins

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Floats = NDArray[np.float64]
FEW: Final = 5
"""Positive pages below which training pages themselves set the scale of confidence, and rare words count."""

_FAR: Final = 700.0
"""Beyond this the exponential function has no number."""

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


class Known(Struct, frozen=True):
    """The stems of a bag that a family knows: their places in the space, and their weights, of length one together."""

    places: NDArray[np.int64]
    weights: Floats


class ChildScores(Struct, frozen=True):
    """What a family says of a page: confidence and probability for each child."""

    confidences: Floats
    probabilities: Floats


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
        self._scales = np.array([child.scale for child in children])
        self._slopes = np.array([child.slope for child in children])
        self._offsets = np.array([child.offset for child in children])

    def known(self, bag: Mapping[str, int]) -> Known:
        """Return what the family knows of a bag of stems."""
        places = np.array(list(map(self._place.get, bag, repeat(-1))), np.int64)
        here = places >= 0
        places = places[here]
        counts = np.fromiter(bag.values(), np.float64, len(bag))[here]
        weights = (counts if self.relative else 1.0 + np.log(counts)) * self.idf[places]
        length = math.sqrt(weights @ weights)
        return Known(places, weights / length if length else weights)

    def judge(self, known: Known) -> ChildScores:
        """Return the scores on a bag by what is known of it."""
        margins = known.weights @ self.weights.take(known.places, axis=0) + self.biases
        logits = np.clip(self._slopes * margins + self._offsets, -_FAR, _FAR)
        return ChildScores(margins / self._scales, 1.0 / (1.0 + np.exp(-logits)))

    @cached_property
    def span_margins(self) -> SpanMargins:
        """The same machines, for many spans of one text."""
        slopes = np.array([child.slope for child in self.children])
        offsets = np.array([child.offset for child in self.children])
        return SpanMargins(self.terms, self.idf, self.weights, self.biases, slopes, offsets)

    def telling(self, child: int) -> dict[str, float]:
        """Return the telling stems that speak for a child, with their scores; some measures choose others too."""
        places = [(feature, self._place.get(feature.stem)) for feature in self.children[child].telling]
        return {
            feature.stem: feature.score
            for feature, place in places
            if place is not None and self.weights[place, child] > 0
        }

    def border(self, child: int) -> float:
        """Return what the words of a page must outweigh to be taken by a child, in the unit of confidence."""
        return -float(self.biases[child]) / self.children[child].scale

    def evidence(self, known: Known, child: int, number: int) -> list[tuple[str, float]]:
        """Return the stems that say most for or against a child, with what each adds to its confidence."""
        added = known.weights * self.weights[known.places, child] / self.children[child].scale
        order = np.argsort(-np.abs(added), kind="stable")[:number]
        return [(self.terms[known.places[place]], float(added[place])) for place in order]


class FittedFamily(Struct, frozen=True):
    """A family as it was learnt, and the confidences of its training pages while they were held out.

    `held_out` has a row per page and a column per child, measured from borders that were chosen without the page; rows
    of pages that are never held out are not numbers.
    """

    model: FamilyModel
    held_out: Floats


def fit_family(
    family: Family, parameters: SpaceParameters, archetypes: NDArray[np.bool_] | None = None
) -> FittedFamily:
    """Learn to tell the children of a topic apart; quality and scales come from pages that were held out.

    Pages that are `archetypes` teach only: what is said of quality and confidence rests on the others.
    """
    always = np.zeros(len(family.pages), bool) if archetypes is None else archetypes
    # Of a topic with a page or two, every word it is known by may stand in one page only.
    scarce = int(family.members.sum(axis=0).min()) < FEW
    terms, counts = count_matrix([page.terms for page in family.pages], 1 if scarce else 2)
    space = SiblingSpace(parameters).fit(counts, family.members, family.parts)
    held_out = space.held_out_margins(counts, family.members, family.parts, always)
    borders = np.array(
        [
            break_even(margins[~always], labels[~always])
            for margins, labels in zip(held_out.margins.T, family.members.T, strict=True)
        ]
    )
    judged = _judged_apart(held_out, family.members, ~always)
    margins, fitted = held_out.margins - borders, space.margins(counts) - borders
    having = np.diff(counts.tocsc().indptr)
    children = [
        _child(
            name,
            labels,
            always,
            margins[:, place],
            judged[:, place],
            fitted[:, place],
            len(space.telling_[place][0]),
            _named(space.telling_[place], terms, having),
        )
        for place, (name, labels) in enumerate(zip(family.children, family.members.T, strict=True))
    ]
    known = [terms[column] for column in space.columns_]
    biases = space.biases_ - borders
    model = FamilyModel(known, space.idf_, space.weights_, biases, children, parameters.weighting == "rtf")
    return FittedFamily(model, judged / np.array([child.scale for child in children]))


def _judged_apart(held_out: HeldOut, members: Members, asked: NDArray[np.bool_]) -> Floats:
    """Return the margins of held-out pages beyond borders that were chosen without the pages of their fold."""
    found = held_out.margins.copy()
    for place, labels in enumerate(members.T):
        margins = held_out.margins[asked, place]
        found[asked, place] = margins - borders_of_others(margins, labels[asked], held_out.folds[asked])
    return found


def _named(told: Chosen, terms: Sequence[str], having: NDArray[Any]) -> list[Feature]:
    """Return the best of the terms that tell a child; `having` is the number of pages with each term."""
    best = zip(told[0][:TELLING].tolist(), told[1][:TELLING].tolist(), strict=True)
    return [Feature(terms[column], score, int(having[column])) for column, score in best]


def _child(
    name: str,
    members: NDArray[np.bool_],
    always: NDArray[np.bool_],
    held_out: Floats,
    judged: Floats,
    fitted: Floats,
    features: int,
    telling: list[Feature],
) -> Child:
    # A topic that only archetypes speak for has no other pages to measure by.
    kept = ~always if (members & ~always).any() else np.ones(len(members), bool)
    margins = np.where(np.isnan(held_out), fitted, held_out)[kept]
    apart = np.where(np.isnan(judged), fitted, judged)[kept]
    labels = members[kept]
    own = int(labels.sum())
    distances = fitted[kept] if own < FEW else margins
    scale = float(np.abs(distances[labels]).mean()) or 1.0
    scaling = PlattScaling()
    if labels.any() and not labels.all():
        scaling.fit(margins, labels)
    return Child(
        name=name,
        scale=scale,
        slope=scaling.slope_,
        offset=scaling.offset_,
        mean_confidence=float(margins[labels].mean()) / scale,
        pages=int(members.sum()),
        quality=quality(labels, apart > 0),
        features=features,
        telling=telling,
    )


def count_matrix(bags: Sequence[Mapping[str, int]], min_bags: int = 2) -> tuple[list[str], "csr_matrix"]:
    """Return the terms that occur in at least `min_bags` bags (in any, where none does) and the counts of each bag.

    >>> terms, counts = count_matrix([{"boat": 2, "sail": 1}, {"boat": 1}])
    >>> terms, counts.toarray().tolist()
    (['boat'], [[2], [1]])
    """
    from scipy.sparse import csr_matrix

    frequency = Counter(chain.from_iterable(bags))
    terms = sorted(term for term, number in frequency.items() if number >= min_bags) or sorted(frequency)
    column = {term: place for place, term in enumerate(terms)}
    columns = np.array(list(map(column.get, chain.from_iterable(bags), repeat(-1))), np.int64)
    values = np.array(list(chain.from_iterable(bag.values() for bag in bags)), np.int64)
    ends = np.cumsum([0, *map(len, bags)])
    known = columns >= 0
    starts = np.concatenate([[0], np.cumsum(known)])[ends]
    parts: Any = (values[known], columns[known], starts)
    counts = csr_matrix(parts, shape=(len(bags), len(terms)))
    counts.sort_indices()
    return terms, counts
