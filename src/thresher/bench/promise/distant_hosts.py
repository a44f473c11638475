"""Hosts at a distance: every answer takes a time that depends on its host, and hosts nobody runs have no address.

The time is drawn by lot once per host, seeded with its name: .3 s in the median, two thirds of the hosts between .13
and .67 s, none below .05 or above 3 s; a body takes a second per 500 kB more.
"""

import asyncio
from collections.abc import Mapping
from functools import cache
from math import log
from random import Random
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from thresher.protocols import Clock, Fetcher
from thresher.reasons import Reason
from thresher.types import Answer, Candidate, Failed, Fetched
from thresher.web.urls import host_of

MEDIAN: Final = 0.3
SPREAD: Final = 0.8
SHORTEST, LONGEST = 0.05, 3.0
BYTES_PER_SECOND: Final = 500_000
LOOK_UP: Final = 0.2
"""Seconds it takes to learn that a name has no address."""


class Host(Struct, frozen=True):
    """What is special about a host: seconds until it answers, and the delay its robots file asks for; None is usual.

    A host that is `down` answers nothing in time.
    """

    latency: float | None = None
    delay: float | None = None
    down: bool = False


USUAL: Final = Host()
TIMEOUT: Final = 20.0
"""Seconds until a host that is down is given up: the default of `network.read_timeout`."""


class DistantFetcher:
    """Has another fetcher answer for the hosts in `hosts`, as late as each answers; all other hosts do not exist."""

    def __init__(self, answers: Fetcher, hosts: Mapping[str, Host], clock: Clock) -> None:
        self._answers = answers
        self._hosts = hosts
        self._clock = clock

    async def fetch(self, candidate: Candidate) -> Answer:
        """Return the answer of an address in its time; never raise."""
        url, started = candidate.url, self._clock.now()
        name = host_of(url)
        host = self._hosts.get(name)
        if host is None:
            await asyncio.sleep(LOOK_UP)
            detail = f"there is no host {name}"
            return Failed(url=url, reason=Reason.DNS_FAILED, at=self._clock.wall(), detail=detail)
        if host.down:
            await asyncio.sleep(TIMEOUT)
            return Failed(url=url, reason=Reason.TIMEOUT, at=self._clock.wall(), seconds=TIMEOUT, ip=_ADDRESS)
        answer = await self._answers.fetch(candidate)
        if host.delay is not None and url.endswith("/robots.txt") and isinstance(answer, Fetched | Failed):
            answer = _asking(answer, host.delay)
        size = len(answer.raw) if isinstance(answer, Fetched) else 0
        latency = latency_of(name) if host.latency is None else host.latency
        await asyncio.sleep(latency + size / BYTES_PER_SECOND)
        return replace(answer, at=self._clock.wall(), seconds=self._clock.now() - started, ip=_ADDRESS)

    async def close(self) -> None:
        """Close what answers."""
        await self._answers.close()


@cache
def latency_of(host: str) -> float:
    """Return how long a host takes to answer, in seconds."""
    return min(LONGEST, max(SHORTEST, Random(f"{host}/latency").lognormvariate(log(MEDIAN), SPREAD)))


_ADDRESS: Final = "192.0.2.1"


def _asking(robots: Answer, delay: float) -> Fetched:
    """Return a robots file that asks for a delay on top of what it says."""
    before = robots.body if isinstance(robots, Fetched) else b""
    lines = [line for line in before.splitlines() if not line.lower().startswith(b"crawl-delay")]
    rules = lines or [b"User-agent: *"]
    body = b"\n".join([*rules, f"Crawl-delay: {delay:g}".encode(), b""])
    return Fetched(
        url=robots.url,
        status=200,
        headers=[("Content-Type", "text/plain")],
        body=body,
        raw=body,
        mime="text/plain",
        at=robots.at,
    )
