"""Traps: addresses without end, told from a site's real pages by their shape and by what the host has given so far.

All rules are pure and remember a bounded number of things; a refusal names the rule. They are asked about addresses
when links are offered, and told of pages when these arrive.
"""

import re
import time
from collections import Counter
from collections.abc import Callable
from typing import Final, Generic, TypeVar

import xxhash
from msgspec import Struct

from thresher.reasons import Reason
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
    host may give `patience` pages without anything new, and each new page makes up for `credit` of them.
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


class Signature(Struct, frozen=True):
    """What a page is compared by: the digest of its text, a 64-bit simhash of it, and its number of words."""

    digest: bytes
    simhash: int = 0
    words: int = 0

    def resembles(self, other: "Signature") -> bool:
        """Tell whether two pages say the same; short texts only where they are equal, for chance is on their side."""
        if self.digest and self.digest == other.digest:
            return True
        if min(self.words, other.words) < _MIN_WORDS or abs(self.words - other.words) > max(self.words, 8) // 8:
            return False
        return (self.simhash ^ other.simhash).bit_count() <= _NEAR


Value = TypeVar("Value")
_MIN_WORDS: Final = 20
_NEAR: Final = 3
_MISSING_KEPT: Final = 4
_SEGMENT: Final = re.compile(r"/([^/]+)")
# One to four parts of a path, three times in a row.
_ECHO: Final = re.compile(r"((?:/[^/]+){1,4})\1\1(?=/|$)")
_SHALLOW: Final = 3


class _Recent(Generic[Value]):
    """Values by key, for the keys used last; `room` bounds their number, or the sum of what `weigh` gives for them.

    They live in two generations: when the young one fills half of the room, the old one is forgotten.
    """

    def __init__(self, room: int, weigh: Callable[[Value], int] = lambda _: 1) -> None:
        self._half = max(1, room // 2)
        self._weigh = weigh
        self._young: dict[str | int, Value] = {}
        self._old: dict[str | int, Value] = {}
        self._weight = 0

    def __len__(self) -> int:
        return len(self._young) + len(self._old)

    def get(self, key: str | int) -> Value | None:
        if key not in self._young and key in self._old:
            self.put(key, self._old.pop(key))
        return self._young.get(key)

    def put(self, key: str | int, value: Value, grown: int = 0) -> None:
        """Keep a value; one that is there already weighs `grown` more than before."""
        if self._weight >= self._half:
            self._old, self._young, self._weight = self._young, {}, 0
        self._weight += self._weigh(value) if key not in self._young else grown
        self._young[key] = value


class _Sets:
    """Different things under a key, for the keys met last; `room` bounds the things in all."""

    def __init__(self, room: int) -> None:
        # Most keys ever have one thing, and a number is much smaller than a set.
        self._things: _Recent[int | set[int]] = _Recent(
            room, lambda things: 1 if isinstance(things, int) else len(things)
        )

    def add(self, key: str, thing: str, limit: int) -> bool:
        """Remember a thing; return False where the key has its `limit` of other things already."""
        place, number = _number(key), _number(thing)
        known = self._things.get(place)
        if known is None:
            self._things.put(place, number)
            return True
        things = {known} if isinstance(known, int) else known
        if number in things:
            return True
        if len(things) >= limit:
            return False
        things.add(number)
        self._things.put(place, things, grown=1)
        return True

    def count(self, key: str) -> int:
        """Return how many things are remembered under a key."""
        known = self._things.get(_number(key))
        return len(known) if isinstance(known, set) else int(known is not None)


def _number(text: str) -> int:
    return xxhash.xxh3_64_intdigest(text.encode())


class Traps:
    """Decides about addresses and pages; `wall` is the time (seconds since the epoch) calendars are judged by.

    `room` bounds what each rule remembers; what is forgotten first is what was met longest ago.

    >>> traps = Traps()
    >>> traps.decide("http://a.test/x/y/x/y/x/y").value, traps.decide("http://a.test/x/y")
    ('trap-repeated-path', None)
    """

    def __init__(self, limits: TrapLimits | None = None, *, wall: float | None = None, room: int = 50_000) -> None:
        self._limits = limits or TrapLimits()
        now = time.gmtime(wall) if wall is not None else None
        self._month = now.tm_year * 12 + now.tm_mon - 1 if now else None
        self._orders = _Sets(room)
        self._dates = _Sets(room)
        self._hosts = _Sets(room)
        self._values = _Sets(room)
        self._unstable = _Sets(room)
        self._spent: _Recent[int] = _Recent(room)
        self._missing: _Recent[list[Signature]] = _Recent(room, len)

    def decide(self, url: str, parent: str | None = None) -> Reason | None:
        """Return why a canonical URL is not to be fetched, None where it is welcome; `parent` is where it was found.

        Asking again about an address counts nothing twice.
        """
        host = host_of(url)
        if (self._spent.get(host) or 0) >= self._limits.patience:
            return Reason.HOST_YIELD
        path, _, query = url[len(origin_of(url)) :].partition("?")
        if not self._has_place(host):
            return Reason.TRAP_SUBDOMAINS
        parts = _SEGMENT.findall(path)
        if self._repeats(path, parts, query):
            return Reason.TRAP_REPEATED_PATH
        if len(parts) > self._limits.depth or not self._is_new_order(host, path, parts):
            return Reason.TRAP_GROWING_PATH
        date = date_in(url)
        if date is not None and not self._is_open_date(date, parent):
            return Reason.TRAP_CALENDAR
        return Reason.TRAP_SESSION if "=" in query and self._is_session(host, path, query) else None

    def count_page(self, url: str, new: bool) -> None:
        """Take note of a page that arrived: whether its text had not been seen before."""
        host = host_of(url)
        spent = (self._spent.get(host) or 0) + (-self._limits.credit if new else 1)
        self._spent.put(host, max(0, spent))

    def learn_missing(self, url: str, signature: Signature) -> None:
        """Take note of what a host answers, with a good status, to an address that cannot exist (`missing_url`)."""
        origin = origin_of(url)
        self._missing.put(origin, [*(self._missing.get(origin) or []), signature][-_MISSING_KEPT:], grown=1)

    def judge(self, url: str, signature: Signature) -> Reason | None:
        """Return why a page that arrived is none; a home page always is one, for many hosts show it to the lost."""
        if url == origin_of(url) + "/":
            return None
        missing = self._missing.get(origin_of(url)) or []
        return Reason.SOFT_404 if any(signature.resembles(known) for known in missing) else None

    def _has_place(self, host: str) -> bool:
        """Tell whether a domain may have this host name."""
        domain = registered_domain(host)
        if domain == host:
            return True
        labels = host[: -len(domain) - 1].split(".")
        if len(labels) > self._limits.labels or len(labels) - len(set(labels)) > 1:
            return False
        return self._hosts.add(domain, host, self._limits.subdomains)

    def _repeats(self, path: str, parts: list[str], query: str) -> bool:
        """Tell whether an address repeats itself; numbers may, for dates and pages do."""
        words = [part for part in parts if not part.isdigit()]
        if len(words) > self._limits.repeats and max(Counter(words).values()) > self._limits.repeats:
            return True
        if len(words) > _SHALLOW - 1 and (echo := _ECHO.search(path)) and not echo[1].replace("/", "").isdigit():
            return True
        pairs = query.split("&")
        return len(pairs) - len(set(pairs)) >= self._limits.repeats

    def _is_new_order(self, host: str, path: str, parts: list[str]) -> bool:
        """Tell whether the words of a deep path may be combined like this: numbers count by their place."""
        if len(parts) < _SHALLOW:
            return True
        words = sorted({part for part in parts if not part.isdigit()})
        numbers = [part for part in parts if part.isdigit()]
        return self._orders.add("\n".join((host, *words, "", *numbers)), path, self._limits.orders)

    def _is_open_date(self, date: UrlDate, parent: str | None) -> bool:
        """Tell whether a calendar may have another date."""
        limits = self._limits
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
            self._unstable.add(f"{host} {name}", rest, self._limits.sessions)
            if self._unstable.count(f"{host} {name}") >= self._limits.sessions:
                return True
        return False


def missing_url(origin: str, seed: int = 0) -> str:
    """Return an address of an origin that cannot exist, to learn what the host says to wrong addresses.

    >>> missing_url("http://a.test").startswith("http://a.test/")
    True
    """
    return f"{origin}/{xxhash.xxh3_128_hexdigest(f'{seed} {origin}'.encode())}.html"
