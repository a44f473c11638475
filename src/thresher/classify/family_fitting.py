"""Fits the children of one topic: weights, boundaries, probabilities and site evidence.

Quality and confidence are measured on held-out pages, from other sites if a child has several.
"""

from collections.abc import Mapping, Sequence, Set
from typing import Any, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from thresher.classify.background import is_background
from thresher.classify.examples import Family
from thresher.classify.family_model import Child, FamilyModel, Feature
from thresher.classify.folds import sites_of, topic_folds
from thresher.classify.null_distances import Distances, Flags, Floats, Taught, null_distances
from thresher.classify.sibling_space import SiblingSpace, SpaceParameters, TrainingCounts
from thresher.classify.term_counts import count_matrix, counts_of
from thresher.classify.topic_names import name_stems
from thresher.learn.break_even import borders_of_others, break_even
from thresher.learn.calibration import PlattScaling
from thresher.learn.feature_selection import Chosen
from thresher.learn.quality import quality
from thresher.text.language import primary
from thresher.types import ParsedPage

FEW: Final = 5
"""Number of positive pages below which words of a single page count, and figures say little."""

EXAMPLES: Final = 20.0
"""Number of sites with examples that tell as much about a topic's border as the null does."""

OWN: Final = 0.8
"""Highest position of the border between the null (0) and the median of the topic's pages (1) if the null is poor."""

POOR: Final = 20.0
"""How much must be known about other pages for the null to be half as good as it can be."""

USUAL_SLOPE, USUAL_OFFSET = 0.6, -0.4
"""The log-odds of a confidence on hosts without examples, unless the topic's own examples say otherwise: a line fitted
to the pages in the selection cells of `bench promise`.
"""

TELLING: Final = 50
"""Maximum number of telling stems to keep for each child, best first."""


class FittedFamily(Struct, frozen=True):
    """A fitted family, and the confidences of its training pages while held out.

    `held_out` has a row per page and a column per child, measured from borders that were chosen without the page; `met`
    are the confidences of the unlabelled pages.
    """

    model: FamilyModel
    held_out: Floats
    met: Floats


def fit_family(
    family: Family,
    parameters: SpaceParameters,
    archetypes: Flags | None = None,
    met: Sequence[ParsedPage] = (),
    most: Sequence[int] | None = None,
) -> FittedFamily:
    """Learn to distinguish the children of a topic; `met` are unlabelled pages.

    `archetypes` only teach: quality and confidence are measured on the other pages. Borders are set so that each child
    accepts at most `most` of the unlabelled pages.
    """
    asked = np.ones(len(family.pages), bool) if archetypes is None else ~archetypes
    terms, documents = _documents(family, met)
    space = SiblingSpace(parameters).fit(documents)
    taught = Taught(family.members, documents.general, asked, sites_of(family.pages), top=not family.parent)
    distances = null_distances(space, documents, taught, sites_of(met))
    having = np.diff(documents.counts[np.flatnonzero(~taught.general)].tocsc().indptr)
    folds = topic_folds(family.members, taught.sites, asked)
    children, held_out, met_confidences = [], np.zeros(distances.joined.shape), distances.met.copy()
    for place, name in enumerate(family.children):
        border, borders = _borders(distances, taught, folds, place)
        rise = 0.0 if most is None else rise_to(distances.met[:, place] - border, most[place])
        border, borders = border + rise, borders + rise
        met_confidences[:, place] -= border
        held_out[:, place] = distances.joined[:, place] - borders
        told = space.telling_[place]
        weights = dict(zip(space.columns_.tolist(), space.weights_[:, place].tolist(), strict=True))
        known = _Known(name, border, len(told[0]), _named(told, weights, terms, having))
        child = _child(known, distances, taught, held_out[:, place], place)
        children.append(replace(child, empty=name in family.empty))
    columns = [terms[column] for column in space.columns_]
    relative = parameters.weighting == "rtf"
    model = FamilyModel(
        columns, space.idf_, space.weights_, space.biases_, children, relative, distances.sites.evidence
    )
    return FittedFamily(model, held_out, met_confidences)


def _documents(family: Family, met: Sequence[ParsedPage]) -> tuple[list[str], TrainingCounts]:
    """Return the terms of a family's pages, and their counts in these pages and in the unlabelled ones."""
    general = np.array([is_background(page) for page in family.pages], bool)
    # If a topic has only a page or two, each of its characteristic words may be in one page only.
    scarce = int(family.members.sum(axis=0).min()) < FEW
    named = [_name(family, place) for place in range(len(family.children))]
    bags = [without(page.terms, family.bad) for page in family.pages]
    terms, counts = count_matrix(bags, 1 if scarce else 2, {stem for stems in named for stem in stems})
    places = {term: place for place, term in enumerate(terms)}
    names = [[places[stem] for stem in stems] for stems in named]
    met_counts = counts_of([page.terms for page in met], terms)
    spoken, met_spoken = (np.array([primary(page.language) for page in pages], str) for pages in (family.pages, met))
    documents = TrainingCounts(counts, family.members, general, met_counts, family.parts, names, spoken, met_spoken)
    return terms, documents


def rise_to(confidences: Floats, most: int) -> float:
    """Return how far a border must rise so that at most `most` pages are beyond it; 0 if it need not.

    >>> rise_to(np.array([0.5, 2.0, -1.0, 1.0]), 2), rise_to(np.array([0.5, -1.0]), 2)
    (0.75, 0.0)
    """
    beyond = np.sort(confidences[confidences > 0])[::-1]
    if len(beyond) <= most:
        return 0.0
    return float(beyond[most] + beyond[most - 1]) / 2 if most else float(beyond[0])


def _name(family: Family, child: int) -> list[str]:
    """Return the stems of the names of a child and the topics below it, in its pages' languages, and its good stems."""
    own = [page for page, one in zip(family.pages, family.members[:, child].tolist(), strict=True) if one]
    named = name_stems(family.names[child], own) if family.names else []
    marked = family.good[child] if family.good else ()
    return [stem for stem in dict.fromkeys([*named, *marked]) if stem not in family.bad]


def without(bag: Mapping[str, int], stems: Set[str]) -> Mapping[str, int]:
    """Return a bag without the given stems."""
    return {stem: count for stem, count in bag.items() if stem not in stems} if stems else bag


def _sites(sites: Sequence[str], chosen: Flags) -> int:
    """Return the number of sites of the chosen pages."""
    return len({site for site, one in zip(sites, chosen.tolist(), strict=True) if one})


def _measured_by(taught: Taught, child: int) -> Flags:
    """Return the pages on which a child is measured: without archetypes, unless it has no others."""
    labels = taught.members[:, child]
    return taught.asked if (labels & taught.asked).any() else np.ones(len(labels), bool)


def _borders(distances: Distances, taught: Taught, folds: NDArray[np.int64], child: int) -> tuple[float, Floats]:
    """Return the border of a child, and for each page a border that was chosen without it.

    Both lie between the usual border, derived from unlabelled pages, and the break-even point of the examples, weighted
    by its share.
    """
    joined, labels, general = distances.joined[:, child], taught.members[:, child], taught.general
    kept, null, usual = _measured_by(taught, child), distances.nulls[child], distances.sites.usual[child]
    examples = _sites(taught.sites, labels & kept)
    trust = null.known / (null.known + POOR)
    # Among the children of a topic, only their own pages show where one ends.
    share = examples / (examples + EXAMPLES * trust) if general.any() or len(distances.met) else 1.0
    own = OWN * float(np.median(joined[labels & kept]))
    usual = trust * usual + (1.0 - trust) * min(usual, max(own, OWN))
    asked = kept & ~general if (kept & ~general & ~labels).any() else kept
    border = share * break_even(joined[asked], labels[asked]) + (1.0 - share) * usual
    borders = np.full(len(joined), border)
    borders[asked] = share * borders_of_others(joined[asked], labels[asked], folds[asked]) + (1.0 - share) * usual
    return border, borders


def _named(told: Chosen, weights: Mapping[int, float], terms: Sequence[str], having: NDArray[Any]) -> list[Feature]:
    """Return the best terms of a child; `having` is the number of pages with each term.

    With few pages, many terms have the same score, so the classifier's `weights` break ties. Numbers are left out: they
    may identify pages of a topic, but say nothing about its subject.
    """
    found = zip(told[0].tolist(), told[1].tolist(), strict=True)
    words = [(column, score) for column, score in found if any(map(str.isalpha, terms[column]))]
    words.sort(key=lambda one: (-one[1], -weights.get(one[0], 0.0)))
    return [Feature(terms[column], score, int(having[column])) for column, score in words[:TELLING]]


class _Known(Struct, frozen=True):
    """What is known about a child before it is measured: its name, border, number of features and best features."""

    name: str
    border: float
    features: int
    telling: list[Feature]


def _scaling(confidences: Floats, labels: Flags, sites: int | None) -> tuple[float, float]:
    """Return the slope and offset of the log-odds of confidences.

    The examples of a topic come from few sites and are compared with few other subjects, so what is learned from them
    is overconfident elsewhere. It is weighted by the number of their sites, fully if that is None.
    """
    scaling = PlattScaling()
    if labels.any() and not labels.all():
        scaling.fit(confidences, labels)
    share = 1.0 if sites is None else sites / (sites + EXAMPLES)
    return (
        share * scaling.slope_ + (1.0 - share) * USUAL_SLOPE,
        share * scaling.offset_ + (1.0 - share) * USUAL_OFFSET,
    )


def _child(known: _Known, distances: Distances, taught: Taught, held_out: Floats, place: int) -> Child:
    members, general, kept = taught.members[:, place], taught.general, _measured_by(taught, place)
    asked = kept & ~general if (~members & ~general & kept).any() else kept
    labels, confidences = members[asked], distances.joined[asked, place] - known.border
    slope, offset = _scaling(confidences, labels, _sites(taught.sites, members & kept) if taught.top else None)
    return Child(
        name=known.name,
        centre=distances.nulls[place].centre,
        spread=distances.nulls[place].spread,
        border=known.border,
        slope=slope,
        offset=offset,
        mean_confidence=float(confidences[labels].mean()),
        pages=int(members.sum()),
        quality=quality(labels, held_out[asked] > 0),
        features=known.features,
        telling=known.telling,
        sites=_sites(taught.sites, members),
    )
