"""Crawls for a task with the normal engine, in virtual time and in memory, over previously parsed pages."""

import time
from collections.abc import Mapping

from msgspec import Struct

from thresher.bench.page_cache import PageCache
from thresher.bench.playback import CachedReader, playback
from thresher.bench.protocol import Task
from thresher.build import make_engine
from thresher.config.settings import Settings
from thresher.crawl.clock import VirtualClock, run_virtual
from thresher.protocols import PageClassifier, Strategy
from thresher.reading.analysis import PageAnalyser
from thresher.store.memory import MemoryStore
from thresher.store.records import CrawlKind
from thresher.types import Link


class Crawled(Struct, frozen=True):
    """The result of a crawl: its pages in the order they were fetched, and the CPU time.

    `cpu_seconds` is the time of engine, strategy and classifier, without decoding pages from the cache.
    `virtual_seconds` is the duration of the crawl.
    """

    urls: list[str]
    cpu_seconds: float
    virtual_seconds: float = 0.0


def crawl(
    task: Task,
    pages: PageCache,
    settings: Settings,
    strategy: Strategy,
    classifier: PageClassifier | None = None,
    robots: Mapping[str, bytes] | None = None,
) -> Crawled:
    """Crawl a task until the budget of the settings is spent or nothing is left.

    With `robots` files by host (possibly none), responses take as long as each host takes.
    """
    reader = CachedReader(pages)
    served = frozenset(url for number, url in enumerate(pages.urls) if task.open[number])
    store = MemoryStore()

    async def from_the_starts() -> float:
        clock = VirtualClock()
        engine = make_engine(
            store=store,
            crawl=store.crawls.start(CrawlKind.CRAWL, type(strategy).__name__, {}, clock.wall()),
            settings=settings,
            fetcher=playback(served, clock, robots),
            analyser=PageAnalyser(reader, strategy, classifier, obey_nofollow=settings.manners.nofollow),
            clock=clock,
            seeds=task.starts,
            threaded=False,
            strategy=strategy,
        )
        await engine.run([Link(url, "", 0, 0) for url in task.starts])
        return round(clock.now(), 1)

    before = time.process_time()
    lasted = run_virtual(from_the_starts())
    seconds = time.process_time() - before - reader.cpu_seconds
    entries = store.log.entries()
    urls = [entry.url for entry in entries if entry.kind == "fetched" and entry.url and entry.url in pages]
    return Crawled(urls, seconds, lasted)
