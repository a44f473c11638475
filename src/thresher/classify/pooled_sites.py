"""Site evidence in models of format 2, which pooled the distances of a site's pages."""

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Floats = NDArray[np.float64]

FARTHEST = 4.0
"""Distances, in spreads of the null, are clipped to this."""


class SiteSums(Struct, frozen=True, array_like=True):
    """The number of pages seen on a site, and the sum of their distances from each null."""

    pages: int
    sums: list[float]


class PooledSites(Struct, frozen=True):
    """How much the site of a page counts for each topic (`worth`, 0 for nothing), and what is known about each site."""

    worth: list[float]
    sites: dict[str, SiteSums] = {}

    def fits(self, topics: int) -> bool:
        """Return whether there are values for this many topics."""
        return len(self.worth) == topics and all(
            len(known.sums) == topics and known.pages > 0 for known in self.sites.values()
        )

    def knows(self, site: str) -> bool:
        """Return whether a site is known."""
        return site in self.sites

    def added(self, distances: Floats, site: str) -> Floats:
        """Return what the site of a page adds to its distances from the null of each topic.

        Distances are in spreads that are `1 + worth` times as large as those of the sums.

        >>> PooledSites([2.0], {"a.test": SiteSums(9, [36.0])}).added(np.array([1 / 3]), "a.test").round(2).tolist()
        [2.35]
        """
        known = self.sites.get(site)
        pages, sums = (known.pages, np.array(known.sums)) if known else (0, np.zeros(len(self.worth)))
        worth = np.array(self.worth)
        near = np.clip(distances * (1.0 + worth), -FARTHEST, FARTHEST)
        said = worth * (sums + near) / (worth * (pages + 1) + 1.0)
        return np.asarray(worth * said / (1.0 + worth))
