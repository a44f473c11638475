"""Outages: telling our own line from other people's servers.

When host after host cannot be reached and nothing comes in between, it is we who are offline. Then nobody is blamed:
what failed waits again, and one fetch at a time tries whether the line is back.
"""

from thresher.reasons import Reason
from thresher.types import Answer, Failed

UNREACHED = frozenset({Reason.DNS_FAILED, Reason.CONNECT_FAILED, Reason.TIMEOUT, Reason.CONNECTION_LOST})


class Outage:
    """Watches exchanges; `hosts` is how many different hosts in a row must be out of reach, `probe` is in seconds.

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

    @property
    def offline(self) -> bool:
        """Tell whether we seem to be cut off."""
        return len(self._lost) >= self._hosts

    def note(self, host: str, answer: Answer) -> bool:
        """Take note of an exchange; return whether it failed because we are offline."""
        if not isinstance(answer, Failed) or answer.status is not None or answer.reason not in UNREACHED:
            self._lost = set()
            return False
        self._lost.add(host)
        return self.offline

    def may_try(self, now: float) -> bool:
        """Tell whether it is time for another try while we are offline; the next is a `probe` later."""
        if now < self._next:
            return False
        self._next = now + self._probe
        return True

    def next_try(self) -> float:
        """Return when the line is tried again."""
        return self._next
