"""A fetcher whose hosts under .test are a server on the loopback."""

import asyncio
import time

from loopback import Loopback, Talk

from thresher.types import Answer, Candidate, Failed
from thresher.web.fetcher import HttpFetcher
from thresher.web.guard import AddressGuard


class Clock:
    def now(self) -> float:
        return time.monotonic()

    def wall(self) -> float:
        return 1_000_000.0


def fetcher(port: int = 1, **options: object) -> HttpFetcher:
    options.setdefault("guard", AddressGuard(mapped={"*.test": f"127.0.0.1:{port}"}))
    options.setdefault("read_timeout", 2.0)
    return HttpFetcher(clock=Clock(), agent="Thresher/0.1 (+test)", **options)  # type: ignore[arg-type]


async def get(web: HttpFetcher, url: str = "http://a.test/x") -> Answer:
    return await web.fetch(Candidate(url=url, priority=()))


async def ask(talk: Talk, url: str = "http://a.test/x", **options: object) -> Answer:
    async with Loopback(talk) as server:
        web = fetcher(server.port, **options)
        try:
            return await asyncio.wait_for(get(web, url), 10)
        finally:
            await web.close()


async def failure(talk: Talk, url: str = "http://a.test/x", **options: object) -> Failed:
    answer = await ask(talk, url, **options)
    assert isinstance(answer, Failed), answer
    return answer
