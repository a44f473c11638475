"""The setting of a trial: a web whose hosts take their time, and the bookmarks of a person who lives there."""

from collections.abc import Mapping

from msgspec import Struct

from thresher.bench.answering import network_of
from thresher.bench.distant_hosts import DistantFetcher, Host
from thresher.bench.page_cache import PageCache
from thresher.bench.webs.web import BenchWeb
from thresher.protocols import Clock, Fetcher


class Setting(Struct, frozen=True, eq=False):
    """What a run is given: a web with its pages, its hosts with what is special about each, and a bookmark file.

    The folders of the file are named after topics of the web.
    """

    web: BenchWeb
    pages: PageCache
    hosts: Mapping[str, Host]
    bookmarks: bytes

    def fetcher(self, clock: Clock) -> Fetcher:
        """Return what answers for the web, each host in its time."""
        return DistantFetcher(network_of(self.web, clock), self.hosts, clock)
