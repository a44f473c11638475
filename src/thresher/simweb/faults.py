"""Faults of pages: redirects, errors, copies, robots.txt and meta robots, and busy answers."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from thresher.simweb.hosts import HostRole, SimulatedHost
from thresher.simweb.pages import Flag, PageKind, PageTable
from thresher.simweb.parameters import WebParameters

_REDIRECT_STATUSES: Final = (301, 301, 301, 302, 302, 303, 307, 308)
_LASTING_ERRORS: Final = (404, 404, 404, 404, 410, 410, 403)
_ERRORS: Final = (*_LASTING_ERRORS, 500, 500)
_LOOPS: Final = 0.1
_CHAINS: Final = 0.3
_ELSEWHERE: Final = 0.2
_MOST_HOPS: Final = 4


def plan_faults(parameters: WebParameters, hosts: list[SimulatedHost], pages: PageTable) -> None:
    """Fill in the columns `flags`, `status`, `to` and `original`, and copy the hosts that have mirrors."""
    rng = np.random.default_rng([parameters.seed, 5])
    if parameters.profile == "clean":
        return
    _flag(rng, hosts, pages)
    errors = np.flatnonzero(pages.is_kind(PageKind.ERROR))
    pages.status[errors] = rng.choice(_ERRORS if parameters.timed else _LASTING_ERRORS, len(errors))
    for host in hosts:
        if host.role is not HostRole.MIRROR:
            _copy_pages(rng, host, pages)
    _redirect(rng, hosts, pages)
    for host in hosts:
        if host.role is HostRole.MIRROR:
            _mirror(host, hosts[host.mirror_of], pages)


def citable(pages: PageTable) -> NDArray[np.bool_]:
    """Return which pages any page may link to: all except members of enclaves, gates, mirrors and trap entries."""
    home = np.zeros(pages.count, bool)
    home[np.unique(pages.host, return_index=True)[1]] = True
    gates = pages.is_kind(PageKind.WELCOME) & ~home
    return np.asarray((pages.gate < 0) & ~gates & ~pages.is_kind(PageKind.MIRROR, PageKind.TRAP))


def _flag(rng: np.random.Generator, hosts: list[SimulatedHost], pages: PageTable) -> None:
    plain = pages.is_kind(PageKind.CONTENT, PageKind.NOISE)
    partial = np.array([bool(host.disallowed) for host in hosts])[pages.host]
    busy = np.array([host.busy > 0 for host in hosts])[pages.host]
    for flag, share, where in (
        (Flag.DISALLOWED, 0.15, plain & partial),
        (Flag.NOINDEX, 0.02, plain),
        (Flag.NOFOLLOW, 0.02, plain),
        (Flag.BUSY, 0.4, plain & busy),
    ):
        chosen = where & (rng.random(pages.count) < share)
        pages.flags[chosen] |= int(flag)


def _copy_pages(rng: np.random.Generator, host: SimulatedHost, pages: PageTable) -> None:
    """Make each near-duplicate of a host a copy of one of its content pages, in the same enclave if it is in one."""
    span = np.arange(host.first, host.end)
    sources = span[(pages.kind[span] == PageKind.CONTENT) & (pages.flags[span] == 0)]
    for page in span[pages.kind[span] == PageKind.NEAR_DUPLICATE].tolist():
        if not len(sources):
            pages.kind[page] = PageKind.NOISE
            pages.words[page] = 120
            continue
        original = int(rng.choice(sources))
        pages.original[page] = original
        for column in (pages.topic, pages.theme, pages.second, pages.strength, pages.second_strength, pages.words):
            column[page] = column[original]
        pages.title[page] = pages.title[original]
        pages.gate[page] = pages.gate[original]


def _redirect(rng: np.random.Generator, hosts: list[SimulatedHost], pages: PageTable) -> None:
    """Point redirects at pages, at earlier redirects of their host (chains), or at themselves and back (loops)."""
    redirects = np.flatnonzero(pages.is_kind(PageKind.REDIRECT))
    pages.status[redirects] = rng.choice(_REDIRECT_STATUSES, len(redirects))
    good = citable(pages) & pages.is_kind(PageKind.CONTENT, PageKind.NOISE, PageKind.WELCOME, PageKind.HUB)
    anywhere = np.flatnonzero(good)
    looping: set[int] = set()
    hops = dict.fromkeys(redirects.tolist(), 1)
    for page in redirects.tolist():
        host = hosts[int(pages.host[page])]
        previous = page - 1 if pages.kind_of(page - 1) is PageKind.REDIRECT else -1
        draw, elsewhere = rng.random(2).tolist()
        if draw < _LOOPS:
            pages.to[page] = page
            looping.add(page)
            if previous >= 0 and previous not in looping and pages.to[previous] != previous:
                pages.to[page], pages.to[previous] = previous, page
                looping.add(previous)
        elif draw < _LOOPS + _CHAINS and previous >= 0 and previous not in looping and hops[previous] < _MOST_HOPS:
            pages.to[page] = previous
            hops[page] = hops[previous] + 1
        else:
            low, high = np.searchsorted(anywhere, (host.first, host.end))
            inside = elsewhere > _ELSEWHERE and high > low
            pages.to[page] = anywhere[rng.integers(low, high) if inside else rng.integers(len(anywhere))]


def _mirror(host: SimulatedHost, original: SimulatedHost, pages: PageTable) -> None:
    """Copy a host page by page; links and redirects inside the original become ones inside the mirror."""
    here, there = slice(host.first, host.end), slice(original.first, original.end)
    shift = host.first - original.first
    for column in (
        pages.kind, pages.flags, pages.status, pages.topic, pages.theme, pages.second, pages.strength,
        pages.second_strength, pages.words, pages.popularity, pages.title,
    ):  # fmt: skip
        column[here] = column[there]
    for pointers in (pages.gate, pages.to):
        inside = (pointers[there] >= original.first) & (pointers[there] < original.end)
        pointers[here] = np.where(inside, pointers[there] + shift, pointers[there])
    good = pages.status[here] == 200
    pages.kind[here] = np.where(good, PageKind.MIRROR, pages.kind[here])
    pages.original[here] = np.where(good, np.arange(original.first, original.end), -1)
