"""Which pages a polite crawler can reach: one that obeys robots.txt, meta robots and rel=nofollow."""

import numpy as np

from thresher.simweb.graph import Ints, Links, Mask
from thresher.simweb.hosts import SimulatedHost
from thresher.simweb.pages import Flag, PageKind, PageTable


def reachable_pages(hosts: list[SimulatedHost], pages: PageTable, links: Links, starts: list[int]) -> Mask:
    """Return the pages that are requested and answered when every allowed link is followed from the start pages."""
    silent = np.array([host.unreachable for host in hosts])[pages.host]
    asked = ~pages.has(Flag.DISALLOWED) & ~silent
    followed = asked & ~pages.has(Flag.NOFOLLOW)
    reached = np.zeros(pages.count, bool)
    level = np.array(starts, np.int64)
    while len(level):
        reached[level] = True
        sources = level[followed[level]]
        found = np.concatenate([_targets(links, sources), pages.to[level][pages.kind[level] == PageKind.REDIRECT]])
        found = np.unique(found).astype(np.int64)
        level = found[asked[found] & ~reached[found]]
    return reached


def _targets(links: Links, sources: Ints) -> Ints:
    lengths = links.starts[sources + 1] - links.starts[sources]
    begins = np.cumsum(lengths) - lengths
    places = np.repeat(links.starts[sources] - begins, lengths) + np.arange(int(lengths.sum()))
    return links.targets[places[~links.nofollow[places]]].astype(np.int64)
