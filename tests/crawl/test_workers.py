"""Worker processes: the same answers as in this process, and no page takes the crawl down."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator

import pytest

from tests.crawl.scripted import LineReader
from thresher.crawl.analysis import Analysis, PageAnalyser
from thresher.crawl.clock import RealClock
from thresher.crawl.workers import WorkerPool
from thresher.reasons import Reason
from thresher.strategies.unfocused import BreadthFirst
from thresher.types import Failed, Fetched


def page(name: str, body: bytes = b"http://b.test/\n!http://c.test/") -> Fetched:
    url = f"http://a.test/{name}"
    return Fetched(url=url, status=200, headers=[("A", "b")], body=body, raw=body, mime="text/html", at=1.5)


@pytest.fixture
async def pool() -> AsyncIterator[WorkerPool]:
    made = WorkerPool("tests.crawl.worker_factories:moody", b'"recipe"', clock=RealClock(), size=2, deadline=5.0)
    await made.start()
    yield made
    await made.close()


async def test_answers_are_those_of_this_process(pool: WorkerPool) -> None:
    here = PageAnalyser(LineReader(), BreadthFirst())
    pages = [page(str(number), b"\n".join([b"http://x.test/%d" % number] * (number * 50))) for number in range(1, 40)]
    answers = await asyncio.gather(*[pool.analyse(fetched) for fetched in pages])
    assert answers == [here.run(fetched) for fetched in pages]


async def test_large_pages_pass_both_ways_at_once(pool: WorkerPool) -> None:
    body = b"\n".join([b"http://x.test/%d" % number for number in range(50_000)])
    answers = await asyncio.gather(*[pool.analyse(page(str(number), body)) for number in range(4)])
    assert all(isinstance(answer, Analysis) and len(answer.links) == 50_000 for answer in answers)


async def test_worker_that_hangs_or_dies_costs_its_page_only(pool: WorkerPool) -> None:
    hung, died, fine = await asyncio.gather(
        pool.analyse(page("hang")), pool.analyse(page("die")), pool.analyse(page("x"))
    )
    assert isinstance(hung, Failed)
    assert hung.reason is Reason.READING_TIMEOUT
    assert isinstance(died, Failed)
    assert died.reason is Reason.READER_CRASHED
    assert isinstance(fine, Analysis)
    assert isinstance(await pool.analyse(page("y")), Analysis)


async def test_what_a_plug_in_prints_does_not_disturb_the_frames(pool: WorkerPool) -> None:
    assert isinstance(await pool.analyse(page("print")), Analysis)
    assert isinstance(await pool.analyse(page("after")), Analysis)


async def test_workers_end_with_their_pool_and_ignore_ctrl_c(pool: WorkerPool) -> None:
    processes = [worker.process for worker in pool._workers]
    for process in processes:
        os.kill(process.pid, signal.SIGINT)
    assert isinstance(await pool.analyse(page("x")), Analysis)
    await pool.close()
    assert all(process.returncode is not None for process in processes)
