"""One run of a crawl, from the lock on the portal to the last commit."""

from collections.abc import Callable
from contextlib import ExitStack

from thresher.analysers import trained
from thresher.build import make_engine, make_replay
from thresher.crawl.engine import Engine
from thresher.plugins import make_strategy
from thresher.portals import require_web
from thresher.protocols import Fetcher
from thresher.reading.workers import RenewableAnalyser
from thresher.runs.crawls import fetch_for_training, refresh, start
from thresher.runs.phases import harvest, learn
from thresher.runs.plans import Harvest, Learn, Plan, Refresh, Resume, RunResult, Start, TrainingFetch
from thresher.runs.preparation import Prepared
from thresher.runs.resumption import resume
from thresher.runs.retrainer import PortalRetrainer, make_retraining
from thresher.runs.world import REAL, World
from thresher.store.crawl_history import resumable_crawl
from thresher.store.locks import CrawlLock
from thresher.store.protocol import Store
from thresher.store.records import Progress
from thresher.store.repository import open_store, require_portal


async def run(
    plan: Plan,
    on_progress: Callable[[Progress], None] | None = None,
    on_engine: Callable[[Engine], None] | None = None,
    *,
    held: bool = False,
    world: World = REAL,
) -> RunResult:
    """Run a crawl in a world; `on_engine` gets the engine before it starts, to stop it by.

    The portal's crawl lock is taken for the run, unless it is `held` by the caller already.
    """
    clock = world.clock
    with ExitStack() as stack:
        require_portal(plan.portal)
        if not held:
            stack.enter_context(CrawlLock(plan.portal))
        store = open_store(plan.portal)
        stack.callback(store.close)
        prepared = prepare(store, plan, clock.wall())
        settings = prepared.settings
        spec = prepared.crawl.strategy
        strategy, _ = trained(make_strategy(spec, settings.strategy), spec, prepared.model)
        analyser = RenewableAnalyser(await world.analyser(settings, spec, prepared.model))
        fetcher = _fetcher(prepared, world)
        try:
            engine = make_engine(
                store=store,
                crawl=prepared.crawl,
                settings=settings,
                fetcher=fetcher,
                analyser=analyser,
                clock=clock,
                seeds=prepared.homes,
                directory=plan.portal,
                threaded=not world.alone,
                archived=settings.archive.enabled and not prepared.replay,
                strategy=strategy,
                retraining=make_retraining(
                    settings,
                    prepared.trained_at,
                    PortalRetrainer(plan.portal, prepared.crawl, settings, analyser, world),
                ),
                on_progress=on_progress,
            )
            if on_engine is not None:
                on_engine(engine)
            progress = await engine.run(prepared.seeds, prepared.known, prepared.before)
        finally:
            await analyser.close()
            await fetcher.close()
        return RunResult(prepared.crawl, progress)


def prepare(store: Store, plan: Plan, at: float) -> Prepared:
    """Return what a plan comes to at a wall time; all that can be wrong is raised here, before anything is fetched."""
    if not _replays(store, plan):
        require_web(plan.portal)
    match plan:
        case Start():
            return start(store, plan, at)
        case Learn():
            return learn(store, plan, at)
        case Harvest():
            return harvest(store, plan, at)
        case Refresh():
            return refresh(store, plan, at)
        case Resume():
            return resume(store, plan, at)
        case TrainingFetch():
            return fetch_for_training(store, plan, at)


def _replays(store: Store, plan: Plan) -> bool:
    """Tell whether archives stand in for the web."""
    match plan:
        case Start():
            return bool(plan.replay)
        case Resume():
            crawl = resumable_crawl(store)
            return crawl is not None and bool(crawl.settings["replay"])
        case _:
            return False


def _fetcher(prepared: Prepared, world: World) -> Fetcher:
    if prepared.replay:
        return make_replay(prepared.settings, world.clock, prepared.replay)
    return world.fetcher(prepared.settings, world.clock)
