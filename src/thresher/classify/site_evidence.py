"""Site evidence: shifts the boundary of a topic on each site, closer to the null on sites mostly about it.

Pages seen so far, labelled or not, are modelled as a mixture of pages of the topic and others, with a separate share
for every site (`learn/grouped_mixture.py`). The border of a topic is where both are equally likely: on a site entirely
about the topic, a page needs fewer words of it, but it needs some, because pages without a subject look like that too.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from thresher.learn.grouped_mixture import GroupedMixture

Floats = NDArray[np.float64]

FEWEST_SITES: Final = 5
"""Minimum number of known sites for any site evidence."""

UNKNOWN: Final = 0.3
"""Share of a topic's pages on unknown sites; a link from such a page led there."""

STRICTEST: Final = 1.0
"""How many spreads farther from the null the border may be on a site with hardly any page of the topic."""

MOST_SITES: Final = 20_000

STRICT: Final = 2.85
"""Distance of the border from the null, in spreads, while nothing is known about sites."""

NEAREST: Final = 2.6
"""Minimum distance of the border on unknown sites."""


class SiteEvidence(Struct, frozen=True):
    """How many spreads closer to the null than elsewhere the border of each topic is on a site."""

    sites: dict[str, list[float]] = {}

    def fits(self, topics: int) -> bool:
        """Return whether there are finite numbers for this many topics."""
        return all(len(known) == topics and np.isfinite(known).all() for known in self.sites.values())

    def knows(self, site: str) -> bool:
        """Return whether a site is known."""
        return site in self.sites

    def added(self, distances: Floats, site: str) -> Floats:
        """Return what the site of a page adds to its distances from the null of each topic."""
        known = self.sites.get(site)
        return np.zeros(len(distances)) if known is None else np.array(known)


class SiteBorders(Struct, frozen=True):
    """The `usual` border of each topic on unknown sites, and how far other sites differ from it."""

    usual: list[float]
    evidence: SiteEvidence


def site_borders(distances: Floats, sites: Sequence[str], known: Floats) -> SiteBorders:
    """Learn where topics begin from the distances of pages, a row per page and a column per topic.

    `known` is 1 for pages of a topic, 0 for other pages, and NaN for unlabelled pages.

    >>> rng = np.random.default_rng(0)
    >>> sites = [f"{number}.test" for number in range(20) for _ in range(10)]
    >>> ours = np.repeat(np.arange(20) < 4, 10)
    >>> distances = rng.normal(np.where(ours, 6.0, 0.0))[:, None]
    >>> found = site_borders(distances, sites, np.full((200, 1), np.nan))
    >>> [found.evidence.added(np.zeros(1), site).round(1).tolist() for site in ("0.test", "9.test", "new.test")]
    [[0.6], [-0.6], [0.0]]
    """
    topics = distances.shape[1]
    names, place = np.unique(np.asarray(sites, dtype=str), return_inverse=True)
    if len(names) < FEWEST_SITES:
        return SiteBorders([STRICT] * topics, SiteEvidence())
    usual, nearer = np.zeros(topics), np.zeros((len(names), topics))
    for topic in range(topics):
        mixture = GroupedMixture().fit(distances[:, topic], place.ravel(), known[:, topic], STRICT)
        border = float(mixture.borders(np.array([UNKNOWN]))[0])
        nearer[:, topic] = np.maximum(border - mixture.borders(mixture.shares_), -STRICTEST)
        usual[topic] = max(border, NEAREST)
    largest = np.argsort(-np.bincount(place.ravel()), kind="stable")[:MOST_SITES]
    table = {str(names[one]): nearer[one].round(4).tolist() for one in sorted(largest)}
    return SiteBorders(usual.round(4).tolist(), SiteEvidence(table))
