"""Capacity: how many fetches the hosts allow, and how many are in use.

A crawl that only takes the best pages leaves hosts idle. The share of the capacity that it uses, in pages per second,
shows how much longer it takes than the fastest possible crawl.
"""

from typing import Final

from thresher.shard.host import Domain, Host
from thresher.shard.rules import Manners

ANSWER: Final = 0.5
"""Assumed duration of a fetch, in seconds."""


class Capacity:
    """The pages per second of hosts in use, fetching or resting, and of idle hosts with waiting URLs.

    Hosts that were never asked count by the share of asked hosts that answered. Hosts that failed last time do not
    count. The idle hosts of a domain count no more than the domain's limit allows. `changed` has the hosts to
    weigh again before the next measurement.
    """

    def __init__(self, manners: Manners) -> None:
        self._per_host = manners.per_host / ANSWER
        self._per_domain = manners.per_domain / ANSWER
        self.changed: dict[Host, None] = {}
        self._used = 0.0
        self._idle = [0.0, 0.0]
        self._asked = 0
        self._answered = 0

    def answered(self, host: Host, well: bool) -> None:
        """Record that a host answered or failed."""
        if host.answers is None:
            self._asked += 1
        if well and not host.answers:
            self._answered += 1
        host.answers = host.answers or well
        self.changed[host] = None

    def measure(self, now: float) -> tuple[float, float]:
        """Return the pages per second in use, 0 only if no host is in use, and those left idle."""
        for host in self.changed:
            self._weigh(host, now)
        self.changed = {}
        new, known = self._idle
        idle = known + new * (self._answered + 1) / (self._asked + 1)
        # Adding and subtracting floats leaves rounding errors.
        return round(self._used, 9), round(idle, 9)

    def _weigh(self, host: Host, now: float) -> None:
        was_used, was_idle, was_known = host.weighed
        weight = 1 / (host.delay + ANSWER) if host.delay > 0 else self._per_host
        counts = host.closed is None and (host.active or not host.failures)
        used = weight if counts and (host.active or host.free_at > now) else 0.0
        idle = weight if counts and host.waiting and not used else 0.0
        host.weighed = (used, idle, bool(host.answers))
        self._used += used - was_used
        self._leave_idle(host.domain, was_known, -was_idle)
        self._leave_idle(host.domain, bool(host.answers), idle)

    def _leave_idle(self, domain: Domain, known: bool, more: float) -> None:
        before = min(domain.idle[known], self._per_domain)
        domain.idle[known] += more
        self._idle[known] += min(domain.idle[known], self._per_domain) - before
