"""Worker processes: the same answers as in this process, and no page takes the crawl down."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator

import msgspec
import pytest

from tests.crawl.scripted import LineReader
from tests.documents.made_files import packed, pdf
from tests.machine import PATIENCE
from tests.strategies.able import FewOfEachSite
from thresher.analysers import FACTORY, AnalysisRecipe
from thresher.crawl.clock import RealClock
from thresher.documents.sandbox_frames import write_frame
from thresher.reading.analysis import Analysis, PageAnalyser, ReadingLane
from thresher.reading.features import unpacked
from thresher.reading.workers import WorkerPool
from thresher.reasons import Reason
from thresher.types import Failed, Fetched, ParsedPage

MOODY = "tests.reading.worker_factories:moody"


def page(name: str, body: bytes = b"http://b.test/\n!http://c.test/") -> Fetched:
    url = f"http://a.test/{name}"
    return Fetched(url=url, status=200, headers=[("A", "b")], body=body, raw=body, mime="text/html", at=1.5)


def _timeless(found: Analysis | Failed) -> Analysis | Failed:
    assert isinstance(found, Failed) or found.seconds > 0
    return msgspec.structs.replace(found, seconds=0.0)


@pytest.fixture
async def pool() -> AsyncIterator[WorkerPool]:
    made = WorkerPool(MOODY, b'"recipe"', clock=RealClock(), size=2, deadline=PATIENCE)
    await made.start()
    yield made
    await made.close()


@pytest.mark.slow
async def test_answers_are_those_of_this_process(pool: WorkerPool) -> None:
    strategy = FewOfEachSite()
    here = PageAnalyser(LineReader(), strategy)
    pages = [page(str(number), b"\n".join([b"http://x.test/%d" % number] * (number * 50))) for number in range(1, 40)]
    answers = await asyncio.gather(*[pool.analyse(fetched) for fetched in pages])
    assert [_timeless(answer) for answer in answers] == [here.run(fetched) for fetched in pages]
    stored = LineReader().read(pages[0])
    assert isinstance(stored, ParsedPage)
    assert _timeless(await pool.analyse(stored)) == _timeless(answers[0])
    assert isinstance(answers[0], Analysis)
    assert unpacked(strategy, answers[0].features) == strategy.read(stored, None)


async def test_ctrl_c_at_the_terminal_does_not_reach_a_worker(pool: WorkerPool) -> None:
    own = os.getsid(0)
    assert [os.getsid(worker.process.pid) == own for worker in pool._workers] == [False, False]


@pytest.mark.slow
async def test_large_pages_pass_both_ways_at_once(pool: WorkerPool) -> None:
    body = b"\n".join([b"http://x.test/%d" % number for number in range(50_000)])
    answers = await asyncio.gather(*[pool.analyse(page(str(number), body)) for number in range(4)])
    assert all(isinstance(answer, Analysis) and len(answer.links) == 50_000 for answer in answers)


async def test_a_worker_that_dies_costs_its_page_only(pool: WorkerPool) -> None:
    died, fine = await asyncio.gather(pool.analyse(page("die")), pool.analyse(page("x")))
    assert isinstance(died, Failed)
    assert died.reason is Reason.READER_CRASHED
    assert isinstance(fine, Analysis)
    assert isinstance(await pool.analyse(page("y")), Analysis)


async def test_a_worker_that_hangs_is_replaced() -> None:
    pool = WorkerPool(MOODY, b'"recipe"', clock=RealClock(), size=1, deadline=0.5)
    await pool.start()
    hung = await pool.analyse(page("hang"))
    assert isinstance(hung, Failed)
    assert hung.reason is Reason.READING_TIMEOUT
    # On a busy machine a sound page may take half a second too.
    while isinstance(await pool.analyse(page("y")), Failed):
        pass
    await pool.close()


async def test_a_worker_that_keeps_much_memory_is_replaced_after_its_page(pool: WorkerPool) -> None:
    before = {worker.process.pid for worker in pool._workers}
    assert isinstance(await pool.analyse(page("keep")), Analysis)
    after = {worker.process.pid for worker in pool._workers}
    assert len(before & after) == len(after) - 1 == 1
    assert isinstance(await pool.analyse(page("x")), Analysis)


async def test_a_page_in_the_slow_lane_holds_up_no_other() -> None:
    pool = WorkerPool(MOODY, b'"recipe"', clock=RealClock(), size=1, deadline=PATIENCE)
    await pool.start()
    slow = asyncio.ensure_future(pool.analyse(page("hang"), ReadingLane.SLOW))
    for number in range(5):
        assert isinstance(await pool.analyse(page(str(number))), Analysis)
    assert not slow.done()
    slow.cancel()
    await asyncio.wait([slow])
    await pool.close()


async def test_a_brief_reading_is_broken_off_and_the_next_page_is_read() -> None:
    pool = WorkerPool(MOODY, b'"recipe"', clock=RealClock(), size=1, deadline=PATIENCE, brief=0.5)
    await pool.start()
    late = await pool.analyse(page("hang"), ReadingLane.BRIEF)
    assert isinstance(late, Failed)
    assert late.reason is Reason.READING_TIMEOUT
    assert isinstance(await pool.analyse(page("x")), Analysis)
    await pool.close()


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


async def test_archives_and_files_are_read_beside_workers() -> None:
    recipe = msgspec.json.encode(AnalysisRecipe("breadth-first", {}, "auto", 1000, 100))
    pool = WorkerPool(FACTORY, recipe, clock=RealClock(), size=1, deadline=PATIENCE)
    await pool.start()
    body = packed({"a.pdf": pdf(), "b.txt": b"Boats sail.", "bad.pdf": b"%PDF-1.4"})
    try:
        found = await pool.analyse(msgspec.structs.replace(page("x.zip", body), mime="application/zip"))
        torn = await pool.analyse(msgspec.structs.replace(page("x.pdf", b"%PDF-1.4"), mime="application/pdf"))
    finally:
        await pool.close()
    assert isinstance(found, Analysis)
    assert found.archive is not None
    first, second, bad = [member.result for member in found.archive.members]
    assert isinstance(first, Analysis)
    assert (first.title, first.about["author"], len(first.links), first.features) == ("About boats", "Ann Lee", 1, b"")
    assert isinstance(second, Analysis)
    assert second.text == "Boats sail."
    assert isinstance(bad, Failed)
    assert isinstance(torn, Failed)
    assert bad.reason is torn.reason is Reason.UNREADABLE


def test_worker_whose_crawl_is_gone_ends_without_a_word() -> None:
    command = [sys.executable, "-m", "thresher.reading.worker", "tests.reading.worker_factories:moody"]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.close()
    write_frame(child.stdin, b'"recipe"')
    child.stdin.close()
    assert child.stderr.read() == b""
    assert child.wait(10) == 0
    child.stderr.close()
