"""The rules of a shard: politeness, the scope of the crawl, and limits that reveal traps."""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Final, Literal, TypeAlias

import xxhash
from msgspec import Struct

from thresher.reasons import Reason
from thresher.types import Candidate, PriceMeaning
from thresher.web.urls import MAX_HOST, host_of, registered_domain, url_id

Extent: TypeAlias = Literal["web", "domains", "hosts"]

_DAY: Final = 86_400.0
_DOUBLINGS: Final = 64
"""More would overflow."""


class Manners(Struct, frozen=True, kw_only=True):
    """The rules of politeness; delays are in seconds, a `quota` of 0 means none.

    A host with a delay is asked for one page at a time, and the delay counts from the end of its last answer. A failed
    URL is tried `max_tries` times, `retry` seconds apart and twice as long each time; a host is closed after
    `max_failures` failures in a row and rests for `backoff` seconds after the first.
    """

    per_host: int = 2
    per_domain: int = 5
    delay: float = 0.0
    max_delay: float = 60.0
    backoff: float = 2.0
    retry: float = 10.0
    max_failures: int = 3
    max_tries: int = 3
    quota: int = 0

    def growing(self, first: float, times: int) -> float:
        """Return a pause that starts at `first` and doubles each time, up to a day (or `first`, if longer).

        >>> Manners().growing(10.0, 1), Manners().growing(10.0, 3), Manners().growing(10.0, 5000)
        (10.0, 40.0, 86400.0)
        """
        return min(first * 2.0 ** min(times - 1, _DOUBLINGS), max(first, _DAY))


class TrapLimits(Struct, frozen=True, kw_only=True):
    """The limits beyond which a trap rule applies.

    `depth` limits the segments of a path, `repeats` how often one of them may occur, and `orders` how many paths of a
    host may consist of the same words. In a calendar, `months` (or ten times as many days) may be found in all,
    `walked` of them (or twice as many days) from one another, and `strange` ones more than a year ahead or `years`
    back. A domain may have `subdomains` host names, with at most `labels` labels before the domain itself. `sessions`
    is the number of addresses that must come back with a third id before the id counts as a session. A host may return
    `patience` pages without anything new, and each new page makes up for `credit` of them. After `missing_after` pages,
    a host is asked for a page that cannot exist.
    """

    depth: int = 20
    repeats: int = 3
    orders: int = 6
    walked: int = 24
    months: int = 400
    strange: int = 12
    years: int = 30
    subdomains: int = 500
    labels: int = 5
    sessions: int = 8
    patience: int = 100
    credit: int = 10
    missing_after: int = 10


class Scope(Struct, frozen=True, kw_only=True):
    """The scope of a crawl; every refusal has a reason.

    `extent` is the whole web, the registered domains of the seeds or their hosts. `max_depth` counts hops from the
    seeds (None: no limit). `exclude` are patterns with `*` and `?` for whole URLs. `max_url` is in characters.
    `removed` are the ids of URLs that a person does not want.

    >>> scope = Scope(extent="hosts", homes=frozenset({"a.test"}), max_depth=2)
    >>> scope.decide(Candidate(url="http://b.test/", priority=(1.0,)))
    <Reason.OUT_OF_SCOPE: 'out-of-scope'>
    """

    extent: Extent = "web"
    homes: frozenset[str] = frozenset()
    max_depth: int | None = None
    exclude: tuple[str, ...] = ()
    max_url: int = 1000
    removed: frozenset[int] = frozenset()

    def decide(self, candidate: Candidate) -> Reason | None:
        """Return why a candidate is out of scope, or None if it is in scope."""
        if len(candidate.url) > self.max_url:
            return Reason.URL_TOO_LONG
        # This runs for every link, and most crawls have neither a scope nor exceptions.
        if len(candidate.url) > MAX_HOST and len(host_of(candidate.url)) > MAX_HOST:
            return Reason.BAD_URL
        if self.extent != "web" and _home(host_of(candidate.url), self.extent) not in self.homes:
            return Reason.OUT_OF_SCOPE
        if self.exclude and any(fnmatchcase(candidate.url, pattern) for pattern in self.exclude):
            return Reason.OUT_OF_SCOPE
        if self.removed and url_id(candidate.url) in self.removed:
            return Reason.REMOVED
        if self.max_depth is not None and candidate.depth > self.max_depth:
            return Reason.TOO_DEEP
        return None


class StandingRule(Struct, frozen=True):
    """How much hosts count besides the scores of their pages (`standing.py`); not at all if everything is 0.

    `record` is the weight of a host's results so far, `variety` the penalty for each further page of a host, and
    `discovery` the bonus of a host that was never asked for a page.
    """

    record: float = 0.0
    variety: float = 0.0
    discovery: float = 0.0


class Share(Struct, frozen=True):
    """The part of all hosts that a shard holds: part `number`, from 0, `of` this many.

    A registered domain and all its hosts are in one part, so that the limit per domain holds.

    >>> Share(0, 2).holds("www.a.test") is Share(0, 2).holds("b.a.test") is not Share(1, 2).holds("a.test")
    True
    """

    number: int = 0
    of: int = 1

    def holds(self, host: str) -> bool:
        """Return whether a host belongs to this part."""
        return part_of(host, self.of) == self.number


class ShardRules(Struct, frozen=True, kw_only=True):
    """All rules of a shard.

    `agent` is our robots.txt token; without it, no robots.txt is requested. Without `traps`, no URL is treated as a
    trap. A queue holds `bound` URLs and may grow by `bucket` before its worst are cut. If scores are log-odds, hosts
    may have a `standing`, queues whose best scores are `within` this distance count as equally good, and a queue that
    is ahead of the others loses score by `balance` (`turns.py`). `prices` says what scores mean, None if they are just
    an order. `share` is the part of the hosts that the shard holds.
    """

    manners: Manners = Manners()
    scope: Scope = Scope()
    traps: TrapLimits | None = None
    agent: str = ""
    bound: int = 30_000
    bucket: int = 3_000
    standing: StandingRule = StandingRule()
    within: float = 0.0
    balance: float = 0.0
    prices: PriceMeaning | None = "nothing"
    share: Share = Share()


def part_of(host: str, parts: int) -> int:
    """Return the number, from 0, of the part a host belongs to."""
    return xxhash.xxh3_64_intdigest(registered_domain(host).encode()) % parts


def homes_of(urls: Iterable[str], extent: Extent) -> frozenset[str]:
    """Return the hosts or registered domains of the seeds; empty if the whole web is in scope."""
    return frozenset() if extent == "web" else frozenset(_home(host_of(url), extent) for url in urls)


def _home(host: str, extent: Extent) -> str:
    return registered_domain(host) if extent == "domains" else host
