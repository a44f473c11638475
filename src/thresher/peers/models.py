"""Models that peers exchange: a topic's linear classifier, or the centroids of its clusters.

They are data with feature names. Received models are checked field by field before anything is computed from them:
sizes, names, finite numbers within bounds. Sent models contain no pages; stems that occur on few training pages can be
left out, because a rare stem may be a name (docs/PEERS.md).
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from hashlib import blake2b
from typing import Any, Final, TypeVar

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.classify.linear_model import LinearModel

Floats = NDArray[np.float64]
T = TypeVar("T")

MOST_TERMS: Final = 20_000
MOST_CENTROID_TERMS: Final = 2_000
MOST_CENTROIDS: Final = 50
MOST_IDS: Final = 5_000
LONGEST_TERM: Final = 64
LONGEST_TOPIC: Final = 500
LARGEST: Final = 1e6
"""The largest number allowed in a model."""

_DIGITS: Final = 5


class ModelFault(StrEnum):
    """What is wrong with a received model."""

    MALFORMED = "malformed"
    BAD_TOPIC = "bad-topic"
    TOO_LARGE = "too-large"
    SIZES_DIFFER = "sizes-differ"
    BAD_TERM = "bad-term"
    BAD_NUMBER = "bad-number"


class TopicModel(Struct, frozen=True, forbid_unknown_fields=True):
    """A linear classifier of a topic as it is exchanged.

    `pages` is the number of its training pages, and `ids` are hashes of them, so that peers do not test the model on
    pages it was trained on; it may be empty.
    """

    topic: str
    model: LinearModel
    pages: int = 0
    ids: list[int] = []


class ClusterModel(Struct, frozen=True, forbid_unknown_fields=True):
    """The centroids of a topic's clusters: a row per cluster, a column per term, each row of length one at most."""

    topic: str
    terms: list[str]
    centroids: list[list[float]]


def version_of(model: TopicModel | ClusterModel) -> str:
    """Return the version of a model: a digest of its content."""
    return blake2b(msgspec.json.encode(model), digest_size=8).hexdigest()


def checked_model(data: Any) -> TopicModel | ModelFault:
    """Return a received linear model, or what is wrong with it."""
    found = _converted(data, TopicModel)
    if isinstance(found, ModelFault):
        return found
    model = found.model
    if not _is_topic(found.topic):
        return ModelFault.BAD_TOPIC
    if not 1 <= len(model.terms) <= MOST_TERMS or len(found.ids) > MOST_IDS or not 0 <= found.pages <= 1_000_000:
        return ModelFault.TOO_LARGE
    if not len(model.terms) == len(model.idf) == len(model.weights):
        return ModelFault.SIZES_DIFFER
    if not _are_terms(model.terms):
        return ModelFault.BAD_TERM
    numbers_good = _are_numbers([*model.weights, model.bias]) and _are_idf(model.idf)
    return found if numbers_good else ModelFault.BAD_NUMBER


def checked_clusters(data: Any) -> ClusterModel | ModelFault:
    """Return received centroids, or what is wrong with them."""
    found = _converted(data, ClusterModel)
    if isinstance(found, ModelFault):
        return found
    if not _is_topic(found.topic):
        return ModelFault.BAD_TOPIC
    if not 2 <= len(found.centroids) <= MOST_CENTROIDS or not 1 <= len(found.terms) <= MOST_CENTROID_TERMS:
        return ModelFault.TOO_LARGE
    if any(len(row) != len(found.terms) for row in found.centroids):
        return ModelFault.SIZES_DIFFER
    if not _are_terms(found.terms):
        return ModelFault.BAD_TERM
    return found if all(map(_are_numbers, found.centroids)) else ModelFault.BAD_NUMBER


def linear_model(
    classifier: HierarchicalClassifier, topic: str, bags: Iterable[Mapping[str, int]], *, min_pages: int = 2
) -> LinearModel | None:
    """Return a topic's classifier as data, or None if the topic was not trained or nothing of it may be shared.

    Stems on fewer than `min_pages` of the training pages, given as `bags`, are left out.
    """
    parent, _, name = topic.rpartition("/")
    family = classifier.families_.get(parent)
    names = [child.name for child in family.children] if family else []
    if family is None or name not in names:
        return None
    place = names.index(name)
    child = family.children[place]
    weights = family.weights[:, place] / child.spread
    common = _common(bags, min_pages)
    kept = [number for number, term in enumerate(family.terms) if term in common and _is_term(term)]
    kept = sorted(kept, key=lambda number: -abs(float(weights[number] * family.idf[number])))[:MOST_TERMS]
    if not kept:
        return None
    kept.sort(key=lambda number: family.terms[number])
    return LinearModel(
        [family.terms[number] for number in kept],
        _rounded(family.idf[kept]),
        _rounded(weights[kept]),
        _rounded([(float(family.biases[place]) - child.centre) / child.spread - child.border])[0],
        family.relative,
    )


def cluster_model(topic: str, terms: Sequence[str], centroids: Floats) -> ClusterModel | None:
    """Return centroids as data, with the heaviest terms; None if there are no centroids."""
    kept = [number for number, term in enumerate(terms) if _is_term(term)]
    largest = np.abs(centroids).max(axis=0, initial=0.0)
    kept = sorted(kept, key=lambda number: -float(largest[number]))[:MOST_CENTROID_TERMS]
    kept.sort(key=lambda number: terms[number])
    if not kept:
        return None
    rows = [_rounded(row[kept]) for row in centroids]
    return ClusterModel(topic, [terms[number] for number in kept], rows)


def _common(bags: Iterable[Mapping[str, int]], min_pages: int) -> set[str]:
    """Return the stems that occur on enough pages."""
    counted = Counter(stem for bag in bags for stem in bag)
    return {stem for stem, pages in counted.items() if pages >= min_pages}


def _converted(data: Any, kind: type[T]) -> T | ModelFault:
    try:
        return msgspec.convert(data, kind)
    except (msgspec.ValidationError, ValueError, RecursionError):
        return ModelFault.MALFORMED


def _is_topic(topic: str) -> bool:
    return 0 < len(topic) <= LONGEST_TOPIC and topic.isprintable()


def _is_term(term: str) -> bool:
    return 0 < len(term) <= LONGEST_TERM and term.isprintable()


def _are_terms(terms: Sequence[str]) -> bool:
    return all(map(_is_term, terms)) and len(set(terms)) == len(terms)


def _are_numbers(numbers: Sequence[float]) -> bool:
    return all(math.isfinite(number) and abs(number) <= LARGEST for number in numbers)


def _are_idf(numbers: Sequence[float]) -> bool:
    return _are_numbers(numbers) and all(number > 0 for number in numbers)


def _rounded(numbers: Iterable[float]) -> list[float]:
    """Return numbers rounded to five significant digits, to save space."""
    return [float(f"{float(number):.{_DIGITS}g}") for number in numbers]
