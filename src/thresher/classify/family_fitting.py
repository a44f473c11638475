"""Learning the children of one topic: weights, borders, probabilities, and what the sites of pages are worth.

What is said of quality and confidence comes from pages that were held out, of other sites where a child has several.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from thresher.classify.background import is_background
from thresher.classify.examples import Family
from thresher.classify.family_model import Child, FamilyModel, Feature
from thresher.classify.folds import FOLDS, site_folds, sites_of, topic_folds
from thresher.classify.null_margins import Null, Placed, null_of
from thresher.classify.sibling_space import Documents, SiblingSpace, SpaceParameters, margins_apart
from thresher.classify.site_evidence import no_evidence, site_evidence
from thresher.classify.topic_names import name_stems
from thresher.learn.break_even import borders_of_others, break_even
from thresher.learn.calibration import PlattScaling
from thresher.learn.feature_selection import Chosen
from thresher.learn.quality import quality
from thresher.types import Page

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

FEW: Final = 5
"""Positive pages below which words of a single page count, and figures say little."""

STRICT: Final = 2.85
"""How many spreads beyond the centre of the null the border of a topic lies, as far as its examples do not say."""

RELIEF: Final = 0.9
"""How many spreads less that is where the sites of pages say all; a mean of many pages scatters less than a page."""

EXAMPLES: Final = 20.0
"""Sites with examples of a topic that say as much about its border as the null does."""

OWN: Final = 0.8
"""The highest place of the border between the null and the median of the topic's own pages, where the null is poor."""

POOR: Final = 20.0
"""What must be known of other things for the null to be half as good as it can be."""

TELLING: Final = 50
"""Telling stems kept for each child, best first."""


class FittedFamily(Struct, frozen=True):
    """A family as it was learnt, and the confidences of its training pages while they were held out.

    `held_out` has a row per page and a column per child, measured from borders that were chosen without the page; `met`
    are the confidences of the unlabelled pages.
    """

    model: FamilyModel
    held_out: Floats
    met: Floats


class _Margins(Struct, frozen=True):
    """Margins of training pages, a row per page and a column per child, and of pages that were met.

    `held_out` are by spaces that have not seen the page, by ones that have where none could; `apart` by spaces that
    have not seen its site, and not a number where that taught a child alone.
    """

    held_out: Floats
    apart: Floats
    met: Floats
    met_apart: Floats


def fit_family(
    family: Family,
    parameters: SpaceParameters,
    archetypes: Flags | None = None,
    met: Sequence[Page] = (),
    most: Sequence[int] | None = None,
) -> FittedFamily:
    """Learn to tell the children of a topic apart; `met` are pages that nobody has labelled.

    Pages that are `archetypes` teach only: what is said of quality and confidence rests on the others. Borders are such
    that each child takes at most so many of the pages met.
    """
    asked = np.ones(len(family.pages), bool) if archetypes is None else ~archetypes
    general = np.array([is_background(page) for page in family.pages], bool)
    # Of a topic with a page or two, every word it is known by may stand in one page only.
    scarce = int(family.members.sum(axis=0).min()) < FEW
    named = [_name(family, place) for place in range(len(family.children))]
    terms, counts = count_matrix(
        [page.terms for page in family.pages], 1 if scarce else 2, {stem for stems in named for stem in stems}
    )
    met_counts = counts_of([page.terms for page in met], terms)
    places = {term: place for place, term in enumerate(terms)}
    names = [[places[stem] for stem in stems] for stems in named]
    documents = Documents(counts, family.members, general, met_counts, family.parts, names)
    space = SiblingSpace(parameters).fit(documents)
    sites, met_sites = sites_of(family.pages), sites_of(met)
    margins = _margins(space, documents, sites, met_sites, asked)
    nulls = [
        _null(margins, place, family.members, general, asked, sites, met_sites) for place in range(len(family.children))
    ]
    centres, spreads = np.array([null.centre for null in nulls]), np.array([null.spread for null in nulls])
    evidence = site_evidence((margins.met - centres) / spreads, met_sites) if met else no_evidence(len(nulls))
    distances = (margins.held_out - centres) / spreads
    joined = np.array([evidence.joined(row, site) for row, site in zip(distances, sites, strict=True)])
    met_distances = zip((margins.met - centres) / spreads, met_sites, strict=True)
    met_joined = np.array([evidence.joined(row, site) for row, site in met_distances]).reshape(len(met), len(nulls))
    having = np.diff(counts[np.flatnonzero(~general)].tocsc().indptr)
    telling = [_named(told, terms, having) for told in space.telling_]
    folds = topic_folds(family.members, sites, asked)
    children, held_out = [], np.zeros(joined.shape)
    for place, labels in enumerate(family.members.T):
        # A topic that only archetypes speak for has no other pages to measure by.
        kept = asked if (labels & asked).any() else np.ones(len(labels), bool)
        examples = _sites(sites, labels & kept)
        # Among the children of a topic nothing but their own pages says where one ends.
        trust = nulls[place].known / (nulls[place].known + POOR)
        share = examples / (examples + EXAMPLES * trust) if general.any() or met else 1.0
        strict = STRICT - RELIEF * evidence.worth[place] / (1.0 + evidence.worth[place])
        own = OWN * float(np.median(joined[labels & kept, place]))
        strict = trust * strict + (1.0 - trust) * min(strict, max(own, OWN))
        border, borders = _borders(joined[:, place], labels, kept, general, folds, share, strict)
        rise = 0.0 if most is None else rise_to(met_joined[:, place] - border, most[place])
        border, borders = border + rise, borders + rise
        met_joined[:, place] -= border
        held_out[:, place] = joined[:, place] - borders
        children.append(
            _child(
                family.children[place],
                nulls[place],
                border,
                labels,
                kept & (~general if (~labels & ~general & kept).any() else True),
                joined[:, place] - border,
                held_out[:, place],
                _sites(sites, labels),
                len(space.telling_[place][0]),
                telling[place],
            )
        )
    known = [terms[column] for column in space.columns_]
    relative = parameters.weighting == "rtf"
    model = FamilyModel(known, space.idf_, space.weights_, space.biases_, children, relative, evidence)
    return FittedFamily(model, held_out, met_joined)


def rise_to(confidences: Floats, most: int) -> float:
    """Return how far a border must rise so that at most so many pages lie beyond it; 0 where no more do.

    >>> rise_to(np.array([0.5, 2.0, -1.0, 1.0]), 2), rise_to(np.array([0.5, -1.0]), 2)
    (0.75, 0.0)
    """
    beyond = np.sort(confidences[confidences > 0])[::-1]
    if len(beyond) <= most:
        return 0.0
    return float(beyond[most] + beyond[most - 1]) / 2 if most else float(beyond[0])


def _name(family: Family, child: int) -> list[str]:
    """Return the stems of a child's name, and of those below it, in the languages of its pages."""
    own = [page for page, one in zip(family.pages, family.members[:, child].tolist(), strict=True) if one]
    return name_stems(family.names[child], own) if family.names else []


def _sites(sites: Sequence[str], chosen: Flags) -> int:
    """Return the number of sites of chosen pages."""
    return len({site for site, one in zip(sites, chosen.tolist(), strict=True) if one})


def _margins(
    space: SiblingSpace, documents: Documents, sites: Sequence[str], met_sites: Sequence[str], asked: Flags
) -> _Margins:
    folds = topic_folds(documents.members, sites, asked)
    nowhere = np.full(len(met_sites), -1, np.int64)
    held_out, met_apart = margins_apart(space.parameters, documents, folds, nowhere)
    apart, teach = (
        held_out,
        {site for site, general in zip(sites, documents.general.tolist(), strict=True) if not general},
    )
    if 1 < len(teach) < int((~documents.general).sum()):
        # Pages of siblings and pages met on their sites, by spaces that know nothing of the site.
        of_sites = site_folds(sites)
        fold_of = dict(zip(sites, of_sites.tolist(), strict=True))
        met_folds = np.array([fold_of.get(site, -1) for site in met_sites], np.int64)
        apart, met_apart = margins_apart(space.parameters, documents, of_sites, met_folds)
    elsewhere = [site not in teach or len(teach) == 1 for site in met_sites]
    if any(elsewhere):
        # Pages met elsewhere, by spaces that have not taken a page of the site for a negative.
        dealt = site_folds(met_sites) if len(set(met_sites)) > 1 else np.arange(len(met_sites)) % FOLDS
        _, unlabelled = margins_apart(
            space.parameters, documents, np.full(len(sites), -1, np.int64), np.where(elsewhere, dealt, -1)
        )
        met_apart = np.where(np.array(elsewhere)[:, None], unlabelled, met_apart)
    # Where a person found pages, the site is known: what its other pages say of it is no guess.
    given = {site for site, one in zip(sites, (asked & ~documents.general).tolist(), strict=True) if one}
    inside = np.array([site in given for site in met_sites], bool)
    met = np.where(np.isnan(met_apart) | inside[:, None], space.margins(documents.met), met_apart)
    return _Margins(np.where(np.isnan(held_out), space.margins(documents.counts), held_out), apart, met, met_apart)


def _null(
    margins: _Margins,
    child: int,
    members: Flags,
    general: Flags,
    asked: Flags,
    sites: Sequence[str],
    met_sites: Sequence[str],
) -> Null:
    own, others = members[:, child], ~members[:, child] & ~general
    # Archetypes are never held out: by their margins the topic would seem farther from everything than it is.
    held_out = np.where(asked if (own & asked).any() else True, margins.held_out[:, child], np.nan)
    return null_of(
        _placed(held_out, sites, own),
        _placed(margins.apart[:, child], sites, others),
        margins.apart[general, child],
        Placed(margins.met_apart[:, child], met_sites),
        members.shape[1],
    )


def _placed(margins: Floats, sites: Sequence[str], chosen: Flags) -> Placed:
    return Placed(margins[chosen], [site for site, one in zip(sites, chosen.tolist(), strict=True) if one])


def _borders(
    joined: Floats,
    labels: Flags,
    kept: Flags,
    general: Flags,
    folds: NDArray[np.int64],
    share: float,
    strict: float,
) -> tuple[float, Floats]:
    """Return the border of a child, and for each page the one it had no say in.

    Both lie between the `strict` one, which the null asks for, and the break-even point of the examples, which has a
    `share` in it.
    """
    asked = kept & ~general if (kept & ~general & ~labels).any() else kept
    border = share * break_even(joined[asked], labels[asked]) + (1.0 - share) * strict
    borders = np.full(len(joined), border)
    borders[asked] = share * borders_of_others(joined[asked], labels[asked], folds[asked]) + (1.0 - share) * strict
    return border, borders


def _named(told: Chosen, terms: Sequence[str], having: NDArray[Any]) -> list[Feature]:
    """Return the best of the terms that tell a child; `having` is the number of pages with each term."""
    best = zip(told[0][:TELLING].tolist(), told[1][:TELLING].tolist(), strict=True)
    return [Feature(terms[column], score, int(having[column])) for column, score in best]


def _child(
    name: str,
    null: Null,
    border: float,
    members: Flags,
    asked: Flags,
    confidences: Floats,
    judged: Floats,
    sites: int,
    features: int,
    telling: list[Feature],
) -> Child:
    labels = members[asked]
    scaling = PlattScaling()
    if labels.any() and not labels.all():
        scaling.fit(confidences[asked], labels)
    return Child(
        name=name,
        centre=null.centre,
        spread=null.spread,
        border=border,
        slope=scaling.slope_,
        offset=scaling.offset_,
        mean_confidence=float(confidences[asked][labels].mean()),
        pages=int(members.sum()),
        quality=quality(labels, judged[asked] > 0),
        features=features,
        telling=telling,
        sites=sites,
    )


def count_matrix(
    bags: Sequence[Mapping[str, int]], min_bags: int = 2, wanted: Collection[str] = ()
) -> tuple[list[str], "csr_matrix"]:
    """Return the terms that occur in at least `min_bags` bags (in any, where none does) and the counts of each bag.

    Terms that are `wanted` are among them, whether they occur or not.

    >>> terms, counts = count_matrix([{"boat": 2, "sail": 1}, {"boat": 1}])
    >>> terms, counts.toarray().tolist()
    (['boat'], [[2], [1]])
    """
    frequency = Counter(chain.from_iterable(bags))
    terms = [term for term, number in frequency.items() if number >= min_bags] or list(frequency)
    terms = sorted({*terms, *wanted})
    return terms, counts_of(bags, terms)


def counts_of(bags: Sequence[Mapping[str, int]], terms: Sequence[str]) -> "csr_matrix":
    """Return the counts of each bag, a column for each of the terms.

    >>> counts_of([{"boat": 2, "sail": 1}], ["mast", "sail"]).toarray().tolist()
    [[0, 1]]
    """
    from scipy.sparse import csr_matrix

    column = {term: place for place, term in enumerate(terms)}
    columns = np.array(list(map(column.get, chain.from_iterable(bags), repeat(-1))), np.int64)
    values = np.array(list(chain.from_iterable(bag.values() for bag in bags)), np.int64)
    ends = np.cumsum([0, *map(len, bags)])
    known = columns >= 0
    starts = np.concatenate([[0], np.cumsum(known)])[ends]
    parts: Any = (values[known], columns[known], starts)
    counts = csr_matrix(parts, shape=(len(bags), len(terms)))
    counts.sort_indices()
    return counts
