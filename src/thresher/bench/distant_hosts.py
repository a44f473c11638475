"""Simulates response times that depend on the host; unknown hosts do not resolve.

The time is drawn once per host, seeded with its name: the median is .3 s, two thirds of the hosts are between .13 and
.67 s, and none is below .05 or above 3 s. The body adds a second per 500 kB.
"""

import asyncio
from collections.abc import Mapping
from functools import cache
from math import log
from random import Random
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from thresher.bench.answering import ROBOTS, robots_answer
from thresher.protocols import Clock, Fetcher
from thresher.reasons import Reason
from thresher.types import Answer, Candidate, Failed, Fetched
from thresher.web.urls import host_of

MEDIAN: Final = 0.3
SPREAD: Final = 0.8
SHORTEST, LONGEST = 0.05, 3.0
BYTES_PER_SECOND: Final = 500_000
LOOK_UP: Final = 0.2
"""Seconds until a failed name lookup returns."""

SILENCE: Final = 20.0
"""Seconds until a silent host is given up, the default of `network.read_timeout`."""

ADDRESS: Final = "192.0.2.1"


class HostProfile(Struct, frozen=True):
    """Properties of a host: seconds until it answers, and the delay in its robots file; None means the default.

    A host that is `down` accepts connections and never answers.
    """

    latency: float | None = None
    delay: float | None = None
    down: bool = False


USUAL: Final = HostProfile()


class DistantFetcher:
    """Answers for the hosts in `hosts` through another fetcher, with each host's delay; other hosts do not exist."""

    def __init__(self, near: Fetcher, hosts: Mapping[str, HostProfile], clock: Clock) -> None:
        self._near = near
        self._hosts = hosts
        self._clock = clock

    async def fetch(self, candidate: Candidate) -> Answer:
        """Return the answer for a URL after the delay of its host; never raise."""
        url, started = candidate.url, self._clock.now()
        name = host_of(url)
        host = self._hosts.get(name)
        if host is None:
            await asyncio.sleep(LOOK_UP)
            detail = f"there is no host {name}"
            return Failed(url=url, reason=Reason.DNS_FAILED, at=self._clock.wall(), detail=detail)
        if host.down:
            await asyncio.sleep(SILENCE)
            return Failed(url=url, reason=Reason.TIMEOUT, at=self._clock.wall(), seconds=SILENCE, ip=ADDRESS)
        answer = await self._near.fetch(candidate)
        if host.delay is not None and url.endswith(f"{name}{ROBOTS}"):
            answer = robots_answer(url, asking(answer.body if isinstance(answer, Fetched) else b"", host.delay), 0.0)
        size = len(answer.raw) if isinstance(answer, Fetched) else 0
        latency = latency_of(name) if host.latency is None else host.latency
        await asyncio.sleep(latency + size / BYTES_PER_SECOND)
        return replace(answer, at=self._clock.wall(), seconds=self._clock.now() - started, ip=ADDRESS)

    async def close(self) -> None:
        """Close the underlying fetcher."""
        await self._near.close()


@cache
def latency_of(host: str) -> float:
    """Return how long a host takes to answer, in seconds."""
    return min(LONGEST, max(SHORTEST, Random(f"{host}/latency").lognormvariate(log(MEDIAN), SPREAD)))


def asking(robots: bytes, delay: float) -> bytes:
    """Return a robots file with its crawl delay replaced.

    >>> asking(b"User-agent: *\\nCrawl-delay: 2\\nDisallow: /x", 10)
    b'User-agent: *\\nDisallow: /x\\nCrawl-delay: 10\\n'
    """
    lines = [line for line in robots.splitlines() if not line.lower().lstrip().startswith(b"crawl-delay")]
    return b"\n".join([*(lines or [b"User-agent: *"]), f"Crawl-delay: {delay:g}".encode(), b""])
