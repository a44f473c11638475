"""A web with manners: real answers on many hosts, and the truth about its pages."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from thresher.bench.promise.distant_hosts import DistantFetcher, Host
from thresher.bench.webs.web import Labels
from thresher.config.settings import Settings
from thresher.protocols import Clock, Fetcher

Answers: TypeAlias = Callable[[Settings, Clock], Fetcher]


class PoliteWeb(Struct, frozen=True, kw_only=True, eq=False):
    """What a run meets, and what it is judged by.

    `answers` makes a fetcher of all answers, robots files included, that come at once; `digest` names all that they
    depend on. `hosts` are the hosts that exist, with what is special about each; `urls` gives the addresses that may
    have pages; `labels` the topics of pages; `bookmarks` files of bookmarks by name. A `note` is printed with the
    figures.
    """

    name: str
    digest: str
    answers: Answers
    hosts: Mapping[str, Host]
    urls: Callable[[], Sequence[str]]
    labels: Labels
    bookmarks: Mapping[str, bytes] = {}
    note: str = ""

    def fetcher(self, settings: Settings, clock: Clock) -> Fetcher:
        """Return what answers in the time that each host takes."""
        return DistantFetcher(self.answers(settings, clock), self.hosts, clock)
