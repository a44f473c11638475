"""Sitemaps named by robots.txt files and feeds named by pages, as more sources of links.

A list is fetched like a page, subject to the same robots.txt, politeness, scope and guard. Its addresses are ranked
like links on a page without a judgement. Only a limited number of addresses per host is used.
"""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from thresher.crawl.pricing import ranked
from thresher.protocols import Strategy, View
from thresher.reading.analysis import Analysis
from thresher.shard.values import Errand, Offer
from thresher.types import Candidate, Link, Reading
from thresher.web.sitemaps import MAP
from thresher.web.urls import canonical, host_of

LEVELS: Final = 3
"""Maximum depth of nested sitemaps, indexes included; the protocol has two levels."""


class Lists:
    """Takes the lists of hosts, at most `files` lists of a host and `addresses` addresses from all of them.

    Counts are per host of the list and per run; beyond `hosts` hosts, the least recently seen is forgotten.
    """

    def __init__(self, addresses: int, *, files: int = 100, hosts: int = 20_000) -> None:
        self._addresses = addresses
        self._files = files
        self._hosts = hosts
        self._shares: OrderedDict[str, _Share] = OrderedDict()

    def name(self, sitemaps: Iterable[str], strategy: Strategy, view: View) -> list[Offer]:
        """Return an offer of the sitemaps named in robots.txt files, ranked like start pages; empty if none is new."""
        urls = dict.fromkeys(url for written in sitemaps if (url := canonical(written)) is not None)
        root = Candidate(url="", priority=(), depth=-1)
        return self._offers([Link(url, "", 0, 0, tag=MAP) for url in urls], root, LEVELS, strategy, view)

    def follow(self, feeds: Sequence[Link], page: Candidate, strategy: Strategy, view: View) -> list[Offer]:
        """Return an offer of the feeds of a page; empty if none is new."""
        return self._offers(feeds, page, 1, strategy, view)

    def take(self, errand: Errand, analysis: Analysis, strategy: Strategy, view: View) -> list[Offer]:
        """Return offers of what a list contains: pages, and further lists up to the depth limit."""
        candidate = errand.candidate
        share = self._of(errand.host)
        pages = [analysis.links[place] for place in analysis.followed[: share.addresses]]
        share.addresses -= len(pages)
        offers = [Offer(ranked(strategy, Reading(candidate=candidate, links=pages), view))]
        if candidate.lists > 1:
            maps = [analysis.links[place] for place in analysis.lists]
            offers += self._offers(maps, candidate, candidate.lists - 1, strategy, view)
        return offers

    def _offers(
        self, links: Sequence[Link], source: Candidate, levels: int, strategy: Strategy, view: View
    ) -> list[Offer]:
        welcome = [link for link in links if self._of(host_of(link.url)).welcomes(link.url, self._files)]
        if not welcome:
            return []
        found = ranked(strategy, Reading(candidate=source, links=welcome), view)
        return [Offer([replace(candidate, lists=levels) for candidate in found])]

    def _of(self, host: str) -> "_Share":
        share = self._shares.get(host)
        if share is None:
            share = self._shares[host] = _Share(self._addresses)
            if len(self._shares) > self._hosts:
                self._shares.popitem(last=False)
        self._shares.move_to_end(host)
        return share


class _Share:
    """What a host may still contribute: `addresses`, and lists beyond those already named."""

    __slots__ = ("_named", "addresses")

    def __init__(self, addresses: int) -> None:
        self.addresses = addresses
        self._named: set[str] = set()

    def welcomes(self, url: str, files: int) -> bool:
        """Return whether a list is new and may be fetched; many pages name the same feed."""
        if url in self._named or len(self._named) >= files or self.addresses <= 0:
            return False
        self._named.add(url)
        return True
