"""The wiring: makes the parts of a crawl from the settings and puts them together.

Everything here takes settings and returns a part that is ready to use; nothing here decides anything.
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
from thresher.crawl.focus import Focus
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
from thresher.store.page_records import DocumentRow
from thresher.store.protocol import Store
from thresher.store.records import PREDECESSOR, CrawlKind, CrawlRow, Progress
from thresher.web.fetcher import HttpFetcher
from thresher.web.guard import AddressGuard
from thresher.web.posting import Poster
from thresher.web.user_agent import user_agent

POSTED = 4 << 20
"""Bytes of the largest answer of a peer: twice the largest message."""

FOCUSED = (CrawlKind.CRAWL, CrawlKind.HARVEST)
"""Crawls that spend their budget on the best; one for a query chooses more strictly, the others want all they fetch."""


def make_guard(settings: Settings) -> AddressGuard:
    """Return the address guard; without a contact only the addresses the portal allows pass."""
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
    """Return what sends messages to peers, with the address guard of the fetcher."""
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
    """Return a fetcher that answers from archives; raises InputError if there is none to read."""
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
    """Return what analysis depends on; `model` is the file of the classifier, empty for none."""
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
    """Return what one file may make its reader do; an archive must be done before its worker is given up."""
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
    """Return how many worker processes the settings ask for on this machine."""
    return settings.engine.worker_number


async def make_analyser(settings: Settings, strategy: str, clock: Clock, model: str = "") -> Analyser:
    """Return the analyser the settings ask for: worker processes, or this process if there are none.

    `model` is the file of the classifier, empty for none.
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
    settings: Settings, shard: Shard, strategy: Strategy, kind: CrawlKind, budget: Budget, before: float
) -> Focus | None:
    """Return what says which scores are worth it; None where scores say nothing, or all that waits is wanted.

    `before` is how many seconds the crawl took that this one continues from.
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


def _seconds_before(store: Store, crawl: CrawlRow) -> float:
    """Return how many seconds the crawl took that another continues from, 0 if there is none."""
    number = crawl.settings.get(PREDECESSOR)
    earlier = store.crawls.get(int(number)) if number else None
    return earlier.progress.seconds if earlier is not None else 0.0


def make_archive(store: Store, settings: Settings, directory: Path) -> WarcArchive:
    """Return the archive of a portal, cut to the last answer that was committed."""
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
    """Return an engine for one run of a crawl; `threaded` is off on virtual time, `archived` keeps the answers.

    A `strategy` that has been taught takes the place of the one that the crawl names; `retraining` retrains its
    classifier on the way. `lessons` gets the pages that ask not to be kept.
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
        focus=make_focus(settings, shard, strategy, crawl.kind, budget, _seconds_before(store, crawl)),
        pace=make_pace(settings, crawl.kind, threaded=threaded),
        handler=make_handler(store, crawl, settings, archived=archive is not None, lessons=lessons),
        on_hand=make_on_hand(store, crawl, settings, clock),
        retraining=retraining,
        on_progress=on_progress,
    )


def make_budget(settings: Settings, kind: CrawlKind) -> Budget:
    """Return the limits of a run; only a harvest ends by its harvest rate."""
    return Budget(
        pages=settings.crawl.pages,
        seconds=settings.crawl.hours * 3600,
        until=until(settings.harvest.until) if kind is CrawlKind.HARVEST else None,
    )


def make_pace(settings: Settings, kind: CrawlKind, *, threaded: bool) -> Pace:
    """Return how much is done at once and how often; on virtual time nobody asks for anything or watches."""
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
    """Return what commits the batches of a crawl and appends its answers to the archive, if there is one."""
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
    """Return what a crawl takes from the portal in place of fetching it; None if all is to be fetched.

    A plain crawl and a refresh ask for everything themselves, and before the first crawl there is nothing to take.
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
    """Return what handles arrivals; `archived` keeps the answers, `lessons` gets pages that ask not to be kept."""
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
