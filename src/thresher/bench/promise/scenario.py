"""The scenario of a trial: the web of a cell, with response times, and the bookmarks."""

from collections.abc import Mapping, Sequence
from math import exp, log
from random import Random
from typing import Final

from msgspec import Struct

from thresher.bench.answering import hosts_of, network_of
from thresher.bench.distant_hosts import USUAL, DistantFetcher, HostProfile
from thresher.bench.page_cache import PageCache
from thresher.bench.promise.bookmarks import draw_bookmarks
from thresher.bench.promise.cells import Cell
from thresher.bench.webs.web import BenchWeb
from thresher.errors import InputError
from thresher.protocols import Clock, Fetcher
from thresher.taxonomy.from_bookmarks import from_bookmarks
from thresher.web.urls import host_of

FASTEST, SLOWEST = 0.1, 60.0
"""Bounds of random delays, in seconds."""

SLOW: Final = HostProfile(latency=10.0, delay=60.0)


class Scenario(Struct, frozen=True, eq=False):
    """The input of a run: a web with its pages, its hosts with their properties, and a bookmark file.

    The folders of the file are named after topics of the web.
    """

    web: BenchWeb
    pages: PageCache
    hosts: Mapping[str, HostProfile]
    bookmarks: bytes

    def fetcher(self, clock: Clock) -> Fetcher:
        """Return a fetcher for the web, with the delay of each host."""
        return DistantFetcher(network_of(self.web, clock), self.hosts, clock)


def scenario_of(cell: Cell, web: BenchWeb, pages: PageCache, seed: int) -> Scenario:
    """Return the scenario of a cell for a seed."""
    bookmarks = bookmarks_of(cell, web, seed)
    home = frozenset(host_of(url) for url, _ in from_bookmarks(bookmarks).taxonomy.start_urls())
    return Scenario(web, pages, hosts_in(cell, web, web.named(cell.topics), home, seed), bookmarks)


def bookmarks_of(cell: Cell, web: BenchWeb, seed: int) -> bytes:
    """Return the bookmark file of a cell; raises InputError if the web has none of that name."""
    if not cell.bookmarks:
        topics = web.named(cell.topics)
        return draw_bookmarks(web, topics, cell.examples, cell.spread, seed, wrong=cell.wrong, dead=cell.dead)
    if cell.bookmarks not in web.bookmarks:
        known = ", ".join(web.bookmarks) or "none"
        raise InputError(f"'{web.name}' has no bookmarks '{cell.bookmarks}'.", f"There are: {known}.")
    return web.bookmarks[cell.bookmarks]


def hosts_in(
    cell: Cell, web: BenchWeb, topics: Sequence[str], home: frozenset[str], seed: int
) -> dict[str, HostProfile]:
    """Return the hosts of a web with the properties given by a cell; `home` are those with a bookmark."""
    hosts = dict.fromkeys(sorted(hosts_of(web)), USUAL)
    if cell.delays == "drawn":
        hosts = {name: HostProfile(delay=_delay(f"{name}/delay/{seed}")) for name in hosts}
    elif not isinstance(cell.delays, str):
        hosts = dict.fromkeys(hosts, HostProfile(delay=cell.delays))
    if cell.best != "usual":
        hosts[best_host(web, topics, home)] = SLOW if cell.best == "slow" else HostProfile(down=True)
    return hosts


def best_host(web: BenchWeb, topics: Sequence[str], home: frozenset[str]) -> str:
    """Return the host without a bookmark that has most on-topic pages; one with a bookmark if there is no other."""
    counts = dict.fromkeys(sorted(hosts_of(web)), 0)
    for url, labels in web.labels.items():
        if url in web.served and set(labels) & set(topics):
            counts[host_of(url)] += 1
    return max(counts, key=lambda name: (name not in home and counts[name] > 0, counts[name]))


def _delay(lot: str) -> float:
    return round(exp(Random(lot).uniform(log(FASTEST), log(SLOWEST))), 1)
