"""Waiting for long work: who is called where, and what stops it."""

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, cast

import pytest

from tests.machine import PATIENCE
from thresher.api.waiting import InThread, Waits, result_of
from thresher.crawl.budget import Stop
from thresher.crawl.engine import Engine
from thresher.runs.training import Watch
from thresher.store.records import Progress


class Crawl:
    """Stands in for an engine that crawls until it is stopped; `over` it does not obey any more."""

    def __init__(self, over: bool = False) -> None:
        self.stopped = asyncio.Event()
        self.because: Stop | None = None
        self.over = over

    def stop(self, because: Stop) -> bool:
        self.because = because
        self.stopped.set()
        return not self.over


def crawling(progress: int = 3, over: bool = False) -> Callable[[Watch], Coroutine[Any, Any, Stop | None]]:
    """Return work that tells of progress and then crawls until it is stopped."""

    async def work(watch: Watch) -> Stop | None:
        crawl = Crawl(over)
        with watch.crawling(True) as on_engine:
            assert on_engine is not None
            on_engine(cast(Engine, crawl))
            for pages in range(progress):
                assert watch.progress is not None
                watch.progress(Progress(pages=pages))
            await asyncio.wait_for(crawl.stopped.wait(), PATIENCE)
        return crawl.because

    return work


@pytest.fixture(autouse=True)
def usual_interrupts() -> Iterator[None]:
    """Let Ctrl-C mean what it usually does; where tests run in the background of a shell it is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_progress_is_told_in_the_thread_that_waits_and_ctrl_c_stops_the_crawl() -> None:
    seen: list[tuple[int, bool]] = []

    def tell(progress: Progress) -> None:
        seen.append((progress.pages, threading.current_thread() is threading.main_thread()))
        signal.raise_signal(signal.SIGINT)

    assert InThread(tell, every=0.01).result(crawling()) is Stop.INTERRUPTED
    assert seen == [(2, True)]


def test_ctrl_c_is_not_lost_where_the_crawl_had_ended_by_itself() -> None:
    with pytest.raises(KeyboardInterrupt):
        InThread(lambda _: signal.raise_signal(signal.SIGINT), every=0.01).result(crawling(over=True))


def test_an_error_of_the_function_that_is_told_stops_the_crawl_and_is_raised() -> None:
    def tell(_: Progress) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        InThread(tell, every=0.01).result(crawling())


def test_what_raised_is_not_called_again_while_the_crawl_stops() -> None:
    async def work(watch: Watch) -> Stop | None:
        assert watch.progress is not None
        stopped = await crawling()(watch)
        watch.progress(Progress(pages=9))
        return stopped

    seen: list[int] = []

    def tell(progress: Progress) -> None:
        seen.append(progress.pages)
        raise KeyboardInterrupt

    assert InThread(tell, every=0.01).result(work) is Stop.INTERRUPTED
    assert seen == [2]


def test_errors_of_the_work_are_raised() -> None:
    async def work(_: Watch) -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        result_of(work, None)


def test_whoever_waits_in_its_own_way_gets_the_work() -> None:
    class Own:
        def result(self, work: Callable[[Watch], Coroutine[Any, Any, Any]]) -> Any:
            return asyncio.run(work(Watch(note=noted.append)))

    async def work(watch: Watch) -> int:
        watch.note("hello")
        return 7

    noted: list[str] = []
    assert isinstance(Own(), Waits)
    assert (result_of(work, Own()), noted) == (7, ["hello"])


def test_a_stage_comes_after_the_counters_of_the_one_before() -> None:
    async def work(watch: Watch) -> None:
        assert watch.progress is not None
        watch.stage("first")
        watch.progress(Progress(pages=3))
        watch.stage("second")

    told: list[str] = []
    InThread(lambda progress: told.append(f"{progress.pages} pages"), told.append).result(work)
    assert told == ["first", "3 pages", "second"]
