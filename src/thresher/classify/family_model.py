"""The fitted children of one topic, applied to one page at a time: a look-up per stem and one small product."""

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import repeat
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from thresher.classify.pooled_sites import PooledSites
from thresher.classify.site_evidence import SiteEvidence
from thresher.learn.quality import Quality
from thresher.learn.span_margins import SpanMargins

Floats = NDArray[np.float64]

_FAR: Final = 700.0
"""Larger exponents overflow."""


class Feature(Struct, frozen=True):
    """A stem that identifies a topic: its score by the measure of the space, and its number of training pages."""

    stem: str
    score: float
    pages: int


class Child(Struct, frozen=True, kw_only=True):
    """What is known about one child besides its weights.

    A margin is measured from the `centre` of the child's null in units of its `spread`; the distance beyond the
    `border`, after adding site evidence, is the confidence. The probability is sigmoid(slope · confidence + offset).
    `mean_confidence` is that of its own training pages while held out, which archetypes must exceed. `features` is the
    number of stems chosen for it, and `telling` the best of them. `sites` is the number of sites of its training pages;
    it is `empty` if all of them belong to topics below it.
    """

    name: str
    centre: float
    spread: float
    border: float
    slope: float
    offset: float
    mean_confidence: float
    pages: int
    quality: Quality
    features: int
    telling: list[Feature]
    sites: int = 0
    empty: bool = False


class Known(Struct, frozen=True):
    """The stems of a bag that a family knows: their indexes in the space, and their unit-length weights."""

    places: NDArray[np.int64]
    weights: Floats


class ChildScores(Struct, frozen=True):
    """The scores of a page for each child: confidence, probability, and the part of the confidence due to its site."""

    confidences: Floats
    probabilities: Floats
    of_site: Floats


class FamilyModel:
    """Judges pages among the children of one topic; `evidence` is what is known about sites."""

    def __init__(
        self,
        terms: Sequence[str],
        idf: Floats,
        weights: Floats,
        biases: Floats,
        children: list[Child],
        relative: bool,
        evidence: SiteEvidence | PooledSites,
    ) -> None:
        self.terms = list(terms)
        self.idf = idf
        self.weights = np.ascontiguousarray(weights)
        self.biases = biases
        self.children = children
        self.relative = relative
        self.site_evidence = evidence
        self._place = {term: place for place, term in enumerate(self.terms)}
        self._centres = np.array([child.centre for child in children])
        self._spreads = np.array([child.spread for child in children])
        self._borders = np.array([child.border for child in children])
        self._slopes = np.array([child.slope for child in children])
        self._offsets = np.array([child.offset for child in children])

    def known(self, bag: Mapping[str, int]) -> Known:
        """Return what the family knows about a bag of stems."""
        places = np.array(list(map(self._place.get, bag, repeat(-1))), np.int64)
        here = places >= 0
        places = places[here]
        counts = np.fromiter(bag.values(), np.float64, len(bag))[here]
        weights = (counts if self.relative else 1.0 + np.log(counts)) * self.idf[places]
        length = math.sqrt(weights @ weights)
        return Known(places, weights / length if length else weights)

    def judge(self, known: Known, site: str = "", allowed: float = 0.0) -> ChildScores:
        """Return the scores of a bag, including the evidence of its site, if any.

        `allowed` is added to the confidences.
        """
        margins = known.weights @ self.weights.take(known.places, axis=0) + self.biases
        distances = (margins - self._centres) / self._spreads
        of_site = self.site_evidence.added(distances, site)
        confidences = distances + of_site - self._borders + allowed
        logits = np.clip(self._slopes * confidences + self._offsets, -_FAR, _FAR)
        return ChildScores(confidences, 1.0 / (1.0 + np.exp(-logits)), of_site)

    @cached_property
    def span_margins(self) -> SpanMargins:
        """The same classifiers for many spans of one text, without site evidence."""
        offsets = self._offsets - self._slopes * (self._centres / self._spreads + self._borders)
        return SpanMargins(self.terms, self.idf, self.weights, self.biases, self._slopes / self._spreads, offsets)

    def telling(self, child: int) -> dict[str, float]:
        """Return the telling stems that speak for a child, with scores; some measures also choose stems against it."""
        places = [(feature, self._place.get(feature.stem)) for feature in self.children[child].telling]
        return {
            feature.stem: feature.score
            for feature, place in places
            if place is not None and self.weights[place, child] > 0
        }

    def border(self, child: int) -> float:
        """Return what the words and site of a page must outweigh for a child to accept it, in units of confidence."""
        start = (float(self.biases[child]) - self._centres[child]) / self._spreads[child]
        return float(self._borders[child] - start)

    def evidence(self, known: Known, child: int, number: int) -> list[tuple[str, float]]:
        """Return the stems that say most for or against a child, with their contributions to its confidence."""
        added = known.weights * self.weights[known.places, child] / self._spreads[child]
        order = np.argsort(-np.abs(added), kind="stable")[:number]
        return [(self.terms[known.places[place]], float(added[place])) for place in order]
