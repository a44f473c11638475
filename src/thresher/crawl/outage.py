"""Distinguishes an outage of our own connection from failing servers.

If many hosts in a row cannot be reached, we may be offline, or somebody has set up many dead hosts. Failures are held
back, and a host that responded recently is probed to find out. If it does not respond either, no host is blamed: failed
URLs are queued again, and one fetch at a time tests whether the connection is back.
"""

from collections import deque

from thresher.crawl.in_flight import Arrival
from thresher.protocols import Fetcher
from thresher.reasons import Reason
from thresher.types import Answer, Candidate, Failed
from thresher.web.urls import origin_of

UNREACHED = frozenset({Reason.DNS_FAILED, Reason.CONNECT_FAILED, Reason.TIMEOUT, Reason.CONNECTION_LOST})


class Outage:
    """Watches exchanges; `hosts` unreachable hosts in a row mean an outage, `probe` is the seconds between tries.

    `witnesses` are origins that answered recently. A host that accepted a connection and then kept silent proves
    nothing.

    >>> outage = Outage(hosts=2)
    >>> lost = Failed(url="http://a.test/", reason=Reason.CONNECT_FAILED, at=0.0)
    >>> outage.note("a.test", lost), outage.note("a.test", lost), outage.note("b.test", lost)
    (False, False, True)
    """

    def __init__(self, *, hosts: int = 8, probe: float = 5.0) -> None:
        self._hosts = hosts
        self._probe = probe
        self._lost: set[str] = set()
        self._next = 0.0
        self._confirmed = False
        self.witnesses: deque[str] = deque(maxlen=8)

    @property
    def offline(self) -> bool:
        """Whether we seem to be offline."""
        return len(self._lost) >= self._hosts

    @property
    def certain(self) -> bool:
        """Whether we are certainly offline: no host that answered before does now, or none ever has."""
        return self.offline and (self._confirmed or not self.witnesses)

    def confirm(self) -> None:
        """Record that a witness cannot be reached either."""
        self._confirmed = True

    def note(self, host: str, answer: Answer) -> bool:
        """Record an exchange; return whether it may have failed because we are offline."""
        if not is_lost(answer):
            self._lost = set()
            self._confirmed = False
            origin = origin_of(answer.url)
            if origin not in self.witnesses:
                self.witnesses.append(origin)
            return False
        if not answer.ip:
            self._lost.add(host)
        return self.offline and not answer.ip

    def witness(self) -> str | None:
        """Return the origin to ask next whether we are offline, or None if none has answered yet."""
        self.witnesses.rotate(-1)
        return self.witnesses[-1] if self.witnesses else None

    def online(self) -> None:
        """Record that a witness answered: the other hosts were at fault. The next doubt is checked at once."""
        self._lost = set()
        self._confirmed = False
        self._next = 0.0

    def may_try(self, now: float) -> bool:
        """Return whether it is time for another try while offline; the next one is `probe` seconds later."""
        if now < self._next:
            return False
        self._next = now + self._probe
        return True

    def next_try(self) -> float:
        """Return when the connection is tried again."""
        return self._next


def is_lost(answer: Answer) -> bool:
    """Return whether an exchange ended without any answer."""
    return isinstance(answer, Failed) and answer.status is None and answer.reason in UNREACHED


class HeldBack:
    """Holds arrivals back while many hosts in a row cannot be reached, and finds out who is at fault."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self._held: list[Arrival] = []
        self._cleared: list[Arrival] = []
        self._asking = False
        self.outage = Outage()

    def __bool__(self) -> bool:
        return bool(self._held or self._cleared)

    def holds(self, arrival: Arrival) -> bool:
        """Record an arrival; return True if it is held back for now."""
        held = self.outage.note(arrival.errand.host, arrival.answer)
        if held:
            self._held.append(arrival)
        return held

    def cleared(self) -> list[Arrival]:
        """Return, once, the arrivals held back whose hosts turned out to be at fault."""
        cleared, self._cleared = self._cleared, []
        return cleared

    def given_up(self, at_once: bool = False) -> list[Arrival]:
        """Return, once, the arrivals no host is to be blamed for, if there is no witness to ask or if `at_once`."""
        if self.outage.witnesses and not at_once:
            return []
        held, self._held = self._held, []
        return held

    def may_try(self, under_way: int, now: float) -> bool:
        """Return whether one more fetch may be tried while we seem to be offline.

        Fetches in progress are waited for first, unless there is a witness to ask.
        """
        return self.next_try(under_way) is not None and self.outage.may_try(now)

    def next_try(self, under_way: int) -> float | None:
        """Return when one more fetch may be tried while we seem to be offline; None while current fetches decide."""
        alone = not under_way or (bool(self.outage.witnesses) and not self._asking)
        return self.outage.next_try() if alone else None

    def witness(self) -> str | None:
        """Return the origin to ask and record that it is being asked; None if there is none."""
        origin = self.outage.witness()
        self._asking = self._asking or origin is not None
        return origin

    async def ask(self, origin: str) -> list[Arrival]:
        """Ask a recently responsive host for its robots.txt; return the arrivals to give back if it fails too."""
        answer = await self._fetcher.fetch(Candidate(url=f"{origin}/robots.txt", priority=()))
        self._asking = False
        if is_lost(answer) and not answer.ip:
            self.outage.confirm()
            return self.given_up(at_once=True)
        self.outage.online()
        self._cleared, self._held = self._cleared + self._held, []
        return []
