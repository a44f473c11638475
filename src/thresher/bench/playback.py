"""Plays back a parsed web: known addresses answer at once with cached pages."""

import time
from collections.abc import Container, Mapping

from thresher.bench.answering import ROBOTS, robots_answer
from thresher.bench.distant_hosts import USUAL, DistantFetcher
from thresher.bench.page_cache import PageCache
from thresher.protocols import Clock, Fetcher
from thresher.reasons import Reason
from thresher.types import Answer, Candidate, Failed, Fetched, ParsedPage
from thresher.web.urls import host_of

_TYPE = "text/html"


class PlaybackFetcher:
    """Answers 200 for the addresses in `served` and 404 for all others; bodies are empty, as the pages are parsed.

    `robots` holds robots files by host.
    """

    def __init__(self, served: Container[str], clock: Clock, robots: Mapping[str, bytes] | None = None) -> None:
        self._served = served
        self._clock = clock
        self._robots = robots or {}

    async def fetch(self, candidate: Candidate) -> Answer:
        """Return the answer for a URL; never raise."""
        url, at = candidate.url, self._clock.wall()
        if url.endswith(ROBOTS) and host_of(url) in self._robots:
            return robots_answer(url, self._robots[host_of(url)], at)
        if url not in self._served:
            return Failed(url=url, reason=Reason.NOT_FOUND, at=at, status=404)
        return Fetched(url=url, status=200, headers=[], body=b"", raw=b"", mime=_TYPE, at=at)

    async def close(self) -> None:
        """Do nothing; there is nothing to release."""


def playback(served: frozenset[str], clock: Clock, robots: Mapping[str, bytes] | None = None) -> Fetcher:
    """Return a fetcher for a parsed web; it answers at once, or with host delays if `robots` is not None."""
    if robots is None:
        return PlaybackFetcher(served, clock)
    hosts = dict.fromkeys({host_of(url) for url in served} | set(robots), USUAL)
    return DistantFetcher(PlaybackFetcher(served, clock, robots), hosts, clock)


class CachedReader:
    """Returns the parsed page of a response; `cpu_seconds` is the time spent decoding."""

    def __init__(self, pages: PageCache) -> None:
        self._pages = pages
        self.cpu_seconds = 0.0

    def read(self, fetched: Fetched) -> ParsedPage | Failed:
        """Return the page, or a failure if there is none."""
        before = time.process_time()
        page = self._pages.page(fetched.url)
        self.cpu_seconds += time.process_time() - before
        return page or Failed(url=fetched.url, reason=Reason.UNREADABLE, at=fetched.at, status=200)
