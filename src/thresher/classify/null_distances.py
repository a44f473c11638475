"""Distances of pages from the null of each topic of a family, with site evidence, and the boundaries of topics.

All are computed by classifiers that have not seen the page, so a topic does not seem clearer than it is.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from thresher.classify.folds import FOLDS, site_folds, topic_folds
from thresher.classify.null_margins import Null, Placed, null_of, pooled
from thresher.classify.sibling_space import SiblingSpace, TrainingCounts, margins_apart
from thresher.classify.site_evidence import STRICT, SiteBorders, SiteEvidence, site_borders

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


class Taught(Struct, frozen=True, eq=False):
    """The training pages of a family, one per row: the children they belong to (`members`), and their sites.

    `general` pages are of general language. Pages that are not `asked` only teach; nothing is measured on them. `top`
    says whether these are the topics at the top.
    """

    members: Flags
    general: Flags
    asked: Flags
    sites: Sequence[str]
    top: bool = True


class Distances(Struct, frozen=True, eq=False):
    """Distances from the null of each child, in units of its spread, a row per page and a column per child.

    `joined` are those of the training pages, `met` those of unlabelled pages, both with site evidence.
    """

    nulls: list[Null]
    sites: SiteBorders
    joined: Floats
    met: Floats


class _Margins(Struct, frozen=True):
    """Margins of training pages, a row per page and a column per child, and of unlabelled pages.

    `held_out` are from spaces that have not seen the page, or that have if there is no other; `apart` are from spaces
    that have not seen its site, NaN if that site alone taught a child.
    """

    held_out: Floats
    apart: Floats
    met: Floats
    met_apart: Floats


def null_distances(
    space: SiblingSpace, documents: TrainingCounts, taught: Taught, met_sites: Sequence[str]
) -> Distances:
    """Learn the null of each child and the evidence of sites; return the distances of all pages from the nulls."""
    margins = _margins(space, documents, taught, met_sites)
    nulls = pooled([_null(margins, documents, taught, met_sites, child) for child in range(taught.members.shape[1])])
    centres, spreads = np.array([null.centre for null in nulls]), np.array([null.spread for null in nulls])
    met, given = (margins.met - centres) / spreads, (margins.held_out - centres) / spreads
    borders = _site_borders(met, met_sites, given, taught)
    return Distances(
        nulls,
        borders,
        _joined(borders.evidence, given, taught.sites),
        _joined(borders.evidence, met, met_sites),
    )


def _site_borders(met: Floats, met_sites: Sequence[str], given: Floats, taught: Taught) -> SiteBorders:
    """Learn where the children begin on each site.

    Sites say something only at the top: a site about a topic has pages of all topics below it.
    """
    if not len(met_sites) or not taught.top:
        return SiteBorders([STRICT] * given.shape[1], SiteEvidence())
    asked = np.flatnonzero(taught.asked & ~taught.general)
    sites = [*met_sites, *(taught.sites[row] for row in asked.tolist())]
    known = np.concatenate([np.full(met.shape, np.nan), taught.members[asked].astype(np.float64)])
    return site_borders(np.concatenate([met, given[asked]]), sites, known)


def _joined(evidence: SiteEvidence, distances: Floats, sites: Sequence[str]) -> Floats:
    rows = [row + evidence.added(row, site) for row, site in zip(distances, sites, strict=True)]
    return np.array(rows).reshape(distances.shape)


def _margins(space: SiblingSpace, documents: TrainingCounts, taught: Taught, met_sites: Sequence[str]) -> _Margins:
    sites, asked = taught.sites, taught.asked
    folds = topic_folds(documents.members, sites, asked)
    nowhere = np.full(len(met_sites), -1, np.int64)
    held_out, met_apart = margins_apart(space.parameters, documents, folds, nowhere)
    apart, teach = (
        held_out,
        {site for site, general in zip(sites, documents.general.tolist(), strict=True) if not general},
    )
    if 1 < len(teach) < int((~documents.general).sum()):
        # Pages of siblings, and unlabelled pages of their sites, judged by spaces that do not know the site.
        of_sites = site_folds(sites)
        fold_of = dict(zip(sites, of_sites.tolist(), strict=True))
        met_folds = np.array([fold_of.get(site, -1) for site in met_sites], np.int64)
        apart, met_apart = margins_apart(space.parameters, documents, of_sites, met_folds)
    elsewhere = [site not in teach or len(teach) == 1 for site in met_sites]
    if any(elsewhere):
        # Unlabelled pages of other sites, judged by spaces that have not used a page of the site as a negative.
        dealt = site_folds(met_sites) if len(set(met_sites)) > 1 else np.arange(len(met_sites)) % FOLDS
        _, unlabelled = margins_apart(
            space.parameters, documents, np.full(len(sites), -1, np.int64), np.where(elsewhere, dealt, -1)
        )
        met_apart = np.where(np.array(elsewhere)[:, None], unlabelled, met_apart)
    # A site with a person's pages is known, so what its other pages say about it is not a guess.
    given = {site for site, one in zip(sites, (asked & ~documents.general).tolist(), strict=True) if one}
    inside = np.array([site in given for site in met_sites], bool)
    met = np.where(np.isnan(met_apart) | inside[:, None], space.margins(documents.met), met_apart)
    return _Margins(np.where(np.isnan(held_out), space.margins(documents.counts), held_out), apart, met, met_apart)


def _null(margins: _Margins, documents: TrainingCounts, taught: Taught, met_sites: Sequence[str], child: int) -> Null:
    own, others = taught.members[:, child], ~taught.members[:, child] & ~taught.general
    # Archetypes are never held out: by their margins, the topic would seem farther from everything than it is.
    held_out = np.where(taught.asked if (own & taught.asked).any() else True, margins.held_out[:, child], np.nan)
    alike, met_alike = _in_its_languages(documents, own)
    general = taught.general & alike if (taught.general & alike).any() else taught.general
    return null_of(
        _placed(held_out, taught.sites, own),
        _placed(margins.apart[:, child], taught.sites, others & alike),
        margins.apart[general, child],
        _placed(margins.met_apart[:, child], met_sites, met_alike),
        taught.members.shape[1],
    )


def _in_its_languages(documents: TrainingCounts, own: Flags) -> tuple[Flags, Flags]:
    """Return which documents, labelled and unlabelled, are in a language of a child's pages or in an unknown one.

    With a null of pages in other languages, every page in the child's language would seem to be about it.
    """
    if documents.languages is None or documents.met_languages is None:
        return np.ones(len(own), bool), np.ones(documents.met.shape[0], bool)
    spoken = [*np.unique(documents.languages[own]), ""]
    return np.isin(documents.languages, spoken), np.isin(documents.met_languages, spoken)


def _placed(margins: Floats, sites: Sequence[str], chosen: Flags) -> Placed:
    return Placed(margins[chosen], [site for site, one in zip(sites, chosen.tolist(), strict=True) if one])
