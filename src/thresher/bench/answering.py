"""Answers requests from a collection like its original servers: pages, redirects, robots.txt files, and 404 for
everything else."""

from thresher.bench.webs.web import BenchWeb
from thresher.protocols import Clock, Fetcher
from thresher.reasons import Reason
from thresher.types import Answer, Candidate, Failed, Fetched, Redirected
from thresher.web.urls import host_of

ROBOTS = "/robots.txt"


class CollectionFetcher:
    """Answers at once from the collection of a web; an alias of a page redirects to it."""

    def __init__(self, web: BenchWeb, clock: Clock) -> None:
        self._web = web
        self._clock = clock

    async def fetch(self, candidate: Candidate) -> Answer:
        """Return the answer for a URL; never raise."""
        url, at, host = candidate.url, self._clock.wall(), host_of(candidate.url)
        if url.endswith(f"{host}{ROBOTS}"):
            return robots_answer(url, self._web.robots.get(host), at)
        if url in self._web.served:
            found = self._web.collection.answer(url)
            return Fetched(
                url=url, status=200, headers=found.headers, body=found.body, raw=found.raw, mime=found.mime, at=at
            )
        held = self._web.collection.held(url)
        if held is not None and held in self._web.served:
            return Redirected(url=url, to=held, status=301, at=at)
        return Failed(url=url, reason=Reason.NOT_FOUND, at=at, status=404)

    async def close(self) -> None:
        """Do nothing; there is nothing to release."""


def robots_answer(url: str, body: bytes | None, at: float) -> Fetched | Failed:
    """Return the answer to a request for a robots file; `body` is None if the host has none."""
    if body is None:
        return Failed(url=url, reason=Reason.NOT_FOUND, at=at, status=404)
    headers = [("Content-Type", "text/plain")]
    return Fetched(url=url, status=200, headers=headers, body=body, raw=body, mime="text/plain", at=at)


def network_of(web: BenchWeb, clock: Clock) -> Fetcher:
    """Return the fetcher of a web: its own network if it has one, otherwise its collection."""
    return web.network(clock) if web.network is not None else CollectionFetcher(web, clock)


def hosts_of(web: BenchWeb) -> set[str]:
    """Return the hosts of a web: all that serve a page, and those of its own network that do not."""
    return {host_of(url) for url in web.served} | set(web.robots)
