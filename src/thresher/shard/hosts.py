"""The table of hosts: how many parallel fetches, how long to wait, when to give up.

A host is *open* when a page may be requested from it now. While it is closed, the queues that want it are parked at the
gate that closes it, the host itself or its registered domain, and woken when that gate opens.
"""

import heapq
from collections.abc import Iterable, Iterator

from thresher.reasons import NEXT_RUN, Reason
from thresher.shard.capacity import Capacity
from thresher.shard.host import Domain, Gate, Host
from thresher.shard.rules import Manners, StandingRule
from thresher.shard.standing import Standings
from thresher.store.url_records import HostRow, WaitingUrl
from thresher.web.urls import registered_domain

MAX_IDLE = 20_000
"""Maximum number of hosts without waiting URLs kept in memory; others are read from the store when needed."""


class HostTable:
    """All hosts a shard knows, with their gates.

    >>> hosts = HostTable(Manners(per_host=1))
    >>> host = hosts.get("a.test")
    >>> hosts.shut(host, now=0.0) is None
    True
    >>> hosts.start(host)
    >>> hosts.shut(host, now=0.0) is host
    True
    """

    def __init__(self, manners: Manners | None = None, standing: StandingRule | None = None) -> None:
        self.manners = manners or Manners()
        self.capacity = Capacity(self.manners)
        self.standings = Standings(standing or StandingRule())
        self._hosts: dict[str, Host] = {}
        self._domains: dict[str, Domain] = {}
        self._timers: list[tuple[float, str]] = []
        self._changed: dict[str, Host] = {}
        self._sweep_at = MAX_IDLE

    def get(self, name: str) -> Host:
        """Return a host, creating it if it is not in memory."""
        host = self._hosts.get(name)
        if host is None:
            domain_name = registered_domain(name)
            domain = self._domains.get(domain_name)
            if domain is None:
                domain = self._domains[domain_name] = Domain()
            domain.hosts += 1
            host = self._hosts[name] = Host(name, domain)
            host.delay = self.manners.delay
            self.standings.welcome(host)
        return host

    def named(self, names: Iterable[str]) -> dict[str, Host]:
        """Return hosts by name, creating those that are not in memory."""
        return {name: self.get(name) for name in names}

    def known(self, names: Iterable[str]) -> dict[str, Host]:
        """Return those of some hosts that are in memory, by name."""
        return {name: self._hosts[name] for name in names if name in self._hosts}

    def restore(self, rows: Iterable[HostRow], now: float, wall: float, *, another_run: bool = False) -> None:
        """Restore hosts from the store; a wait made absurd by a clock jump is cut to the longest delay.

        In `another_run`, hosts that were given up because they failed get a second chance.
        """
        for row in rows:
            host = self.get(row.host)
            host.fetched, host.accepted, host.failures = row.fetched, row.accepted, row.failures
            host.delay = max(host.delay, row.delay)
            host.closed = row.closed
            host.spent = row.spent
            host.missing = {page.origin: page for page in row.missing}
            self.capacity.answered(host, row.fetched > 0)
            self.standings.recall(host)
            if another_run and row.closed in NEXT_RUN:
                host.closed, host.failures = None, 0
            wait = min(max(0.0, row.free_at - wall), self.manners.max_delay)
            if wait > 0:
                self._wait(host, max(host.free_at, now + wait))

    def rest_all(self, now: float) -> None:
        """Let every host with a delay rest: a killed crawl may have asked it a moment ago."""
        for host in self._hosts.values():
            if host.delay > 0:
                self._wait(host, max(host.free_at, now + host.delay))

    def set_delay(self, host: Host, asked: float | None) -> None:
        """Set the delay of a host: ours, or what its robots.txt asks for if that is longer, up to the limit."""
        host.delay = max(self.manners.delay, min(asked or 0.0, self.manners.max_delay))

    def shut(self, host: Host, now: float) -> Gate | None:
        """Return the gate that closes a host, or None if a page may be requested now."""
        limit = 1 if host.delay > 0 else self.manners.per_host
        if host.asking or host.active >= limit or host.free_at > now or host.closed is not None:
            return host
        return host.domain if host.domain.active >= self.manners.per_domain else None

    def start(self, host: Host) -> None:
        """Count a fetch that starts."""
        host.active += 1
        host.domain.active += 1
        self.capacity.changed[host] = None

    def call_off(self, host: Host) -> None:
        """Undo a `start` whose fetch was not made."""
        host.active -= 1
        host.domain.active -= 1
        self.capacity.changed[host] = None

    def wait_for(self, host: Host, urls: int) -> None:
        """Count URLs that now wait for a host, or no longer do if `urls` is negative."""
        if not host.waiting or not host.waiting + urls:
            self.capacity.changed[host] = None
        host.waiting += urls

    def finish(
        self, host: Host, ended: float, *, blame: Reason | None = None, retry_after: float | None = None
    ) -> None:
        """Count a fetch; `ended` is when the host answered and its rest begins.

        `blame` is the reason for giving up the host if it has now failed too often in a row; after each failure the
        host rests, twice as long each time. `retry_after` is a rest the server asked for, in seconds.
        """
        self.call_off(host)
        rest = host.delay
        if blame is not None:
            host.failures += 1
            rest = max(rest, self.manners.growing(self.manners.backoff, host.failures))
            if host.failures >= self.manners.max_failures:
                host.closed = blame
        else:
            host.failures = 0
        if retry_after is not None:
            rest = max(rest, retry_after)
        if rest > 0:
            self._wait(host, max(host.free_at, ended + min(rest, self.manners.max_delay)))
        self.capacity.answered(host, blame is None)
        self.touch(host)

    def count_pages(self, host: Host, pages: int, accepted: int) -> None:
        """Count pages of a host and close the host when its quota is used up."""
        self.standings.count(host, pages, accepted)
        if self.manners.quota and host.fetched >= self.manners.quota:
            host.closed = Reason.HOST_QUOTA
        self.touch(host)

    def touch(self, host: Host) -> None:
        """Mark a host to be written with the next batch."""
        self._changed[host.name] = host

    def closed(self) -> list[Host]:
        """Return the hosts in memory that were given up."""
        return [host for host in self._hosts.values() if host.closed is not None]

    def due(self, now: float) -> list[Host]:
        """Return the hosts whose rest is over."""
        freed: list[Host] = []
        while self._timers and self._timers[0][0] <= now:
            _, name = heapq.heappop(self._timers)
            host = self._hosts.get(name)
            if host is not None and host.free_at <= now:
                self.capacity.changed[host] = None
                freed.append(host)
        return freed

    def next_due(self) -> float | None:
        """Return when the next rest is over, or None if no host rests."""
        return self._timers[0][0] if self._timers else None

    def drain(self, now: float, wall: float) -> list[HostRow]:
        """Return the rows of the hosts that changed since the last call."""
        rows = [
            HostRow(
                host=host.name,
                fetched=host.fetched,
                accepted=host.accepted,
                failures=host.failures,
                closed=host.closed,
                free_at=wall + host.free_at - now if host.free_at > now else 0.0,
                delay=host.delay,
                spent=host.spent,
                missing=tuple(host.missing.values()),
            )
            for host in self._changed.values()
        ]
        self._changed = {}
        return rows

    def forget_idle(self, now: float) -> None:
        """Drop hosts without waiting URLs once there are many; the store must have their newest rows."""
        if len(self._hosts) <= self._sweep_at:
            return
        for name, host in list(self._hosts.items()):
            if not host.waiting and not host.active and host.free_at <= now and name not in self._changed:
                del self._hosts[name]
                self.standings.forget(host)
                host.domain.hosts -= 1
                if not host.domain.hosts:
                    del self._domains[registered_domain(name)]
        # The next sweep waits until there are twice as many hosts, so sweeping costs little per host.
        self._sweep_at = max(MAX_IDLE, 2 * len(self._hosts))

    def _wait(self, host: Host, until: float) -> None:
        host.free_at = until
        self.capacity.changed[host] = None
        heapq.heappush(self._timers, (until, host.name))


class Later:
    """URLs that failed and may be tried again at a later time, on the clock's `now` scale.

    They count as waiting for their hosts.

    >>> later = Later(HostTable(Manners()))
    >>> later.keep(5.0, WaitingUrl(1, "a.test", "", (1.0,), 0, 1, 0.0))
    >>> len(later), later.next(), [row.id for row in later.due(4.0)], [row.id for row in later.due(5.0)]
    (1, 5.0, [], [1])
    """

    def __init__(self, hosts: HostTable) -> None:
        self._hosts = hosts
        self._heap: list[tuple[float, int, WaitingUrl]] = []

    def __len__(self) -> int:
        return len(self._heap)

    def keep(self, at: float, waiting: WaitingUrl) -> None:
        """Keep a URL until a time."""
        self._hosts.wait_for(self._hosts.get(waiting.host), 1)
        heapq.heappush(self._heap, (at, waiting.order, waiting))

    def due(self, now: float) -> Iterator[WaitingUrl]:
        """Yield the URLs whose time has come."""
        while self._heap and self._heap[0][0] <= now:
            waiting = heapq.heappop(self._heap)[2]
            self._hosts.wait_for(self._hosts.get(waiting.host), -1)
            yield waiting

    def queues(self) -> list[str]:
        """Return the queue of each URL kept."""
        return [waiting.queue for _, _, waiting in self._heap]

    def next(self) -> float | None:
        """Return when the next URL is due, or None if there is none."""
        return self._heap[0][0] if self._heap else None
