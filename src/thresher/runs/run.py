"""One run of a crawl, from the lock on the portal to the last commit."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from msgspec.structs import replace

from thresher.analysers import trained
from thresher.build import make_engine, make_replay
from thresher.config.settings import Settings
from thresher.crawl.budget import DONE
from thresher.crawl.engine import Engine
from thresher.file_rights import share
from thresher.models import load_classifier, newest_model
from thresher.plugins import make_strategy
from thresher.portals import require_web
from thresher.protocols import Fetcher
from thresher.reading.workers import RenewableAnalyser
from thresher.runs.asking import ask
from thresher.runs.crawls import fetch_for_training, refresh, sample_sites, search_sites, start
from thresher.runs.indexing import CrawlIndexing
from thresher.runs.open_files import within_open_files
from thresher.runs.phases import harvest, learn
from thresher.runs.plans import (
    Ask,
    Harvest,
    Learn,
    NewCrawl,
    Plan,
    Refresh,
    Resume,
    RunResult,
    SampleSites,
    SearchSites,
    TrainingFetch,
)
from thresher.runs.preparation import Prepared
from thresher.runs.resumption import resume, to_resume
from thresher.runs.retrainer import PortalRetrainer, make_retraining
from thresher.runs.world import REAL, World
from thresher.store.crawl_history import asked
from thresher.store.locks import CrawlLock
from thresher.store.page_records import DocumentRow
from thresher.store.protocol import Store
from thresher.store.records import CrawlKind, Progress
from thresher.store.repository import open_store, require_portal
from thresher.train.reclassifying import Reclassified, reclassify
from thresher.train.retraining import retrain_portal


async def run(
    plan: Plan,
    on_progress: Callable[[Progress], None] | None = None,
    on_engine: Callable[[Engine], None] | None = None,
    *,
    on_stage: Callable[[str], None] = lambda _: None,
    held: bool = False,
    world: World = REAL,
) -> RunResult:
    """Run a crawl in a world; `on_engine` gets the engine before it starts, to be able to stop it.

    `on_stage` is called with messages about the steps after a harvest, and about limits of the machine.

    The portal's crawl lock is held for the run, unless the caller already holds it (`held`).
    """
    clock = world.clock
    with ExitStack() as stack:
        require_portal(plan.portal)
        if not held:
            stack.enter_context(CrawlLock(plan.portal))
        store = open_store(plan.portal)
        stack.callback(store.close)
        prepared = prepare(store, plan, clock.wall())
        settings = prepared.settings if world.alone else within_open_files(prepared.settings, on_stage)
        if settings.store.shared:
            share(plan.portal)
        if not world.alone:
            stack.enter_context(CrawlIndexing(plan.portal, settings.search.index_seconds))
        lessons: list[DocumentRow] = []
        progress = await _crawl(plan, store, prepared, settings, world, on_progress, on_engine, lessons)
        done = prepared.crawl.kind is CrawlKind.HARVEST and progress.stopped_because in DONE
        if done:
            on_stage("Harvest: reclassifying all pages with the latest model.")
        judged = _reclassified(plan.portal, store, prepared, clock.wall()) if done else None
        return RunResult(prepared.crawl, progress, lessons, judged)


async def _crawl(
    plan: Plan,
    store: Store,
    prepared: Prepared,
    settings: Settings,
    world: World,
    on_progress: Callable[[Progress], None] | None,
    on_engine: Callable[[Engine], None] | None,
    lessons: list[DocumentRow],
) -> Progress:
    """Create the engine of a prepared crawl and run it to its end; a fetch for training fills `lessons`."""
    spec = prepared.crawl.strategy
    strategy, _ = trained(make_strategy(spec, settings.strategy), spec, prepared.model)
    analyser = RenewableAnalyser(await world.analyser(settings, spec, prepared.model))
    fetcher = _fetcher(prepared, settings, world)
    retrainer = PortalRetrainer(plan.portal, prepared.crawl, settings, analyser, world)
    shown = _with_limits(on_progress, prepared)
    try:
        engine = make_engine(
            store=store,
            crawl=prepared.crawl,
            settings=settings,
            fetcher=fetcher,
            analyser=analyser,
            clock=world.clock,
            seeds=prepared.homes,
            directory=plan.portal,
            threaded=not world.alone,
            archived=settings.archive.enabled and not prepared.replay,
            strategy=strategy,
            retraining=make_retraining(settings, prepared.trained_at, retrainer),
            on_progress=shown,
            lessons=lessons if isinstance(plan, TrainingFetch) else None,
        )
        if on_engine is not None:
            on_engine(engine)
        ended = await engine.run(prepared.seeds, prepared.known, prepared.before)
        if shown is not None:
            shown(ended)
        return ended
    finally:
        await analyser.close()
        await fetcher.close()


def _with_limits(
    on_progress: Callable[[Progress], None] | None, prepared: Prepared
) -> Callable[[Progress], None] | None:
    """Return `on_progress` extended by the limits of the crawl, or None if it is None."""
    if on_progress is None:
        return None
    report, limits, known = on_progress, prepared.settings.crawl, len(prepared.known)
    pages, seconds = limits.pages or known, limits.hours * 3600
    if known and limits.max_depth == 0:
        # No link is followed, so there are no more pages than these.
        pages = min(pages, known)
    return lambda progress: report(replace(progress, page_limit=pages, time_limit=seconds))


def _reclassified(portal: Path, store: Store, prepared: Prepared, at: float) -> Reclassified | None:
    """Run a last round of retraining, and reclassify all pages with the resulting model.

    A harvest for a query says nothing about other topics, so it ends without a round. Returns None without a round.
    """
    if not prepared.crawl.settings.get("query"):
        retrain_portal(portal, store, prepared.settings, at)
    if newest_model(portal, store)[1] == prepared.model:
        return None
    return reclassify(store, load_classifier(portal, store), at=at, preview=prepared.settings.reading.preview)


def prepare(store: Store, plan: Plan, at: float) -> Prepared:
    """Return the prepared crawl for a plan; all errors are raised here, before anything is fetched."""
    if not _replays(store, plan):
        require_web(plan.portal)
    match plan:
        case NewCrawl():
            return start(store, plan, at)
        case Learn():
            return learn(store, plan, at)
        case Harvest():
            return harvest(store, plan, at)
        case Ask():
            before = None if plan.fresh else asked(store, plan.query)
            goes_on = before is not None and not 0 < plan.pages <= before.progress.pages
            if before is None or not goes_on:
                return ask(store, plan, at)
            return resume(store, Resume(plan.portal, plan.limits, crawl=before.id), at)
        case Refresh():
            return refresh(store, plan, at)
        case Resume():
            return resume(store, plan, at)
        case TrainingFetch():
            return fetch_for_training(store, plan, at)
        case SampleSites():
            return sample_sites(store, plan, at)
        case SearchSites():
            return search_sites(store, plan, at)


def _replays(store: Store, plan: Plan) -> bool:
    """Return whether archives replace the web."""
    match plan:
        case NewCrawl():
            return bool(plan.replay)
        case Resume():
            crawl = to_resume(store, plan)
            return crawl is not None and bool(crawl.settings["replay"])
        case _:
            return False


def _fetcher(prepared: Prepared, settings: Settings, world: World) -> Fetcher:
    if prepared.replay:
        return make_replay(settings, world.clock, prepared.replay)
    return world.fetcher(settings, world.clock)
