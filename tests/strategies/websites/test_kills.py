"""A crawl for sites that is killed between any two commits and goes on."""

from collections.abc import Sequence
from copy import deepcopy
from functools import cache

import pytest

from thresher.bench.profile import bench_settings
from thresher.bench.sites.labelled_sites import GeneratedSites
from thresher.bench.sites.sampling import examples
from thresher.build import make_engine
from thresher.crawl.clock import VirtualClock, run_virtual
from thresher.plugins import make_strategy
from thresher.reading.analysis import PageAnalyser
from thresher.site_types import SiteRow
from thresher.store.memory import MemoryStore
from thresher.store.records import Batch, CrawlKind
from thresher.strategies.websites.strategy import Websites
from thresher.types import Link, ParsedPage


class KilledError(Exception):
    """The process is gone."""


class MortalStore(MemoryStore):
    """A store whose process dies before it has written its n-th batch; 0 for never."""

    def __init__(self) -> None:
        super().__init__()
        self.dies_after = 0

    def commit(self, batch: Batch) -> int:
        if self.dies_after:
            self.dies_after -= 1
            if not self.dies_after:
                raise KilledError
        return super().commit(batch)


class Task:
    """A small generated web of sites, with what a crawl of it is given."""

    def __init__(self) -> None:
        self.web = GeneratedSites(bench_settings(), sites=60, seed=3, examples=2, others=6)
        start = self.web.start(self.web.topics[1], 0)
        self.starts = start.relevant
        self.taught: list[tuple[ParsedPage, str | None]] = examples(self.web, self.web.topics[1], start, 6)

    @cache  # noqa: B019
    def fitted(self, spec: str) -> Websites:
        """Return a strategy that has learned and not crawled."""
        made = make_strategy(spec)
        assert isinstance(made, Websites)
        return made.fit(self.taught)

    def crawled(self, spec: str, kills: Sequence[int] = ()) -> tuple[list[str], list[SiteRow]]:
        """Return the pages in the order of fetching and the sites, after kills at the n-th commits of each run."""
        store = MortalStore()
        row = store.crawls.start(CrawlKind.SITES, spec, {}, 0.0)
        for dies in [*kills, 0]:
            store.dies_after = dies
            try:
                run_virtual(self._run(store, spec))
            except KilledError:
                continue
            break
        return (
            [entry.url for entry in store.log.entries() if entry.kind == "fetched" and entry.url],
            store.sites.of_crawl(row.id),
        )

    async def _run(self, store: MortalStore, spec: str) -> None:
        settings = bench_settings(["crawl.pages=100", "crawl.sitemaps=0", "engine.batch_pages=3"])
        strategy = deepcopy(self.fitted(spec))
        crawl = store.crawls.get()
        assert crawl is not None
        clock = VirtualClock()
        begun = any(entry.kind == "started" for entry in store.log.entries())
        engine = make_engine(
            store=store,
            crawl=crawl,
            settings=settings,
            fetcher=self.web.fetcher(clock),
            analyser=PageAnalyser(self.web.reader(), strategy, obey_nofollow=False),
            clock=clock,
            seeds=self.starts,
            threaded=False,
            strategy=strategy,
        )
        await engine.run([] if begun else [Link(url, "", 0, 0) for url in self.starts])


@pytest.fixture(scope="module")
def task() -> Task:
    return Task()


@pytest.mark.parametrize("spec", ["websites", "websites(order=variance)", "websites(collect=false;edges=global)"])
def test_a_killed_crawl_reads_the_same_pages_and_decides_the_same(task: Task, spec: str) -> None:
    pages, sites = task.crawled(spec)
    assert len(pages) == len(set(pages)) == 100
    again, decided = task.crawled(spec, [4, 9, 2, 7])
    assert again == pages
    assert decided == sites


def test_two_names_of_a_site_are_recognised_after_a_kill(task: Task) -> None:
    made, other = deepcopy(task.fitted("websites")), deepcopy(task.fitted("websites"))
    assert made.examined.enter("http://one.test/", 0, 77) is not None
    other.restore(made.state())
    assert other.examined.enter("http://two.test/", 0, 77) is None
    (row,) = other.examined.changes().sites
    assert (row.site, row.same_as) == ("two.test", "one.test")


def test_what_was_suspected_of_a_host_is_remembered() -> None:
    made, other = make_strategy("websites"), make_strategy("websites")
    assert isinstance(made, Websites)
    assert isinstance(other, Websites)
    for number in range(5):
        made._names.linked(f"http://pages.test/p{number}/", "boats.test")
    other.restore(made.state())
    for number in range(5, 8):
        other._names.linked(f"http://pages.test/p{number}/", "sails.test")
    assert other._names.of("http://pages.test/p1/about.html") == "pages.test/p1"
