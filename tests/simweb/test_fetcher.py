import asyncio

import numpy as np
import pytest

from thresher.reasons import Reason
from thresher.simweb.access_log import AccessLog, read_log
from thresher.simweb.fetcher import SimFetcher
from thresher.simweb.pages import Flag, PageKind
from thresher.types import Candidate, Failed, Fetched, Redirected
from thresher.web.urls import parse

from .virtual_time import LoopClock, run_virtually


def fetch(web, *urls, **options):
    async def work():
        fetcher = SimFetcher(web, LoopClock(), **options)
        answers = [await fetcher.fetch(Candidate(url=url, priority=(1.0,))) for url in urls]
        await fetcher.close()
        return answers

    return run_virtually(work())


def one(web, url, **options):
    return fetch(web, url, **options)[0]


def page_with(web, status):
    hosts = web.hosts
    return next(
        web.urls[page]
        for page in np.flatnonzero(web.pages.status == status).tolist()
        if not hosts[int(web.pages.host[page])].hangs
    )


def test_a_page_is_fetched(mixed):
    got = one(mixed, mixed.urls[0])
    assert isinstance(got, Fetched)
    assert (got.url, got.status, got.mime, got.raw) == (mixed.urls[0], 200, "text/html", got.body)
    assert got.header("content-type").startswith("text/html")
    assert got.at == 1_700_000_000.0


@pytest.mark.parametrize(
    ("status", "reason"),
    [(404, Reason.NOT_FOUND), (410, Reason.GONE), (403, Reason.FORBIDDEN), (500, Reason.SERVER_ERROR)],
)
def test_errors_have_their_reasons(mixed, status, reason):
    got = one(mixed, page_with(mixed, status))
    assert isinstance(got, Failed)
    assert (got.reason, got.status) == (reason, status)


def test_redirects_are_absolute(mixed):
    for page in np.flatnonzero(mixed.pages.is_kind(PageKind.REDIRECT)).tolist()[:20]:
        got = one(mixed, mixed.urls[page])
        assert isinstance(got, Redirected)
        assert (got.to, got.status) == (mixed.urls[int(mixed.pages.to[page])], mixed.pages.status[page])
        assert parse(got.to) == got.to


def test_busy_pages_say_when_to_come_back(mixed):
    async def work(url):
        fetcher = SimFetcher(mixed, LoopClock())
        seen = []
        while True:
            got = await fetcher.fetch(Candidate(url=url, priority=(1.0,)))
            seen.append(got)
            if isinstance(got, Fetched):
                return seen
            await asyncio.sleep(got.retry_after)

    reasons = set()
    for page in np.flatnonzero(mixed.pages.has(Flag.BUSY)).tolist():
        *refusals, last = run_virtually(work(mixed.urls[page]))
        assert isinstance(last, Fetched)
        assert len(refusals) <= 1
        reasons |= {refusal.reason for refusal in refusals}
    assert reasons <= {Reason.UNAVAILABLE, Reason.RATE_LIMITED}
    assert reasons


def test_silence_ends_after_the_read_timeout(mixed):
    host = next(host for host in mixed.hosts if host.hangs)
    got = one(mixed, f"http://{host.name}/", read_timeout=7.0)
    assert isinstance(got, Failed)
    assert (got.reason, got.seconds) == (Reason.TIMEOUT, 7.0)


def test_latency_and_slowness_take_virtual_time(mixed):
    host = next(host for host in mixed.hosts if host.delay)
    assert one(mixed, f"http://{host.name}/", latency=0.5).seconds == pytest.approx(host.delay + 0.5)
    assert one(mixed, f"http://{host.name}/", read_timeout=host.delay / 2).reason is Reason.TIMEOUT


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://nowhere.test/", Reason.DNS_FAILED),
        ("https://{host}/", Reason.CONNECT_FAILED),
        ("http://{host}:81/", Reason.CONNECT_FAILED),
    ],
)
def test_what_is_not_served(mixed, url, reason):
    assert one(mixed, url.format(host=mixed.hosts[0].name)).reason is reason


def test_robots_files_are_ordinary_pages(mixed):
    host = next(host for host in mixed.hosts if host.robots == "partial")
    got = one(mixed, f"http://{host.name}/robots.txt")
    assert got.mime == "text/plain"
    assert host.disallowed.encode() in got.body


def test_the_access_log_is_kept(mixed, tmp_path):
    path = tmp_path / "access.log"
    silent = next(host for host in mixed.hosts if host.hangs)

    async def work():
        fetcher = SimFetcher(mixed, LoopClock(), latency=0.1, agent="tester", log=AccessLog(path))
        first = fetcher.fetch(Candidate(url=mixed.urls[0], priority=(1.0,)))
        second = fetcher.fetch(Candidate(url=mixed.urls[1], priority=(1.0,)))
        await asyncio.gather(first, second)
        waiting = asyncio.ensure_future(fetcher.fetch(Candidate(url=f"http://{silent.name}/", priority=(1.0,))))
        await asyncio.sleep(1.0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await fetcher.close()

    run_virtually(work())
    first, second, last = read_log(path)
    assert (first.in_progress, second.in_progress, last.in_progress) == (0, 1, 0)
    assert first.status == 200
    assert first.agent == "tester"
    assert first.bytes > 500
    assert first.answered - first.received == pytest.approx(0.1, abs=1e-5)
    assert (last.host, last.answered, last.status) == (silent.name, None, 0)
