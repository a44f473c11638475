"""The links of a generated web as one compressed graph.

Links come from two sources. Structural links (`structure`) ensure that every good page can be reached; citations
(`citations`) are drawn at random by topic, host and popularity. Copies have the links of their originals.
"""

from collections.abc import Sequence
from enum import IntEnum
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.simweb.hosts import SimulatedHost
from thresher.simweb.pages import PageTable

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

_REL_NOFOLLOW: Final = 0.02


class LinkPosition(IntEnum):
    """The position of a link on its page."""

    NAVIGATION = 0
    TEXT = 1
    LIST = 2
    TABLE = 3
    FOOTER = 4


class Edges(NamedTuple):
    """A batch of unsorted links; only a `needless` one may be marked rel=nofollow."""

    sources: Ints
    targets: Ints
    places: NDArray[np.uint8]
    needless: bool = False


class Links(NamedTuple):
    """The links of page p are those from `starts[p]` to `starts[p + 1] - 1`, in page order."""

    starts: Ints
    targets: NDArray[np.int32]
    places: NDArray[np.uint8]
    nofollow: Mask

    def of(self, page: int) -> list[int]:
        """Return the pages that a page links to."""
        return [int(target) for target in self.targets[self.starts[page] : self.starts[page + 1]]]


def at(place: LinkPosition, sources: Ints, targets: Ints) -> Edges:
    """Return structural links with the same position on their pages."""
    return Edges(sources, targets, np.full(len(sources), place, np.uint8))


def assemble(rng: np.random.Generator, pages: PageTable, hosts: list[SimulatedHost], batches: Sequence[Edges]) -> Links:
    """Return the links sorted by page, each target once per page, including those of copies."""
    links = _ordered(rng, pages.count, batches)
    return _with_copies(links, pages, hosts)


def _ordered(rng: np.random.Generator, count: int, batches: Sequence[Edges]) -> Links:
    sources = np.concatenate([batch.sources for batch in batches])
    targets = np.concatenate([batch.targets for batch in batches])
    places = np.concatenate([batch.places for batch in batches])
    needless = np.concatenate([np.full(len(batch.sources), batch.needless) for batch in batches])
    # Among links to the same target, that of the first batch is kept, so structural links are never marked nofollow.
    first = np.unique(sources * count + targets, return_index=True)[1]
    first = first[sources[first] != targets[first]]
    shuffle = rng.integers(0, 1 << 20, len(first))
    first = first[np.argsort((sources[first] * 8 + places[first]) << 20 | shuffle)]
    nofollow = needless[first] & (rng.random(len(first)) < _REL_NOFOLLOW)
    starts = np.searchsorted(sources[first], np.arange(count + 1))
    return Links(starts, targets[first].astype(np.int32), places[first], nofollow)


def _with_copies(links: Links, pages: PageTable, hosts: list[SimulatedHost]) -> Links:
    """Give near-duplicates and mirrors the links of their originals; a mirror's links inside its host stay inside."""
    source = np.where(pages.original >= 0, pages.original, np.arange(pages.count))
    source = source[source]
    lengths = np.diff(links.starts)[source]
    starts = np.concatenate([[0], np.cumsum(lengths)])
    places = np.repeat(links.starts[source] - starts[:-1], lengths) + np.arange(starts[-1])
    targets = links.targets[places].astype(np.int64)
    for host in hosts:
        if host.mirror_of >= 0:
            original = hosts[host.mirror_of]
            part = targets[starts[host.first] : starts[host.end]]
            inside = (part >= original.first) & (part < original.end)
            part[inside] += host.first - original.first
    return Links(starts, targets.astype(np.int32), links.places[places], links.nofollow[places])
