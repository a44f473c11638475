"""Citations: links that authors set in their text, drawn by topic, host and popularity.

Out-degrees and the popularity of targets follow power laws. No citation leads into an enclave: only hubs, which are
off-topic, link to the gates.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from thresher.simweb.faults import citable
from thresher.simweb.graph import Edges, Ints, LinkPosition, Mask
from thresher.simweb.hosts import HostRole, SimulatedHost
from thresher.simweb.pages import PageKind, PageTable
from thresher.simweb.parameters import WebParameters
from thresher.simweb.topics import TopicTree

_FEWEST: Final = 10.0
_MOST: Final = 110
_TAIL: Final = 0.5
_SAME_HOST: Final = 0.2
_EXACT_TOPIC: Final = 0.5
_HUB_LINKS: Final = (25, 70)
_PLACES: Final = (LinkPosition.TEXT, LinkPosition.LIST, LinkPosition.TABLE, LinkPosition.FOOTER)
_PLACE_SHARES: Final = (0.5, 0.3, 0.1, 0.1)


class _Pool:
    """Pages by group, drawn in proportion to their popularity."""

    def __init__(self, members: Mask, group: NDArray[np.integer], groups: int, popularity: NDArray[np.float32]) -> None:
        chosen = np.flatnonzero(members)
        order = np.argsort(group[chosen], kind="stable")
        self.pages: Ints = chosen[order]
        self.weights = np.concatenate([[0.0], np.cumsum(popularity[self.pages], dtype=np.float64)])
        self.bounds = np.searchsorted(group[self.pages], np.arange(groups + 1))

    def draw(self, rng: np.random.Generator, groups: Ints) -> Ints:
        """Return a page of each group, or -1 if a group is empty."""
        if not len(self.pages):
            return np.full(len(groups), -1)
        low, high = self.bounds[groups], self.bounds[groups + 1]
        aim = self.weights[low] + rng.random(len(groups)) * (self.weights[high] - self.weights[low])
        place = np.clip(np.searchsorted(self.weights, aim, side="right") - 1, low, np.maximum(high - 1, low))
        return np.where(high > low, self.pages[np.minimum(place, len(self.pages) - 1)], -1)


def citation_links(
    rng: np.random.Generator, parameters: WebParameters, tree: TopicTree, hosts: list[SimulatedHost], pages: PageTable
) -> list[Edges]:
    """Return the citations of all pages that are not copies, and the links of hubs."""
    open_to_all = citable(pages)
    themes = int(pages.theme.max()) + 1
    by_theme = _Pool(open_to_all & pages.is_kind(PageKind.CONTENT), pages.theme, themes, pages.popularity)
    by_host = _Pool(open_to_all, pages.host, len(hosts), pages.popularity)
    anywhere = _Pool(open_to_all, np.zeros(pages.count, np.int8), 1, pages.popularity)
    mirror = np.array([host.role is HostRole.MIRROR for host in hosts])[pages.host]
    sources = _sources(rng, pages, ~mirror)
    targets = anywhere.draw(rng, np.zeros(len(sources), np.int64))
    near = rng.random(len(sources)) < _SAME_HOST
    targets = _prefer(targets, near, by_host.draw(rng, pages.host[sources].astype(np.int64)))
    kindred = (rng.random(len(sources)) < parameters.locality) & pages.is_kind(PageKind.CONTENT)[sources]
    theme = _kindred_themes(rng, tree, pages.theme[sources].astype(np.int64))
    targets = _prefer(targets, kindred, by_theme.draw(rng, np.maximum(theme, 0)))
    return [_placed(rng, sources, targets), *_hub_links(rng, pages, ~mirror, by_theme)]


def _sources(rng: np.random.Generator, pages: PageTable, original: Mask) -> Ints:
    """Repeat each page once per link; welcome pages and hubs have few citations besides their own links."""
    numbers = np.minimum(_FEWEST * (1.0 - rng.random(pages.count)) ** -_TAIL, _MOST).astype(np.int64)
    few = pages.is_kind(PageKind.WELCOME, PageKind.HUB)
    numbers[few] = rng.integers(2, 8, pages.count)[few]
    writes = pages.is_kind(PageKind.CONTENT, PageKind.NOISE, PageKind.WELCOME, PageKind.HUB) & original
    return np.repeat(np.arange(pages.count), np.where(writes, numbers, 0))


def _prefer(targets: Ints, where: Mask, better: Ints) -> Ints:
    return np.where(where & (better >= 0), better, targets)


def _kindred_themes(rng: np.random.Generator, tree: TopicTree, themes: Ints) -> Ints:
    """Return the theme of each link's target: mostly the page's own, else another under the same top-level topic."""
    related = np.array([tree.within(tree.top(topic)) for topic in range(len(tree))])
    topical = (themes >= 0) & (themes < len(tree))
    wander = topical & (rng.random(len(themes)) >= _EXACT_TOPIC)
    other = related[np.where(topical, themes, 0), rng.integers(0, related.shape[1], len(themes))]
    return np.where(wander, other, themes)


def _placed(rng: np.random.Generator, sources: Ints, targets: Ints) -> Edges:
    places = rng.choice(np.array(_PLACES, np.uint8), len(sources), p=_PLACE_SHARES)
    return Edges(sources, targets, places, needless=True)


def _hub_links(rng: np.random.Generator, pages: PageTable, original: Mask, by_theme: _Pool) -> list[Edges]:
    """Let hubs list many pages of one topic, and the gates and home pages that lead to more of it."""
    hubs = np.flatnonzero(pages.is_kind(PageKind.HUB) & original)
    themes = len(by_theme.bounds) - 1
    doors = _Pool(pages.is_kind(PageKind.WELCOME) & (pages.theme >= 0), pages.theme, themes, pages.popularity)
    batches = []
    for pool, share in ((by_theme, 1.0), (doors, 0.15)):
        sources = np.repeat(hubs, (rng.integers(*_HUB_LINKS, len(hubs)) * share).astype(np.int64))
        targets = pool.draw(rng, pages.theme[sources].astype(np.int64))
        known = targets >= 0
        batches.append(_placed(rng, sources[known], targets[known]))
    return batches
