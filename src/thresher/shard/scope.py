"""Scope: which URLs a crawl may touch at all.

Every *no* is a reason; the shard keeps it once per URL.
"""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Literal, TypeAlias

from msgspec import Struct

from thresher.reasons import Reason
from thresher.types import Candidate
from thresher.web.urls import MAX_HOST, host_of, registered_domain

Extent: TypeAlias = Literal["web", "domains", "hosts"]


class Scope(Struct, frozen=True, kw_only=True):
    """The borders of a crawl.

    `extent` is the whole web, the registered domains of the seeds or their hosts; `max_depth` counts hops from the
    seeds (None: no limit); `exclude` are patterns with `*` and `?` for whole URLs; `max_url` counts characters.

    >>> scope = Scope(extent="hosts", homes=frozenset({"a.test"}), max_depth=2)
    >>> scope.decide(Candidate(url="http://b.test/", priority=(1.0,)))
    <Reason.OUT_OF_SCOPE: 'out-of-scope'>
    """

    extent: Extent = "web"
    homes: frozenset[str] = frozenset()
    max_depth: int | None = None
    exclude: tuple[str, ...] = ()
    max_url: int = 1000

    def decide(self, candidate: Candidate) -> Reason | None:
        """Return why a candidate is out of bounds, or None where it is welcome."""
        if len(candidate.url) > self.max_url:
            return Reason.URL_TOO_LONG
        host = host_of(candidate.url)
        if len(host) > MAX_HOST:
            return Reason.BAD_URL
        if self.extent != "web" and _home(host, self.extent) not in self.homes:
            return Reason.OUT_OF_SCOPE
        if any(fnmatchcase(candidate.url, pattern) for pattern in self.exclude):
            return Reason.OUT_OF_SCOPE
        if self.max_depth is not None and candidate.depth > self.max_depth:
            return Reason.TOO_DEEP
        return None


def homes_of(urls: Iterable[str], extent: Extent) -> frozenset[str]:
    """Return the hosts or registered domains that the seeds make their home; empty where the whole web is open."""
    return frozenset() if extent == "web" else frozenset(_home(host_of(url), extent) for url in urls)


def _home(host: str, extent: Extent) -> str:
    return registered_domain(host) if extent == "domains" else host
