"""Detects soft 404s: error pages with status 200, found by requesting a URL that cannot exist.

After a few pages, a host is asked once for such a URL, as politely as for any other. If it responds with a success
status, the response is remembered, and pages that resemble it count as errors.
"""

from typing import Final

import xxhash

from thresher.reasons import Reason
from thresher.shard.host import Host
from thresher.shard.hosts import HostTable
from thresher.shard.values import Errand, Outcome
from thresher.store.url_records import MissingPage, UrlState
from thresher.text.simhash import simhash
from thresher.types import Candidate
from thresher.web.robots import RobotsRules
from thresher.web.urls import origin_of, url_id

_MIN_WORDS: Final = 20
_NEAR: Final = 3
_MAX_ORIGINS: Final = 4


class SoftErrors:
    """Requests pages that cannot exist, once per origin; `after` is how many pages a host must have returned first."""

    def __init__(self, hosts: HostTable, after: int = 10) -> None:
        self._hosts = hosts
        self._after = after

    def errand(self, origin: str, host: Host, rules: RobotsRules | None) -> Errand | None:
        """Return the errand that probes an origin, or None if it is not due; the host is closed meanwhile."""
        if host.fetched < self._after or host.asking or origin in host.missing or len(host.missing) >= _MAX_ORIGINS:
            return None
        asks = Candidate(url=missing_url(origin), priority=())
        if rules is not None and not rules.allowed(asks.url):
            self._remember(host, MissingPage(origin=origin))
            return None
        host.asking = True
        return Errand(candidate=asks, id=url_id(asks.url), host=host.name, missing=True)

    def learn(self, outcome: Outcome, now: float) -> None:
        """Remember the answer of an origin and free its host; a failure is nobody's fault and is not retried."""
        host = self._hosts.get(outcome.errand.host)
        host.asking = False
        url = outcome.errand.candidate.url
        said = signature(url, outcome) if outcome.state is UrlState.DONE else MissingPage(origin=origin_of(url))
        self._remember(host, said)
        self._hosts.finish(host, outcome.errand.answered(now), retry_after=outcome.retry_after)

    def judge(self, outcome: Outcome, host: Host) -> Reason | None:
        """Return the reason if a page of a host is a soft error.

        A home page never is: many hosts show it instead of an error.
        """
        url = outcome.errand.candidate.url
        origin = origin_of(url)
        known = host.missing.get(origin)
        if known is None or not (known.digest or known.words) or url == f"{origin}/":
            return None
        return Reason.SOFT_404 if resembles(signature(url, outcome), known) else None

    def _remember(self, host: Host, page: MissingPage) -> None:
        host.missing[page.origin] = page
        self._hosts.touch(host)


def signature(url: str, outcome: Outcome) -> MissingPage:
    """Return what pages are compared by: the digest of the text, the simhash of its stems and their number.

    Stems in the page's own address are left out, since many error pages quote it.
    """
    address = url.lower()
    terms = {stem: count for stem, count in outcome.terms.items() if stem not in address}
    return MissingPage(origin=origin_of(url), digest=outcome.digest, simhash=simhash(terms), words=sum(terms.values()))


def resembles(page: MissingPage, other: MissingPage) -> bool:
    """Return whether two pages are nearly the same.

    Short texts must be identical, because they may be similar by chance.
    """
    if page.digest and page.digest == other.digest:
        return True
    if min(page.words, other.words) < _MIN_WORDS or abs(page.words - other.words) > max(page.words, 8) // 8:
        return False
    return (page.simhash ^ other.simhash).bit_count() <= _NEAR


def missing_url(origin: str) -> str:
    """Return an address of an origin that cannot exist, the same one every time.

    >>> missing_url("http://a.test").startswith("http://a.test/")
    True
    """
    return f"{origin}/{xxhash.xxh3_128_hexdigest(origin.encode())}.html"
