"""Structural links: make every good page reachable from its host's home page, and every host from the first.

Inside a host, *carriers* form a tree below the home page; a carrier is a page without any fault outside of enclaves.
Gates are attached to off-topic carriers only, and members of enclaves to their gate only. Home pages are attached to
off-topic pages of earlier general hosts and directories.
"""

from typing import Final

import numpy as np

from thresher.simweb.graph import Edges, Ints, LinkPosition, Mask, at
from thresher.simweb.hosts import HostRole, SimulatedHost
from thresher.simweb.pages import Flag, PageKind, PageTable

_CHILDREN: Final = 6
_NAVIGATION: Final = 6
_GATES_AT_HOME: Final = 0.5
_FAULTY: Final = Flag.DISALLOWED | Flag.NOFOLLOW | Flag.BUSY


class Carriers:
    """The carriers of every host in order, home page first: those of host h begin at `starts[h]` of `pages`."""

    def __init__(self, pages: PageTable, hosts: list[SimulatedHost]) -> None:
        homes = np.array([host.first for host in hosts])
        mirror = np.array([host.role is HostRole.MIRROR for host in hosts])[pages.host]
        plain = pages.is_kind(PageKind.CONTENT, PageKind.NOISE, PageKind.HUB)
        plain[homes] = True
        self.mask: Mask = plain & (pages.gate < 0) & ~pages.has(_FAULTY) & ~mirror
        self.pages: Ints = np.flatnonzero(self.mask)
        self.starts: Ints = np.searchsorted(self.pages, [*homes.tolist(), pages.count])

    def any_of(self, rng: np.random.Generator, hosts: Ints) -> Ints:
        """Draw a carrier for each of the hosts."""
        low, high = self.starts[hosts], self.starts[hosts + 1]
        return self.pages[rng.integers(low, high)]


def structural_links(rng: np.random.Generator, pages: PageTable, hosts: list[SimulatedHost]) -> list[Edges]:
    """Return the trees inside hosts, the paths into enclaves, the navigation and the paths between hosts."""
    carriers = Carriers(pages, hosts)
    return [
        _tree(pages, carriers),
        *_gates(rng, pages, hosts, carriers),
        _leaves(rng, pages, hosts, carriers),
        _navigation(pages, hosts, carriers),
        *_between_hosts(rng, pages, hosts, carriers),
    ]


def _tree(pages: PageTable, carriers: Carriers) -> Edges:
    host = pages.host[carriers.pages]
    rank = np.arange(len(carriers.pages)) - carriers.starts[host]
    below = rank > 0
    parents = carriers.pages[(carriers.starts[host] + (rank - 1) // _CHILDREN)[below]]
    return at(LinkPosition.LIST, parents, carriers.pages[below])


def _gates(rng: np.random.Generator, pages: PageTable, hosts: list[SimulatedHost], carriers: Carriers) -> list[Edges]:
    homes = np.array([host.first for host in hosts])
    members = np.flatnonzero((pages.gate >= 0) & (pages.original < 0) & ~pages.is_kind(PageKind.MIRROR))
    copies = np.flatnonzero((pages.gate >= 0) & pages.is_kind(PageKind.NEAR_DUPLICATE))
    gates = np.unique(pages.gate[members]).astype(np.int64)
    neutral = carriers.pages[pages.topic[carriers.pages] < 0]
    starts = np.searchsorted(neutral, [*homes.tolist(), pages.count])
    host = pages.host[gates]
    off_topic = neutral[rng.integers(starts[host], starts[host + 1])]
    parents = np.where(rng.random(len(gates)) < _GATES_AT_HOME, homes[host], off_topic)
    gate_of = pages.gate[members].astype(np.int64)
    size_of = np.bincount(gate_of, minlength=pages.count)
    fellows = [gate_of + 1 + rng.integers(0, size_of[gate_of]) for _ in range(3)]
    return [
        at(LinkPosition.LIST, parents, gates),
        at(LinkPosition.LIST, gate_of, members),
        at(LinkPosition.LIST, pages.gate[copies].astype(np.int64), copies),
        at(LinkPosition.NAVIGATION, members, gate_of),
        *(at(LinkPosition.TEXT, members, fellow) for fellow in fellows),
    ]


def _leaves(rng: np.random.Generator, pages: PageTable, hosts: list[SimulatedHost], carriers: Carriers) -> Edges:
    """Attach everything that is not a carrier, such as faults, to some carrier of its host."""
    gates = np.zeros(pages.count, bool)
    gates[pages.gate[pages.gate >= 0]] = True
    mirror = np.array([host.role is HostRole.MIRROR for host in hosts])[pages.host]
    leaves = np.flatnonzero(~carriers.mask & (pages.gate < 0) & ~gates & ~mirror)
    return at(LinkPosition.LIST, carriers.any_of(rng, pages.host[leaves].astype(np.int64)), leaves)


def _navigation(pages: PageTable, hosts: list[SimulatedHost], carriers: Carriers) -> Edges:
    """Let each page of a host link to its home page and the first few carriers."""
    mirror = np.array([host.role is HostRole.MIRROR for host in hosts])[pages.host]
    sources = np.flatnonzero((pages.status == 200) & ~mirror & ~pages.is_kind(PageKind.NEAR_DUPLICATE))
    host = pages.host[sources]
    all_sources, all_targets = [], []
    for rank in range(_NAVIGATION):
        there = carriers.starts[host] + rank < carriers.starts[host + 1]
        all_sources.append(sources[there])
        all_targets.append(carriers.pages[(carriers.starts[host] + rank)[there]])
    return at(LinkPosition.NAVIGATION, np.concatenate(all_sources), np.concatenate(all_targets))


def _between_hosts(
    rng: np.random.Generator, pages: PageTable, hosts: list[SimulatedHost], carriers: Carriers
) -> list[Edges]:
    """Link each home page from off-topic pages: once from an earlier host, and a few times from anywhere."""
    public = np.array([host.role in (HostRole.GENERAL, HostRole.DIRECTORY) and not host.unreachable for host in hosts])
    candidates = carriers.pages
    pool = candidates[public[pages.host[candidates]] & (pages.topic[candidates] < 0)]
    homes = np.array([host.first for host in hosts[1:]], np.int64)
    earlier = pool[rng.integers(0, np.searchsorted(pool, homes))]
    again = np.repeat(homes, rng.poisson(2.5, len(homes)))
    return [
        at(LinkPosition.LIST, earlier, homes),
        at(LinkPosition.TEXT, pool[rng.integers(0, len(pool), len(again))], again),
    ]
