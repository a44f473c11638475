"""Detects crawler traps (endless URLs) by their shape and by what the host has returned so far.

All rules remember a bounded number of things; a refusal names the rule. They check URLs when links are offered, and
learn from pages when they arrive.
"""

import re
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

import xxhash

from thresher.reasons import Reason
from thresher.shard.host import Host
from thresher.shard.rules import TrapLimits
from thresher.web.session_ids import looks_random
from thresher.web.url_dates import UrlDate, date_in
from thresher.web.urls import host_of, origin_of, registered_domain

_SEGMENT: Final = re.compile(r"/([^/]+)")
# One to four path segments, three times in a row.
_ECHO: Final = re.compile(r"((?:/[^/]+){1,4})\1\1(?=/|$)")
_SHALLOW: Final = 3


class Traps:
    """Decides about URLs and hosts; `wall` is the time (seconds since the epoch) by which calendars are judged.

    `room` limits what each rule remembers; the oldest is forgotten first.

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
        self._placed = ""

    def decide(self, url: str, parent: str | None = None) -> Reason | None:
        """Return why a canonical URL must not be fetched, or None if it may; `parent` is where it was found.

        Asking again about the same URL counts nothing twice.
        """
        host = host_of(url)
        path, _, query = url[len(origin_of(url)) :].partition("?")
        # The links of a page often lead to one host.
        if host != self._placed:
            if not self._has_place(host):
                return Reason.TRAP_SUBDOMAINS
            self._placed = host
        parts = _SEGMENT.findall(path)
        if self._repeats(path, parts, query):
            return Reason.TRAP_REPEATED_PATH
        if len(parts) > self.limits.depth or not self._is_new_order(host, path, parts):
            return Reason.TRAP_GROWING_PATH
        date = date_in(url)
        if date is not None and not self._is_open_date(date, parent):
            return Reason.TRAP_CALENDAR
        return Reason.TRAP_SESSION if "=" in query and self._is_session(host, path, query) else None

    def count_pages(self, host: Host, new: int, old: int) -> None:
        """Record pages with `new` and `old` text; close a host that returns nothing new."""
        host.spent = max(0, host.spent - self.limits.credit * new) + old
        if host.spent >= self.limits.patience and host.closed is None:
            host.closed = Reason.HOST_YIELD

    def grown(self) -> bool:
        """Return whether enough was learned since the last `saved` to save it again: an eighth more.

        So the amount written stays in proportion to what is learned, and a kill loses little.
        """
        return self._learnt() > self._kept + self._kept // 8

    def saved(self) -> list[dict[int, list[int]]]:
        """Return everything learned about URLs."""
        self._kept = self._learnt()
        return [rule.saved() for rule in self._rules]

    def restore(self, saved: Sequence[Mapping[int, list[int]]]) -> None:
        """Restore what `saved` returned."""
        for rule, things in zip(self._rules, saved, strict=False):
            rule.restore(things)

    def _learnt(self) -> int:
        return sum(rule.learnt for rule in self._rules)

    def _has_place(self, host: str) -> bool:
        """Return whether a domain may have this host name."""
        domain = registered_domain(host)
        if domain == host:
            return True
        labels = host[: -len(domain) - 1].split(".")
        if len(labels) > self.limits.labels or len(labels) - len(set(labels)) > 1:
            return False
        return self._hosts.add(domain, host, self.limits.subdomains)

    def _repeats(self, path: str, parts: list[str], query: str) -> bool:
        """Return whether a URL repeats itself; numbers may, since dates and page numbers do."""
        words = [part for part in parts if not part.isdigit()]
        if len(words) > self.limits.repeats and max(Counter(words).values()) > self.limits.repeats:
            return True
        if len(words) > _SHALLOW - 1 and (echo := _ECHO.search(path)) and not echo[1].replace("/", "").isdigit():
            return True
        pairs = query.split("&")
        return len(pairs) - len(set(pairs)) >= self.limits.repeats

    def _is_new_order(self, host: str, path: str, parts: list[str]) -> bool:
        """Return whether the words of a deep path may be combined like this; numbers count by position."""
        if len(parts) < _SHALLOW:
            return True
        words = sorted({part for part in parts if not part.isdigit()})
        numbers = [part for part in parts if part.isdigit()]
        return self._orders.add("\n".join((host, *words, "", *numbers)), path, self.limits.orders)

    def _is_open_date(self, date: UrlDate, parent: str | None) -> bool:
        """Return whether a calendar may have another date."""
        limits = self.limits
        text = f"{date.year}-{date.month}-{date.day}"
        if not self._dates.add("any " + date.shape, text, limits.months * (10 if date.day else 1)):
            return False
        before = date_in(parent) if parent is not None else None
        if before is None or before.shape != date.shape:
            return True
        # An archive lists its months in one place; a calendar leads from each month to the next.
        if self._month is not None and not -12 * limits.years <= date.months - self._month <= 12:
            return self._dates.add("strange " + date.shape, text, limits.strange)
        return self._dates.add("walked " + date.shape, text, limits.walked * (2 if date.day else 1))

    def _is_session(self, host: str, path: str, query: str) -> bool:
        """Return whether a parameter is a session: many URLs of the host came back with a third random value."""
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


class BoundedSets:
    """Distinct things by key; `room` limits the total number, and the least recently seen keys are forgotten first.

    Keys and things are remembered by hash. They are kept in two generations: when the young one fills half of the room,
    the old one is forgotten. `learnt` counts the things under keys with more than one.

    >>> months = BoundedSets(100)
    >>> [months.add("a.test", month, limit=2) for month in ("May", "June", "May", "July")]
    [True, True, True, False]
    """

    def __init__(self, room: int) -> None:
        self._half = max(1, room // 2)
        # Most keys only ever have one thing, and a number is much smaller than a set.
        self._young: dict[int, int | set[int]] = {}
        self._old: dict[int, int | set[int]] = {}
        self._weight = 0
        self.learnt = 0

    def add(self, key: str, thing: str, limit: int) -> bool:
        """Remember a thing; return False if the key already has its `limit` of other things."""
        place, number = _number(key), _number(thing)
        known = self._find(place)
        if known is None:
            self._put(place, number, 1)
            return True
        if known == number or (isinstance(known, set) and number in known):
            return True
        size = len(known) if isinstance(known, set) else 1
        if size >= limit:
            return False
        if isinstance(known, set):
            known.add(number)
        else:
            known = {known, number}
            self.learnt += 1
        self.learnt += 1
        self._put(place, known, 1)
        return True

    def count(self, key: str) -> int:
        """Return how many things are remembered under a key."""
        known = self._find(_number(key))
        return len(known) if isinstance(known, set) else int(known is not None)

    def saved(self) -> dict[int, list[int]]:
        """Return the keys with more than one thing, oldest first; a single thing has not decided anything yet."""
        both = (*self._old.items(), *self._young.items())
        return {key: sorted(things) for key, things in both if isinstance(things, set)}

    def restore(self, saved: Mapping[int, list[int]]) -> None:
        """Restore what `saved` returned."""
        for key, things in saved.items():
            self._put(key, set(things), len(things))

    def _find(self, place: int) -> int | set[int] | None:
        if place not in self._young and place in self._old:
            known = self._old.pop(place)
            self._put(place, known, len(known) if isinstance(known, set) else 1)
        return self._young.get(place)

    def _put(self, place: int, things: int | set[int], grown: int) -> None:
        """Store things that weigh `grown` more than before."""
        if self._weight >= self._half:
            self._old, self._young, self._weight = self._young, {}, 0
        self._weight += grown
        self._young[place] = things


def _number(text: str) -> int:
    return xxhash.xxh3_64_intdigest(text.encode())
