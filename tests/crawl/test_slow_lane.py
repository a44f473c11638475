"""Costly pages: what they take is their own domain's, and healthy hosts keep their rate; on virtual time."""

import asyncio
from itertools import pairwise
from typing import Any

import pytest

from tests.crawl.scripted import Bench, LineReader, Script, seeds
from thresher.crawl.budget import Budget
from thresher.crawl.clock import VirtualClock, run_virtual
from thresher.crawl.slow_lane import COSTLY, LARGE, MANY_LINKS, SHARE, SlowLane
from thresher.reading.analysis import Analysis, PageAnalyser, ReadingLane
from thresher.reading.fair_turns import FairTurns
from thresher.reasons import Reason
from thresher.shard.rules import Manners
from thresher.strategies.unfocused import BreadthFirst
from thresher.types import Failed, Fetched, Link, ParsedPage

SECONDS = 100.0
BRIEF = 1.0


class OneWorker:
    """Reads like a pool of one worker beside a slow one: pages of a host whose name begins with `costly` take long."""

    def __init__(self, seconds: float) -> None:
        self._here = PageAnalyser(LineReader(), BreadthFirst())
        self._seconds = seconds
        self._turns = {lane: FairTurns(1, VirtualClock()) for lane in ReadingLane}
        self.slowly: list[str] = []

    async def analyse(self, source: Fetched | ParsedPage, lane: ReadingLane = ReadingLane.COMMON) -> Analysis | Failed:
        turns = self._turns[ReadingLane.SLOW if lane is ReadingLane.SLOW else ReadingLane.COMMON]
        await turns.enter(source.url)
        seconds = self._seconds if "//costly" in source.url else 0.01
        if lane is ReadingLane.SLOW:
            self.slowly.append(source.url)
        try:
            if lane is ReadingLane.BRIEF and seconds > BRIEF:
                await asyncio.sleep(BRIEF)
                return Failed(url=source.url, reason=Reason.READING_TIMEOUT, at=0.0)
            await asyncio.sleep(seconds)
        finally:
            turns.leave()
        found = self._here.run(source)
        return Analysis(**{**_fields(found), "seconds": seconds}) if isinstance(found, Analysis) else found

    async def close(self) -> None:
        pass


def _fields(analysis: Analysis) -> dict[str, Any]:
    return {name: getattr(analysis, name) for name in analysis.__struct_fields__}


def endless(host: str, number: int, links: int = 1) -> Script:
    """Return a host of so many pages, each with another text and links to the next ones."""
    return {
        f"http://{host}/{page}": [f"=text of {host} {page}", *(f"http://{host}/{page + 1 + n}" for n in range(links))]
        for page in range(number)
    }


def healthy_pages(costly: int, seconds: float, links: int = 1) -> int:
    """Return how many pages four healthy hosts give in a while beside so many costly ones."""
    script: Script = {}
    names = [*(f"costly{number}.test" for number in range(costly)), *(f"good{number}.test" for number in range(4))]
    for name in names:
        script |= endless(name, 400, links if name.startswith("costly") else 1)
    manners = Manners(delay=0.25, per_host=1)
    bench = Bench(script, manners=manners, analyser=None, budget=Budget(seconds=SECONDS))
    starts = seeds(*(f"http://{name}/0" for name in names))

    async def go() -> None:
        await bench.engine(analyser=OneWorker(seconds)).run(starts)

    run_virtual(go())
    return sum("//good" in entry.url for entry in bench.store.log.entries() if entry.kind == "fetched" and entry.url)


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [0.5, 5.0])
def test_one_costly_host_does_not_starve_the_others(seconds: float) -> None:
    assert healthy_pages(1, seconds) >= 0.9 * healthy_pages(0, seconds)


def test_many_costly_hosts_do_not_starve_the_others() -> None:
    # Each of them is found out by one page that is broken off; that is all it ever takes from the others.
    alone, besieged = healthy_pages(0, 5.0), healthy_pages(20, 5.0)
    rate = alone / SECONDS
    assert besieged >= 0.9 * (alone - 20 * BRIEF * rate)


def answer(url: str, body: bytes = b"x", mime: str = "text/html") -> Fetched:
    return Fetched(url=url, status=200, headers=[], body=body, raw=body, mime=mime, at=0.0)


async def test_large_bodies_and_files_take_the_lane_before_they_are_read() -> None:
    lane = SlowLane(VirtualClock())
    assert lane.is_costly(answer("http://a.test/", b"x" * LARGE))
    assert not lane.is_costly(answer("http://a.test/", b"x" * (LARGE - 1)))
    assert lane.is_costly(answer("http://a.test/", mime="application/pdf"))


def test_files_of_a_domain_that_is_known_to_be_cheap_are_read_among_others() -> None:
    lane = SlowLane(VirtualClock())
    lane.handled("http://papers.test/", 0.01, 0.001)
    assert not lane.is_costly(answer("http://www.papers.test/1.pdf", mime="application/pdf"))
    lane.handled("http://www.papers.test/1.pdf", 4 * COSTLY, 0.001)
    assert lane.is_costly(answer("http://www.papers.test/2.pdf", mime="application/pdf"))


def test_a_domain_is_charged_for_its_pages_and_cheap_ones_hide_no_costly_one() -> None:
    async def go() -> None:
        lane = SlowLane(VirtualClock())
        for _ in range(3):
            lane.handled("http://x.costly.test/1", 8 * COSTLY, 0.0)
        assert lane.is_costly(answer("http://y.costly.test/"))
        for _ in range(9):
            lane.handled("http://costly.test/2", 0.001, 0.001)
        assert lane.is_costly(answer("http://costly.test/3"))
        # What could not be had says nothing about pages.
        for _ in range(1000):
            lane.handled("http://costly.test/404", None, 0.0)
        assert lane.is_costly(answer("http://costly.test/3"))
        for _ in range(100):
            lane.handled("http://costly.test/2", 0.001, 0.001)
        assert not lane.is_costly(answer("http://costly.test/3"))
        assert not lane.is_costly(answer("http://good.test/"))

    run_virtual(go())


def _with_links(number: int) -> Analysis:
    return Analysis(title="", text="", terms={}, links=[Link("http://b.test/", "", 0, 0)] * number)


def test_only_one_page_with_very_many_links_is_in_hand_at_a_time() -> None:
    async def go() -> None:
        lane = SlowLane(VirtualClock())
        assert lane.admits("http://a.test/", _with_links(MANY_LINKS))
        assert not lane.admits("http://b.test/", _with_links(MANY_LINKS))
        assert lane.admits("http://c.test/", _with_links(MANY_LINKS - 1))
        entered = asyncio.create_task(lane.enter("http://b.test/"))
        await asyncio.sleep(5.0)
        assert not entered.done()
        lane.handled("http://a.test/", 0.1, 0.1)
        await entered
        lane.leave("http://b.test/")
        assert lane.admits("http://d.test/", _with_links(MANY_LINKS))

    run_virtual(go())


def test_the_lane_rests_for_the_sake_of_others_only() -> None:
    async def entered_after(others: bool) -> float:
        clock = VirtualClock()
        lane = SlowLane(clock)
        await lane.enter("http://a.test/")
        if others:
            lane.handled("http://good.test/", 0.01, 0.001)
        lane.handled("http://a.test/", 1.0, 0.2)
        began = clock.now()
        await lane.enter("http://b.test/")
        return clock.now() - began

    assert run_virtual(entered_after(others=True)) == pytest.approx(0.2 / SHARE - 0.2)
    assert run_virtual(entered_after(others=False)) == 0.0


def test_a_page_that_is_broken_off_is_read_again_in_the_slow_lane() -> None:
    script = endless("costly.test", 3)
    bench = Bench(script, manners=Manners(delay=0.25, per_host=1))
    reader = OneWorker(5.0)

    async def go() -> None:
        await bench.engine(analyser=reader).run(seeds("http://costly.test/0"))

    run_virtual(go())
    assert reader.slowly == [f"http://costly.test/{page}" for page in range(3)]
    assert [bench.reason(url) for url in script] == [("done", None)] * 3


def gaps_between_requests(reading: float) -> list[float]:
    """Return the seconds between the requests to one host whose pages take so long to be read."""
    bench = Bench(endless("costly.test", 20), manners=Manners(delay=1.0, per_host=1), budget=Budget(pages=6))

    async def go() -> None:
        await bench.engine(analyser=OneWorker(reading)).run(seeds("http://costly.test/0"))

    run_virtual(go())
    asked = [when for when, _ in bench.fetcher.asked]
    return [round(later - when, 3) for when, later in pairwise(asked)]


def test_a_host_rests_from_its_answer_on_however_long_its_page_is_read() -> None:
    latency = 0.1
    assert set(gaps_between_requests(0.2)) == {1.0 + latency}
    # While a page is being read, its host is not asked for another one.
    assert set(gaps_between_requests(0.95)) == {1.0 + latency}
    assert all(gap >= 4.0 for gap in gaps_between_requests(4.0))
