"""Names are looked up before their hosts are asked: the fetch does not wait, and nobody else is asked for it."""

import asyncio
from collections.abc import Iterable

from aiohttp.abc import AbstractResolver, ResolveResult

from tests.crawl.scripted import Bench, ScriptedFetcher, seeds
from thresher.crawl.clock import VirtualClock, run_virtual
from thresher.reasons import Reason
from thresher.store.records import Progress
from thresher.types import Answer, Candidate, Failed
from thresher.web.fetcher import HttpFetcher
from thresher.web.guard import AddressGuard
from thresher.web.resolver import AddressRefused, GuardedResolver
from thresher.web.urls import host_of

SLOW = 0.2
HUB = "http://hub.test/"
URLS = [f"http://h{number}.test/" for number in range(30)]


class SlowNames(AbstractResolver):
    """Takes its time over every name; `evil` names are private addresses."""

    def __init__(self, evil: Iterable[str] = ()) -> None:
        self.evil = set(evil)
        self.asked: list[str] = []

    async def resolve(self, host: str, port: int = 0, family: int = 0) -> list[ResolveResult]:
        self.asked.append(host)
        await asyncio.sleep(SLOW)
        address = "10.0.0.1" if host in self.evil else "93.184.215.14"
        return [ResolveResult(hostname=host, host=address, port=port, family=2, proto=0, flags=0)]

    async def close(self) -> None:
        pass


class ResolvingFetcher(ScriptedFetcher):
    """Answers from a script once the name of the host is known; `waits` tells how long each name took."""

    def __init__(self, script: dict[str, object], names: SlowNames) -> None:
        super().__init__(script)
        self.names = GuardedResolver(AddressGuard(), VirtualClock(), inner=names)
        self.waits: dict[str, float] = {}

    async def fetch(self, candidate: Candidate) -> Answer:
        host, started = host_of(candidate.url), VirtualClock().now()
        try:
            await self.names.resolve(host, 80)
        except AddressRefused:
            return Failed(url=candidate.url, reason=Reason.ADDRESS_FORBIDDEN, at=0.0)
        self.waits[host] = VirtualClock().now() - started
        return await super().fetch(candidate)

    def prepare(self, hosts: Iterable[str]) -> int:
        return self.names.prepare(hosts)


def crawl(names: SlowNames, *, parallel: int = 2) -> tuple[ResolvingFetcher, Progress]:
    async def go() -> tuple[ResolvingFetcher, Progress]:
        bench = Bench({HUB: URLS, **{url: [] for url in URLS}})
        fetcher = ResolvingFetcher(bench.script, names)
        progress = await bench.engine(fetcher=fetcher, parallel=parallel).run(seeds(HUB))
        await fetcher.names.close()
        return fetcher, progress

    return run_virtual(go())


def test_a_fetch_does_not_wait_for_a_name_that_was_looked_up_ahead() -> None:
    names = SlowNames()
    fetcher, progress = crawl(names)
    assert progress.pages == 31
    waited = [host for host, seconds in fetcher.waits.items() if seconds > 0]
    # Only those that were asked at once could not be looked up before.
    assert len(waited) <= 4
    assert sorted(names.asked) == sorted({host_of(url) for url in [HUB, *URLS]})


def test_looking_names_up_is_no_request_and_opens_no_forbidden_address() -> None:
    evil = {host_of(url) for url in URLS[10:20]}
    fetcher, progress = crawl(SlowNames(evil))
    assert progress.pages == 21
    assert sum(progress.errors.values()) + sum(progress.refused.values()) == 10
    assert not evil & {host_of(url) for _, url in fetcher.asked}
    assert max(fetcher.most_active.values()) == 1


async def test_the_http_fetcher_prepares_names_and_connects_to_nobody() -> None:
    names = SlowNames(["evil.test"])
    clock = VirtualClock()
    guard = AddressGuard()
    web = HttpFetcher(clock=clock, guard=guard, resolver=GuardedResolver(guard, clock, inner=names))
    assert web.prepare(["evil.test"]) == 1
    answer = await web.fetch(Candidate(url="http://evil.test/", priority=()))
    await web.close()
    assert isinstance(answer, Failed)
    assert answer.reason is Reason.ADDRESS_FORBIDDEN
    assert names.asked == ["evil.test"]
