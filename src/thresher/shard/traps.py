"""Traps: addresses without end, told from a site's real pages by their shape and by what the host has given so far.

All rules are pure and remember a bounded number of things; a refusal names the rule. They are asked about addresses
when links are offered, and told of pages when these arrive.
"""

import re
import time
from collections import Counter
from typing import Final

import msgspec
from msgspec import Struct

from thresher.reasons import Reason
from thresher.shard.bounded_sets import BoundedSets
from thresher.shard.hosts import Host
from thresher.web.session_ids import looks_random
from thresher.web.url_dates import UrlDate, date_in
from thresher.web.urls import host_of, origin_of, registered_domain


class TrapLimits(Struct, frozen=True, kw_only=True):
    """How much is let through before a rule bites.

    `depth` counts the parts of a path and `repeats` how often one of them may occur; `orders` how many paths of a host
    may be made of the same words. Of a calendar, `months` (or ten times as many days) may be found in all, `walked` of
    them (or twice as many days) from one another, and a `strange` number where they lie more than a year ahead or
    `years` back. A domain may have `subdomains` host names, of at most `labels` labels before the domain's own;
    `sessions` is the number of addresses that must come back with a third id before the id is held to be a session's. A
    host may give `patience` pages without anything new, and each new page makes up for `credit` of them. After
    `missing_after` pages a host is asked for one that cannot exist.
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


_SEGMENT: Final = re.compile(r"/([^/]+)")
# One to four parts of a path, three times in a row.
_ECHO: Final = re.compile(r"((?:/[^/]+){1,4})\1\1(?=/|$)")
_SHALLOW: Final = 3


class Traps:
    """Decides about addresses and hosts; `wall` is the time (seconds since the epoch) calendars are judged by.

    `room` bounds what each rule remembers; what is forgotten first is what was met longest ago.

    >>> traps = Traps()
    >>> traps.decide("http://a.test/x/y/x/y/x/y").value, traps.decide("http://a.test/x/y")
    ('trap-repeated-path', None)
    """

    def __init__(self, limits: TrapLimits | None = None, *, wall: float | None = None, room: int = 50_000) -> None:
        self.limits = limits or TrapLimits()
        now = time.gmtime(wall) if wall is not None else None
        self._month = now.tm_year * 12 + now.tm_mon - 1 if now else None
        self._orders = BoundedSets(room)
        self._dates = BoundedSets(room)
        self._hosts = BoundedSets(room)
        self._values = BoundedSets(room)
        self._unstable = BoundedSets(room)
        self._rules = (self._orders, self._dates, self._hosts, self._values, self._unstable)
        self._kept = 0

    def decide(self, url: str, parent: str | None = None) -> Reason | None:
        """Return why a canonical URL is not to be fetched, None where it is welcome; `parent` is where it was found.

        Asking again about an address counts nothing twice.
        """
        host = host_of(url)
        path, _, query = url[len(origin_of(url)) :].partition("?")
        if not self._has_place(host):
            return Reason.TRAP_SUBDOMAINS
        parts = _SEGMENT.findall(path)
        if self._repeats(path, parts, query):
            return Reason.TRAP_REPEATED_PATH
        if len(parts) > self.limits.depth or not self._is_new_order(host, path, parts):
            return Reason.TRAP_GROWING_PATH
        date = date_in(url)
        if date is not None and not self._is_open_date(date, parent):
            return Reason.TRAP_CALENDAR
        return Reason.TRAP_SESSION if "=" in query and self._is_session(host, path, query) else None

    def count_page(self, host: Host, new: bool) -> None:
        """Take note of a page that arrived, and whether its text was new; close a host that has nothing new to give."""
        host.spent = max(0, host.spent + (-self.limits.credit if new else 1))
        if host.spent >= self.limits.patience and host.closed is None:
            host.closed = Reason.HOST_YIELD

    def memory(self) -> bytes | None:
        """Return all that was learnt of addresses, or None where it has grown by less than an eighth since last time.

        So what is written stays in proportion to what is learnt, and a kill costs little of it.
        """
        learnt = sum(rule.learnt for rule in self._rules)
        if learnt <= self._kept + self._kept // 8:
            return None
        self._kept = learnt
        return msgspec.msgpack.encode([rule.saved() for rule in self._rules])

    def restore(self, memory: bytes) -> None:
        """Take back what `memory` returned; what another version wrote is learnt anew."""
        try:
            saved = msgspec.msgpack.decode(memory, type=list[dict[int, list[int]]])
        except msgspec.DecodeError:
            return
        for rule, things in zip(self._rules, saved, strict=False):
            rule.restore(things)

    def _has_place(self, host: str) -> bool:
        """Tell whether a domain may have this host name."""
        domain = registered_domain(host)
        if domain == host:
            return True
        labels = host[: -len(domain) - 1].split(".")
        if len(labels) > self.limits.labels or len(labels) - len(set(labels)) > 1:
            return False
        return self._hosts.add(domain, host, self.limits.subdomains)

    def _repeats(self, path: str, parts: list[str], query: str) -> bool:
        """Tell whether an address repeats itself; numbers may, for dates and pages do."""
        words = [part for part in parts if not part.isdigit()]
        if len(words) > self.limits.repeats and max(Counter(words).values()) > self.limits.repeats:
            return True
        if len(words) > _SHALLOW - 1 and (echo := _ECHO.search(path)) and not echo[1].replace("/", "").isdigit():
            return True
        pairs = query.split("&")
        return len(pairs) - len(set(pairs)) >= self.limits.repeats

    def _is_new_order(self, host: str, path: str, parts: list[str]) -> bool:
        """Tell whether the words of a deep path may be combined like this: numbers count by their place."""
        if len(parts) < _SHALLOW:
            return True
        words = sorted({part for part in parts if not part.isdigit()})
        numbers = [part for part in parts if part.isdigit()]
        return self._orders.add("\n".join((host, *words, "", *numbers)), path, self.limits.orders)

    def _is_open_date(self, date: UrlDate, parent: str | None) -> bool:
        """Tell whether a calendar may have another date."""
        limits = self.limits
        text = f"{date.year}-{date.month}-{date.day}"
        if not self._dates.add("any " + date.shape, text, limits.months * (10 if date.day else 1)):
            return False
        before = date_in(parent) if parent is not None else None
        if before is None or before.shape != date.shape:
            return True
        # An archive lists its months in one place; a calendar leads from each to the next.
        if self._month is not None and not -12 * limits.years <= date.months - self._month <= 12:
            return self._dates.add("strange " + date.shape, text, limits.strange)
        return self._dates.add("walked " + date.shape, text, limits.walked * (2 if date.day else 1))

    def _is_session(self, host: str, path: str, query: str) -> bool:
        """Tell whether a parameter is a session: many addresses of the host came back with a third random value."""
        pairs = query.split("&")
        for pair in pairs:
            name, _, value = pair.partition("=")
            if not looks_random(value):
                continue
            rest = path + "&".join(other for other in pairs if other is not pair)
            if self._values.add(f"{host} {name} {rest}", value, 2):
                continue
            self._unstable.add(f"{host} {name}", rest, self.limits.sessions)
            if self._unstable.count(f"{host} {name}") >= self.limits.sessions:
                return True
        return False
