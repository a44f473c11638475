"""Distinguishes an outage of our own connection from failing servers.

If many hosts in a row cannot be reached, we may be offline, or somebody has set up many dead hosts. Failures are held
back, and a host that responded recently is probed to find out. If it does not respond either, no host is blamed: what
failed is queued again, and one fetch at a time tests whether the connection is back.
"""

from collections import deque

from thresher.crawl.in_flight import Arrival
from thresher.protocols import Fetcher
from thresher.reasons import Reason
from thresher.types import Answer, Candidate, Failed
from thresher.web.urls import origin_of

UNREACHED = frozenset({Reason.DNS_FAILED, Reason.CONNECT_FAILED, Reason.TIMEOUT, Reason.CONNECTION_LOST})


class Outage:
    """Watches exchanges; `hosts` is how many different hosts in a row must be out of reach, `probe` is in seconds.

    `witnesses` are origins that answered lately. A host that was connected to and then kept silent proves nothing.

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
        """Return whether we seem to be cut off."""
        return len(self._lost) >= self._hosts

    @property
    def certain(self) -> bool:
        """Return whether we are known to be cut off: no host that answered before does, or none ever has."""
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
        """Record that a witness answered: it was the others. The next doubt is looked into at once."""
        self._lost = set()
        self._confirmed = False
        self._next = 0.0

    def may_try(self, now: float) -> bool:
        """Return whether it is time for another try while we are offline; the next is a `probe` later."""
        if now < self._next:
            return False
        self._next = now + self._probe
        return True

    def next_try(self) -> float:
        """Return when the line is tried again."""
        return self._next


def is_lost(answer: Answer) -> bool:
    """Return whether an exchange ended without any answer."""
    return isinstance(answer, Failed) and answer.status is None and answer.reason in UNREACHED


class HeldBack:
    """Holds arrivals back while many hosts in a row cannot be reached, and finds out whose fault it was."""

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
        """Return, once, what was held back and turned out to be the hosts' own fault."""
        cleared, self._cleared = self._cleared, []
        return cleared

    def given_up(self, at_once: bool = False) -> list[Arrival]:
        """Return, once, what nobody is to be blamed for: there is no witness to ask, or it is asked for `at_once`."""
        if self.outage.witnesses and not at_once:
            return []
        held, self._held = self._held, []
        return held

    def may_try(self, under_way: int, now: float) -> bool:
        """Return whether one more fetch may be tried while we seem to be offline.

        What is under way is still waited for, unless there is a witness to ask.
        """
        return self.next_try(under_way) is not None and self.outage.may_try(now)

    def next_try(self, under_way: int) -> float | None:
        """Return when one more fetch may be tried while we seem to be offline; None while what is under way decides."""
        alone = not under_way or (bool(self.outage.witnesses) and not self._asking)
        return self.outage.next_try() if alone else None

    def witness(self) -> str | None:
        """Return the origin to ask, and take it that it will be; None if there is none."""
        origin = self.outage.witness()
        self._asking = self._asking or origin is not None
        return origin

    async def ask(self, origin: str) -> list[Arrival]:
        """Ask a host that answered lately for its robots file; return what may be given back if it is lost too."""
        answer = await self._fetcher.fetch(Candidate(url=f"{origin}/robots.txt", priority=()))
        self._asking = False
        if is_lost(answer) and not answer.ip:
            self.outage.confirm()
            return self.given_up(at_once=True)
        self.outage.online()
        self._cleared, self._held = self._cleared + self._held, []
        return []
