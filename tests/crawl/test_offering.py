"""Pages with very many links: they are entered in slices, between which others are handled, and committed whole."""

from typing import Any

from msgspec.structs import replace

from tests.crawl.scripted import Bench, Script, seeds
from thresher.crawl.budget import Budget
from thresher.crawl.clock import run_virtual
from thresher.crawl.keeping import SLICE, Offering
from thresher.crawl.slow_lane import MANY_LINKS
from thresher.protocols import View
from thresher.reasons import Reason
from thresher.shard.rules import Manners
from thresher.shard.values import Offer
from thresher.store.memory import MemoryStore
from thresher.store.records import Batch
from thresher.strategies.unfocused import BreadthFirst
from thresher.types import Candidate, Reading


class Noting:
    """A shard that notes what it is offered."""

    def __init__(self) -> None:
        self.offered: list[tuple[int, Reason | None]] = []

    def offer(self, offers: Any) -> None:
        self.offered += [(len(offer.candidates), offer.reason) for offer in offers]


def candidates(number: int) -> list[Candidate]:
    return [Candidate(url=f"http://a.test/{place}", priority=(1.0,)) for place in range(number)]


def test_few_links_are_offered_at_once_also_while_others_are_left() -> None:
    shard: Any = Noting()
    offering = Offering(shard)
    offering.offer([Offer(candidates(MANY_LINKS + 1)), Offer(candidates(3), Reason.NOFOLLOW)])
    assert shard.offered == [(SLICE, None)]
    offering.offer([Offer(candidates(7))])
    assert shard.offered[1:] == [(7, None)]
    slices = -(-(MANY_LINKS + 1) // SLICE)
    assert len(offering.left) == slices
    offering.finish()
    assert not offering.left
    assert sum(number for number, _ in shard.offered) == MANY_LINKS + 1 + 3 + 7
    assert shard.offered[-1] == (3, Reason.NOFOLLOW)


def test_a_page_with_very_many_links_is_committed_with_all_of_them() -> None:
    links = [f"http://big.test/{place}" for place in range(3 * MANY_LINKS)]
    script: Script = {
        "http://big.test/": links,
        "http://small.test/": ["http://small.test/1"],
        "http://small.test/1": [],
    }
    bench = Bench(script, manners=Manners(delay=0.5), budget=Budget(pages=3), store=Watched())

    async def go() -> None:
        await bench.engine(bound=100_000).run(seeds("http://big.test/", "http://small.test/"))

    run_virtual(go())
    assert bench.store.seen_with_page == {"http://big.test/": len(links)}


class Clearing(BreadthFirst):
    """Is done with the links of the big page as soon as it has seen the small one."""

    done = False

    def rank(self, reading: Reading[Any], view: View) -> list[Candidate]:
        self.done = self.done or reading.candidate.url == "http://small.test/"
        queue = "big" if reading.candidate.url == "http://big.test/" else ""
        return [replace(candidate, queue=queue) for candidate in super().rank(reading, view)]

    def clear_queues(self, view: View) -> list[str]:
        return ["big"] if self.done else []


def test_links_still_to_be_offered_enter_no_queue_that_was_cleared() -> None:
    links = [f"http://big.test/{place}" for place in range(3 * MANY_LINKS)]
    script: Script = {"http://big.test/": links, "http://small.test/": []}
    bench = Bench(script, manners=Manners(delay=0.5), budget=Budget(pages=2), strategy=Clearing())

    async def go() -> None:
        await bench.engine(bound=100_000).run(seeds("http://big.test/", "http://small.test/"))

    run_virtual(go())
    assert bench.crawl is not None
    assert bench.reason(links[-1])[0] != "waiting"
    assert [row for row in bench.store.urls.waiting(bench.crawl.id) if row.queue == "big"] == []


class Watched(MemoryStore):
    """Notes how many URLs of a page are known when the page itself is committed."""

    def __init__(self) -> None:
        super().__init__()
        self.seen_with_page: dict[str, int] = {}
        self._urls_so_far: list[str | None] = []

    def commit(self, batch: Batch) -> int:
        self._urls_so_far += [row.candidate.parent for row in batch.urls]
        for document in batch.documents:
            if len(document.links) > MANY_LINKS:
                self.seen_with_page[document.url] = self._urls_so_far.count(document.url)
        return super().commit(batch)
