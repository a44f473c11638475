"""The standing of a host: what its record adds to its pages' scores, and how much less each further page is worth.

    standing = record · (log-odds that its pages are accepted − those of all pages) − variety · log(1 + pages / 5)

A host that has not been asked for a page yet has no record. Its first page also shows whether it has more pages of this
kind, so it gets the bonus `discovery` instead.

All of these are log-odds, like the scores of the default strategy. How soon a record counts depends on the web. If each
host is about one subject, a page or two predict the next; if hosts have pages of all kinds, many pages say little. So
the log-odds of a host are shrunk towards those of all pages, as if by 1/r − 1 further pages, where r is the correlation
of pages within hosts (a beta-binomial model).
"""

from math import log
from typing import Final

from thresher.shard.host import Host
from thresher.shard.rules import StandingRule

FEW: Final = 5
"""Number of pages of a host that hardly count against it."""

USUAL: Final = 0.3
"""Prior correlation of the pages of a host, averaged with what is known."""

KNOWN: Final = 4.0
"""Weight of that prior, in hosts."""

_BOUNDS: Final = (0.02, 0.8)
_SURE: Final = 0.98


class Standings:
    """Computes the standing of hosts.

    >>> from thresher.shard.hosts import HostTable
    >>> standings, good, bad = Standings(StandingRule(record=1.0)), HostTable().get("a.test"), HostTable().get("b.test")
    >>> for host, accepted in [(good, 1), (bad, 0)] * 10:
    ...     standings.count(host, 1, accepted)
    >>> good.standing > 0 > bad.standing
    True
    """

    def __init__(self, rule: StandingRule) -> None:
        self._rule = rule
        self._pages = 0
        self._accepted = 0
        self._alike = 0.0
        self._hosts = 0

    def recall(self, host: Host) -> None:
        """Count a host loaded from the store, with its pages."""
        self._weigh(host, 1)
        host.standing = 0.0
        self.set(host)

    def forget(self, host: Host) -> None:
        """Stop counting a host that is dropped from memory."""
        self._weigh(host, -1)

    def count(self, host: Host, pages: int, accepted: int) -> None:
        """Count pages of a host and how many of them were accepted, and update its standing."""
        self._weigh(host, -1)
        host.fetched += pages
        host.accepted += accepted
        self._weigh(host, 1)
        self.set(host)

    def welcome(self, host: Host) -> None:
        """Set the standing of a host that was never asked for a page."""
        host.standing = self._rule.discovery

    def asked(self, host: Host) -> None:
        """Take back the bonus for being new."""
        if not host.fetched:
            host.standing = 0.0

    def set(self, host: Host) -> None:
        """Set the standing of a host from its pages."""
        rule, pages = self._rule, host.fetched
        if not pages or not (rule.record or rule.variety):
            return
        mean = (self._accepted + 1) / (self._pages + 2)
        drawn = 1 / self._correlation(mean) - 1
        own = (host.accepted + drawn * mean) / (pages + drawn)
        host.standing = rule.record * (_log_odds(own) - _log_odds(mean)) - rule.variety * log(1 + pages / FEW)

    def _weigh(self, host: Host, sign: int) -> None:
        """Add a host to the statistics of pages and of pairs of pages on one host; a `sign` of -1 removes it."""
        pages, accepted = host.fetched, host.accepted
        if pages:
            self._pages += sign * pages
            self._accepted += sign * accepted
        if pages > 1:
            rejected = pages - accepted
            alike = accepted * (accepted - 1) + rejected * (rejected - 1)
            self._alike += sign * alike / (pages * (pages - 1))
            self._hosts += sign

    def _correlation(self, mean: float) -> float:
        """Return the correlation of pages on one host: 0 if they are like any two pages, 1 if they are all the same."""
        chance = mean * mean + (1 - mean) * (1 - mean)
        seen = (self._alike - self._hosts * chance) / (1 - chance)
        least, most = _BOUNDS
        return min(most, max(least, (seen + KNOWN * USUAL) / (self._hosts + KNOWN)))


def _log_odds(share: float) -> float:
    bounded = min(_SURE, max(1 - _SURE, share))
    return log(bounded / (1 - bounded))
