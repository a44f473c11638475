"""How hosts behave: their robots.txt files, delays, hangs, traps and encodings.

Every behaviour of a profile applies to a fixed share of the hosts and to at least one, so a web of thirty hosts shows
all of them. Start hosts, mirrors and mirrored hosts behave well.
"""

from typing import Final

import numpy as np
from msgspec.structs import replace

from thresher.simweb.hosts import START_HOSTS, HostRole, SimulatedHost
from thresher.simweb.parameters import WebParameters

TRAPS: Final = ("calendar", "session", "growing")
_DIRECTORIES: Final = ("/private/", "/cgi-bin/", "/members/", "/intern/")
_MOST_PAGES_WITH_DELAY: Final = 25


def behave(parameters: WebParameters, hosts: list[SimulatedHost]) -> list[SimulatedHost]:
    """Return the hosts with the behaviour of the profile; with `clean`, all behave well."""
    if parameters.profile == "clean":
        return hosts
    rng = np.random.default_rng([parameters.seed, 3])
    hosts = [_encoded(rng, host) for host in hosts]
    mirrored = {host.mirror_of for host in hosts}
    open_to_faults = [
        number
        for number, host in enumerate(hosts)
        if number >= START_HOSTS and number not in mirrored and host.role is not HostRole.MIRROR
    ]
    hosts = _with_robots(rng, hosts, open_to_faults, parameters.timed)
    if parameters.timed:
        hosts = _with_faults(rng, hosts, open_to_faults)
    return [_like_original(host, hosts) for host in hosts]


def _encoded(rng: np.random.Generator, host: SimulatedHost) -> SimulatedHost:
    latin, in_meta = rng.random(2).tolist()
    charset = "iso-8859-1" if latin < (0.4 if host.role is HostRole.FOREIGN else 0.1) else "utf-8"
    return replace(host, charset=charset, charset_in_meta=in_meta < 0.4)


def _with_robots(
    rng: np.random.Generator, hosts: list[SimulatedHost], eligible: list[int], timed: bool
) -> list[SimulatedHost]:
    """Assign robots.txt files: a third is missing, a third allows everything, and the rest has rules."""
    result = [
        replace(host, robots="open" if draw < 0.5 else "missing")
        for host, draw in zip(hosts, rng.random(len(hosts)).tolist(), strict=True)
    ]
    waiting = rng.permutation(eligible).tolist()
    for kind, share in (("partial", 0.18), ("broken", 0.06)):
        for number in _take(waiting, share, len(hosts)):
            directory = _DIRECTORIES[int(rng.integers(len(_DIRECTORIES)))]
            result[number] = replace(result[number], robots=kind, disallowed=directory)
    small = [number for number in waiting if hosts[number].size <= _MOST_PAGES_WITH_DELAY]
    longest = 1.5 if timed else 0.3
    for number in _take(small, 0.08, len(hosts)):
        delay = round(float(rng.uniform(longest / 3, longest)), 1)
        result[number] = replace(result[number], robots="delay", crawl_delay=delay)
    return result


def _with_faults(rng: np.random.Generator, hosts: list[SimulatedHost], eligible: list[int]) -> list[SimulatedHost]:
    """Make some hosts slow, silent, busy, endless, without real 404s or without a readable robots.txt."""
    result = list(hosts)
    plain = [number for number in rng.permutation(eligible).tolist() if hosts[number].robots in ("open", "missing")]
    middle = sorted(host.size for host in hosts)[len(hosts) // 2]
    small = [number for number in plain if hosts[number].size <= middle]
    for number in _take(small, 0.01, len(hosts)):
        result[number] = replace(result[number], hangs=True)
    for number in _take(small, 0.015, len(hosts)):
        result[number] = replace(result[number], robots="error")
    for number in _take(small, 0.03, len(hosts)):
        result[number] = replace(result[number], delay=round(float(rng.uniform(0.3, 1.5)), 2))
    rest = [number for number in plain if result[number] == hosts[number]]
    for trap in TRAPS:
        for number in _take(rest, 0.015, len(hosts)):
            result[number] = replace(result[number], trap=trap)
    for number in _take(rest, 0.06, len(hosts)):
        result[number] = replace(result[number], busy=429 if rng.random() < 0.25 else 503)
    large = sorted(rest, key=lambda number: -hosts[number].size)
    for number in _take(large, 0.03, len(hosts)):
        result[number] = replace(result[number], soft_404=True)
    return result


def _take(waiting: list[int], share: float, hosts: int) -> list[int]:
    """Take a share of all hosts, at least one, from those not yet chosen."""
    count = max(1, round(share * hosts))
    taken = waiting[:count]
    del waiting[:count]
    return taken


def _like_original(host: SimulatedHost, hosts: list[SimulatedHost]) -> SimulatedHost:
    if host.mirror_of < 0:
        return host
    original = hosts[host.mirror_of]
    return replace(
        host,
        robots=original.robots,
        disallowed=original.disallowed,
        charset=original.charset,
        charset_in_meta=original.charset_in_meta,
    )
