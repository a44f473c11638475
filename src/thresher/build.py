"""The wiring: creates the parts of a crawl from the settings and connects them.

Every function takes settings and returns a part that is ready to use; there is no other logic here.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

from thresher.analysers import FACTORY, AnalysisRecipe, analyser_from, reader_of
from thresher.build_shard import make_shard
from thresher.config.settings import Settings
from thresher.crawl.archives import Archives, KnownMembers
from thresher.crawl.arrivals import Handler
from thresher.crawl.budget import Budget, Pace
from thresher.crawl.clock import DAY
from thresher.crawl.duplicates import KnownTexts, NearDuplicates
from thresher.crawl.engine import Engine
from thresher.crawl.focus import Before, Focus
from thresher.crawl.journal import Journal
from thresher.crawl.keeping import Keeper
from thresher.crawl.lists import Lists
from thresher.crawl.on_hand import PagesOnHand
from thresher.crawl.open_files import SLOW, idle_connections
from thresher.crawl.phases.harvest_rate import until
from thresher.crawl.phases.retraining import Retraining
from thresher.crawl.writer import Writer
from thresher.documents.analyse import Reader
from thresher.documents.formats.kinds import signatures
from thresher.documents.formats.limits import Limits
from thresher.documents.sandbox import OVERALL, SandboxLimits
from thresher.plugins import make_strategy
from thresher.protocols import Clock, Fetcher, Prices, Strategy
from thresher.reading.analysis import Analyser
from thresher.reading.workers import WorkerPool
from thresher.shard.protocol import Shard
from thresher.store.archive.archive_files import ARCHIVE, RecordPosition
from thresher.store.archive.replay import ReplayFetcher
from thresher.store.archive.warc_archive import WarcArchive
from thresher.store.crawl_history import all_crawls
from thresher.store.page_records import DocumentRow
from thresher.store.protocol import Store
from thresher.store.records import PREDECESSOR, CrawlKind, CrawlRow, Progress
from thresher.web.fetcher import HttpFetcher
from thresher.web.guard import AddressGuard
from thresher.web.posting import Poster
from thresher.web.user_agent import user_agent

POSTED = 4 << 20
"""Largest answer of a peer, in bytes: twice the largest message."""

FOCUSED = (CrawlKind.CRAWL, CrawlKind.HARVEST)
"""Crawls that spend their budget on the best pages; crawls for a query are stricter, all others fetch everything."""


def make_guard(settings: Settings) -> AddressGuard:
    """Return the address guard; without a contact, it only passes addresses that the portal allows."""
    network = settings.network
    return AddressGuard(allow=network.allow, mapped=network.map, public=bool(network.contact))


def make_fetcher(settings: Settings, clock: Clock) -> HttpFetcher:
    """Return the HTTP fetcher with its address guard."""
    network = settings.network
    return HttpFetcher(
        clock=clock,
        guard=make_guard(settings),
        agent=user_agent(network.contact),
        connect_timeout=network.connect_timeout,
        read_timeout=network.read_timeout,
        deadline=network.deadline,
        max_body=network.max_body,
        types=network.types,
        signatures=signatures(),
        parallel=SLOW * settings.engine.parallel,
        idle=idle_connections(settings.engine.parallel, worker_number(settings)),
    )


def make_poster(settings: Settings, clock: Clock) -> Poster:
    """Return the sender of messages to peers, with the fetcher's address guard."""
    network = settings.network
    return Poster(
        clock=clock,
        guard=make_guard(settings),
        agent=user_agent(network.contact),
        connect_timeout=network.connect_timeout,
        read_timeout=network.read_timeout,
        deadline=network.deadline,
        most=POSTED,
    )


def make_replay(settings: Settings, clock: Clock, paths: Sequence[str]) -> ReplayFetcher:
    """Return a fetcher that answers from archives; raise InputError if there is none to read."""
    network = settings.network
    return ReplayFetcher(
        [Path(path) for path in paths],
        clock,
        max_body=network.max_body,
        types=network.types,
        signatures=signatures(),
    )


def make_reader(settings: Settings) -> Reader:
    """Return the reader of pages."""
    return reader_of(recipe_of(settings, ""))


def recipe_of(settings: Settings, strategy: str, model: str = "") -> AnalysisRecipe:
    """Return the recipe of an analyser; `model` is the classifier's file, empty for none."""
    reading = settings.reading
    return AnalysisRecipe(
        strategy,
        settings.strategy,
        reading.language,
        reading.max_words,
        reading.max_links,
        reading.text,
        reading.languages,
        reading.d_stop,
        reading.main_text,
        model,
        make_file_limits(settings),
        reading.preview,
        settings.manners.nofollow,
    )


def make_file_limits(settings: Settings) -> SandboxLimits:
    """Return the limits for reading one file; an archive must be finished before its worker is killed."""
    files = settings.documents
    return SandboxLimits(
        seconds=min(files.seconds, 0.8 * settings.engine.reading_deadline / OVERALL),
        memory_mb=files.memory_mb,
        reading=Limits(
            pages=files.pages,
            unpacked=files.unpacked_mb * 1_000_000,
            members=files.members,
            nesting=files.nesting,
            types=tuple(settings.network.types),
        ),
    )


def worker_number(settings: Settings) -> int:
    """Return the number of worker processes on this machine, according to the settings."""
    return settings.engine.worker_number


async def make_analyser(settings: Settings, strategy: str, clock: Clock, model: str = "") -> Analyser:
    """Return the analyser: worker processes, or this process if the settings ask for none.

    `model` is the classifier's file, empty for none.
    """
    size = worker_number(settings)
    recipe = recipe_of(settings, strategy, model)
    if size == 0:
        return analyser_from(recipe)
    pool = WorkerPool(
        FACTORY, msgspec.json.encode(recipe), clock=clock, size=size, deadline=settings.engine.reading_deadline
    )
    await pool.start()
    return pool


def make_focus(
    settings: Settings, shard: Shard, strategy: Strategy, kind: CrawlKind, budget: Budget, before: Before
) -> Focus | None:
    """Return the focus of a crawl; None if scores carry no meaning or everything is to be fetched.

    `before` has the pages and seconds of earlier crawls of the same run.
    """
    if kind not in FOCUSED or (isinstance(strategy, Prices) and strategy.prices == "nothing"):
        return None
    focus = settings.focus
    return Focus(
        shard,
        budget,
        parallel=settings.engine.parallel,
        patience=focus.patience,
        worth=focus.worth,
        before=before,
    )


def _before(store: Store, crawl: CrawlRow) -> Before:
    """Return the pages and seconds of the crawls before this one: those of its run, or else its predecessor."""
    number = crawl.settings.get(PREDECESSOR)
    run = crawl.run.number if crawl.run is not None else None
    same = [
        earlier.progress
        for earlier in all_crawls(store)
        if earlier.id < crawl.id
        and (earlier.id == number if run is None else earlier.run is not None and earlier.run.number == run)
    ]
    return Before(sum(progress.pages for progress in same), sum(progress.seconds for progress in same))


def make_archive(store: Store, settings: Settings, directory: Path) -> WarcArchive:
    """Return the archive of a portal, truncated to the last committed answer."""
    archive = WarcArchive(directory / ARCHIVE, max_bytes=settings.archive.max_file_mb * 1_000_000)
    last = store.log.last_archived()
    archive.cut(RecordPosition(*last) if last else None)
    return archive


def make_engine(
    *,
    store: Store,
    crawl: CrawlRow,
    settings: Settings,
    fetcher: Fetcher,
    analyser: Analyser,
    clock: Clock,
    seeds: Iterable[str],
    directory: Path | None = None,
    threaded: bool = True,
    archived: bool = False,
    strategy: Strategy | None = None,
    retraining: Retraining | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    lessons: list[DocumentRow] | None = None,
) -> Engine:
    """Return an engine for one run of a crawl; `threaded` is off on virtual time, `archived` stores the answers.

    An already taught `strategy` replaces the one that the crawl names; `retraining` retrains its classifier during the
    crawl. `lessons` receives pages marked noindex.
    """
    strategy = strategy or make_strategy(crawl.strategy, settings.strategy)
    shard = make_shard(store, crawl.id, settings, strategy, clock, seeds)
    archive = make_archive(store, settings, directory) if archived and directory is not None else None
    writer = make_writer(store, settings, directory, archive, threaded=threaded)
    engine, budget = settings.engine, make_budget(settings, crawl.kind)
    return Engine(
        store=store,
        crawl=crawl,
        shard=shard,
        fetcher=fetcher,
        analyser=analyser,
        strategy=strategy,
        writer=writer,
        journal=Journal(crawl.id, shard, writer, clock, pages=engine.batch_pages, seconds=engine.batch_seconds),
        clock=clock,
        budget=budget,
        focus=make_focus(settings, shard, strategy, crawl.kind, budget, _before(store, crawl)),
        pace=make_pace(settings, crawl.kind, threaded=threaded),
        handler=make_handler(store, crawl, settings, archived=archive is not None, lessons=lessons),
        on_hand=make_on_hand(store, crawl, settings, clock),
        retraining=retraining,
        on_progress=on_progress,
    )


def make_budget(settings: Settings, kind: CrawlKind) -> Budget:
    """Return the limits of a run; only a harvest can end because of its harvest rate."""
    return Budget(
        pages=settings.crawl.pages,
        seconds=settings.crawl.hours * 3600,
        until=until(settings.harvest.until) if kind is CrawlKind.HARVEST else None,
    )


def make_pace(settings: Settings, kind: CrawlKind, *, threaded: bool) -> Pace:
    """Return the pace of a run; on virtual time there are no requests from other processes and no display."""
    return Pace(
        parallel=settings.engine.parallel,
        reorder_every=settings.engine.reorder_every,
        poll=0.5 if threaded else 0.0,
        show=0.1 if threaded else 0.0,
        window=settings.harvest.window,
        choosy=kind is CrawlKind.ASK,
    )


def make_writer(
    store: Store, settings: Settings, directory: Path | None, archive: WarcArchive | None, *, threaded: bool
) -> Writer:
    """Return the writer, which commits batches and appends answers to the archive, if there is one."""
    near = settings.reading.near_duplicates
    return Writer(
        store,
        threaded=threaded,
        directory=directory,
        min_free=settings.store.min_free_mb << 20,
        archive=archive,
        near=NearDuplicates(store, near) if near >= 0 else None,
    )


def make_on_hand(store: Store, crawl: CrawlRow, settings: Settings, clock: Clock) -> PagesOnHand | None:
    """Return what a crawl reads from the portal instead of fetching; None if everything is fetched.

    Plain crawls and refreshes fetch everything, and before the first crawl there is nothing to reuse.
    """
    if crawl.id == 1 or crawl.kind in (CrawlKind.CRAWL, CrawlKind.REFRESH):
        return None
    return PagesOnHand(store, clock, settings.manners.fresh_days * DAY)


def make_handler(
    store: Store,
    crawl: CrawlRow,
    settings: Settings,
    *,
    archived: bool,
    lessons: list[DocumentRow] | None = None,
) -> Handler:
    """Return the handler of arrivals; `archived` stores the answers, `lessons` receives pages marked noindex."""
    lists = Lists(settings.crawl.sitemaps) if settings.crawl.sitemaps else None
    keeper = Keeper(
        obey_noindex=settings.manners.noindex,
        follow=crawl.kind is not CrawlKind.REFRESH,
        lists=lists,
        archived=archived,
        texts=KnownTexts(store),
        drop_duplicates=settings.reading.duplicates,
        lessons=lessons,
    )
    archives = Archives(keeper, KnownMembers(store), Budget(pages=settings.crawl.pages))
    return Handler(max_redirects=settings.network.max_redirects, keeper=keeper, archives=archives, lists=lists)
