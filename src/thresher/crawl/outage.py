"""Outages: telling our own line from other people's servers.

When host after host cannot be reached and nothing comes in between, it may be that we are offline; or that somebody
has set up many dead hosts. A host that answered lately is asked which it is. If it does not answer either, nobody is
blamed: what failed waits again, and one fetch at a time tries whether the line is back.
"""

from collections import deque

from thresher.reasons import Reason
from thresher.types import Answer, Failed
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
        self.witnesses: deque[str] = deque(maxlen=8)

    @property
    def offline(self) -> bool:
        """Tell whether we seem to be cut off."""
        return len(self._lost) >= self._hosts

    def note(self, host: str, answer: Answer) -> bool:
        """Take note of an exchange; return whether it may have failed because we are offline."""
        if not is_lost(answer):
            self._lost = set()
            origin = origin_of(answer.url)
            if origin not in self.witnesses:
                self.witnesses.append(origin)
            return False
        if not answer.ip:
            self._lost.add(host)
        return self.offline and not answer.ip

    def witness(self) -> str | None:
        """Return the origin to ask next whether we are offline, or None where none has answered yet."""
        self.witnesses.rotate(-1)
        return self.witnesses[-1] if self.witnesses else None

    def online(self) -> None:
        """Take note that a witness answered: it was the others. The next doubt is looked into at once."""
        self._lost = set()
        self._next = 0.0

    def may_try(self, now: float) -> bool:
        """Tell whether it is time for another try while we are offline; the next is a `probe` later."""
        if now < self._next:
            return False
        self._next = now + self._probe
        return True

    def next_try(self) -> float:
        """Return when the line is tried again."""
        return self._next


def is_lost(answer: Answer) -> bool:
    """Tell whether an exchange ended without any answer."""
    return isinstance(answer, Failed) and answer.status is None and answer.reason in UNREACHED
