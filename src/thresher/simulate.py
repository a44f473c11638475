"""Crawls the generated web in memory, on virtual time: fast, without a network, and deterministic."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from thresher.analysers import taught
from thresher.build import make_engine, make_reader
from thresher.classify.flat import FlatClassifier
from thresher.config.load import load
from thresher.config.settings import Settings
from thresher.crawl.clock import VirtualClock, run_virtual
from thresher.plugins import make_strategy
from thresher.reading.analysis import PageAnalyser
from thresher.simweb.fetcher import SimFetcher
from thresher.simweb.web import Web
from thresher.store.memory import MemoryStore
from thresher.store.protocol import Store
from thresher.store.records import CrawlKind, CrawlRow, LogEntry, Progress
from thresher.types import Link, ParsedPage


class Simulation(Struct, frozen=True):
    """A crawl in memory; the store contains its pages and its log."""

    progress: Progress
    store: Store
    crawl: CrawlRow

    def log(self) -> list[LogEntry]:
        """Return the log of the crawl."""
        return list(self.store.log.entries(0, self.crawl.id))


def simulate(
    web: Web,
    strategy: str = "breadth-first",
    *,
    pages: int = 0,
    seeds: Sequence[str] = (),
    overrides: Sequence[str] = (),
    examples: Sequence[tuple[ParsedPage, str | None]] = (),
    store: Store | None = None,
    crawl: CrawlRow | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> Simulation:
    """Crawl a generated web in this process; `pages` is the budget, 0 for none, `overrides` are settings.

    `seeds` default to the web's start pages. The plain page classifier is fitted to `examples` (pages with their topic
    or None), and the strategy learns from them. `crawl` resumes a crawl in the `store`; `on_progress` is called after
    every step.

    >>> from thresher.simweb.parameters import WebParameters
    >>> run = simulate(Web(WebParameters(pages=200, hosts=5)), pages=20)
    >>> run.progress.pages, run.log()[-1].detail
    (20, {'because': 'pages'})
    """
    named = [f'crawl.strategy="{strategy}"', f"crawl.pages={pages}", "manners.delay=0", "store.min_free_mb=0"]
    settings = load(overrides=[*named, *overrides]).settings
    keep = store if store is not None else MemoryStore()
    return run_virtual(_crawl(web, settings, list(seeds) or web.start_pages(), keep, crawl, examples, on_progress))


async def _crawl(
    web: Web,
    settings: Settings,
    seeds: list[str],
    store: Store,
    crawl: CrawlRow | None,
    examples: Sequence[tuple[ParsedPage, str | None]],
    on_progress: Callable[[Progress], None] | None,
) -> Simulation:
    snapshot: dict[str, Any] = settings.model_dump(mode="json")
    row = crawl or store.crawls.start(CrawlKind.CRAWL, settings.crawl.strategy, snapshot, VirtualClock().wall())
    links = [] if crawl else [Link(url, "", 0, 0) for url in seeds]
    clock = VirtualClock()
    classifier = FlatClassifier().fit(examples) if examples else None
    made = taught(make_strategy(row.strategy, settings.strategy), row.strategy, classifier, examples)
    engine = make_engine(
        store=store,
        crawl=row,
        settings=settings,
        fetcher=SimFetcher(web, clock, types=settings.network.types),
        analyser=PageAnalyser(
            make_reader(settings),
            made,
            classifier,
            preview=settings.reading.preview,
            obey_nofollow=settings.manners.nofollow,
        ),
        clock=clock,
        seeds=seeds,
        threaded=False,
        strategy=made,
        on_progress=on_progress,
    )
    progress = await engine.run(links)
    return Simulation(progress, store, row)
