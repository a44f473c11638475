"""What the pages of a site say together: pages on a site that is all about a topic are likely of it, too.

How much that is worth is learnt from pages that were met, labelled or not. Where pages differ more from site to site
than within a site, sites have subjects, and the mean of a site's pages counts; where every site has pages of all kinds,
it says nothing (variance components of a random-effects model). One site alone cannot be compared with any.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Floats = NDArray[np.float64]

FEWEST_PAGES: Final = 3
"""Pages of a site that may say how much sites differ."""

FEWEST_SITES: Final = 5
"""Sites by which it may be said how much sites differ."""

FARTHEST: Final = 4.0
"""Distances beyond this, in spreads of the null, say no more than this."""

STRONGEST: Final = 3.0
"""How much more than the page itself its site may count."""

MOST_SITES: Final = 20_000


class SiteSums(Struct, frozen=True, array_like=True):
    """The number of pages met of a site, and the sum of their distances from each null."""

    pages: int
    sums: list[float]


class SiteEvidence(Struct, frozen=True):
    """How much the site of a page counts for each topic (`worth`, 0 for nothing), and what is known of each site."""

    worth: list[float]
    sites: dict[str, SiteSums] = {}

    def said(self, distances: Floats, site: str) -> Floats:
        """Return what the site of a page says of each topic, in distances from its null.

        A page counts as one of the pages of its site, so that one on an unknown site speaks for it alone.

        >>> SiteEvidence([2.0], {"a.test": SiteSums(9, [36.0])}).said(np.array([1.0]), "a.test").round(2).tolist()
        [3.52]
        """
        known = self.sites.get(site)
        pages, sums = (known.pages, np.array(known.sums)) if known else (0, np.zeros(len(self.worth)))
        worth = np.array(self.worth)
        return np.asarray(worth * (sums + np.clip(distances, -FARTHEST, FARTHEST)) / (worth * (pages + 1) + 1.0))

    def joined(self, distances: Floats, site: str) -> Floats:
        """Return the distances of a page from each null after its site had its say, by what that is worth."""
        worth = np.array(self.worth)
        return np.asarray((distances + worth * self.said(distances, site)) / (1.0 + worth))


def site_evidence(distances: Floats, sites: Sequence[str]) -> SiteEvidence:
    """Learn from the distances of pages that were met, a row per page and a column per topic, what sites are worth.

    >>> rng = np.random.default_rng(0)
    >>> sites = [f"{number}.test" for number in range(20) for _ in range(10)]
    >>> own_subjects = np.repeat(rng.normal(0, 2, 20), 10)[:, None] + rng.normal(0, 1, (200, 1))
    >>> mixed = rng.normal(0, 2, (200, 1))
    >>> [round(site_evidence(values, sites).worth[0], 1) for values in (own_subjects, mixed)]
    [3.0, 0.0]
    """
    names, place = np.unique(np.asarray(sites, dtype=str), return_inverse=True)
    near = np.clip(distances, -FARTHEST, FARTHEST)
    numbers = np.bincount(place, minlength=len(names))
    sums = np.zeros((len(names), distances.shape[1]))
    np.add.at(sums, place, near)
    many = numbers >= FEWEST_PAGES
    if many.sum() < FEWEST_SITES:
        return SiteEvidence([0.0] * distances.shape[1])
    means = sums / np.maximum(numbers, 1)[:, None]
    rows = many[place]
    within = ((near - means[place])[rows] ** 2).sum(axis=0) / (numbers[many] - 1).sum()
    between = means[many].var(axis=0, ddof=1) - within * (1.0 / numbers[many]).mean()
    worth = np.clip(between / np.maximum(within, 1e-9), 0.0, STRONGEST)
    largest = np.argsort(-numbers, kind="stable")[:MOST_SITES]
    table = {str(names[one]): SiteSums(int(numbers[one]), sums[one].round(4).tolist()) for one in sorted(largest)}
    return SiteEvidence(worth.round(4).tolist(), table if worth.any() else {})


def no_evidence(topics: int) -> SiteEvidence:
    """Return what is known of sites before any page was met."""
    return SiteEvidence([0.0] * topics)
