"""A whole crawl among hostile hosts, judged by listeners; and a name that resolves elsewhere the second time."""

import asyncio
import socket
import time
from pathlib import Path

import pytest
from aiohttp.abc import AbstractResolver, ResolveResult

from tests.machine import PATIENCE
from thresher.bench.hostile import Siege, measure_hostile
from thresher.reasons import Reason
from thresher.simweb.hostile.server import BEHAVIOURS, HostileServer
from thresher.types import Candidate, Failed
from thresher.web.fetcher import HttpFetcher
from thresher.web.guard import AddressGuard
from thresher.web.resolver import GuardedResolver


@pytest.mark.slow
def test_a_crawl_among_hostile_hosts(tmp_path: Path) -> None:
    siege = Siege(healthy=6, pages=12, delay=0.05, copies=0, deadline=8.0, tries=1, parallel=32)
    figures = measure_hostile(tmp_path, siege)
    assert figures.attackers == len(BEHAVIOURS) > 40
    assert (figures.exit_code, figures.left) == (0, 0)
    assert figures.forbidden_connects == 0
    assert figures.over_limit == []
    assert figures.unexplained == []
    assert figures.memory_growth_mb <= 260, "one more worker reads what is costly"
    assert figures.files_mb <= 1100, "documents.memory_mb is 1024"
    assert figures.escaped == []
    assert figures.healthy_pages == 6 * 12 + 6
    expected = {"address-forbidden", "bad-coding", "bad-redirect", "body-too-large", "connection-lost"}
    expected |= {"nested-too-deep", "protocol-error", "timeout", "too-many-redirects", "type-refused"}
    expected |= {"over-limits", "unreadable"}
    assert expected <= set(figures.reasons)


class Rebinding(AbstractResolver):
    """Gives the permitted address first and a forbidden one ever after."""

    def __init__(self) -> None:
        self.asked = 0

    async def resolve(self, host: str, port: int = 0, family: int = socket.AF_INET) -> list[ResolveResult]:
        self.asked += 1
        address = "127.0.0.2" if self.asked == 1 else "127.0.0.1"
        return [ResolveResult(hostname=host, host=address, port=port, family=socket.AF_INET, proto=0, flags=0)]

    async def close(self) -> None:
        pass


class Clock:
    def now(self) -> float:
        return time.monotonic()

    def wall(self) -> float:
        return 1_000_000.0


async def test_a_name_that_is_rebound_gains_nothing() -> None:
    server = HostileServer(bombs=False)
    await server.start()
    port = server.ports.forbidden
    guard, names = AddressGuard(allow=["127.0.0.2"]), Rebinding()
    clock = Clock()
    web = HttpFetcher(clock=clock, guard=guard, resolver=GuardedResolver(guard, clock, ttl=0.0, inner=names))
    url = f"http://rebound.example:{port}/"
    try:
        answers = [await asyncio.wait_for(web.fetch(Candidate(url=url, priority=())), PATIENCE) for _ in range(3)]
    finally:
        await web.close()
        await server.stop()
    assert names.asked == 3
    assert [answer.reason for answer in answers if isinstance(answer, Failed)] == [
        Reason.CONNECT_FAILED,
        Reason.ADDRESS_FORBIDDEN,
        Reason.ADDRESS_FORBIDDEN,
    ]
    assert server.seen().forbidden == 0
