"""The whole run: train, learn, archetypes, harvest; called again, it continues."""

from collections.abc import Callable, Sequence
from contextlib import closing
from enum import StrEnum
from pathlib import Path
from statistics import median
from typing import Any

from msgspec import Struct

from thresher.config.load import load
from thresher.config.settings import Settings
from thresher.crawl.budget import DONE
from thresher.models import load_classifier
from thresher.runs.forecast import delays_of
from thresher.runs.plans import Harvest, Learn, Plan, Resume, RunResult
from thresher.runs.preparation import start_urls
from thresher.runs.run import run
from thresher.runs.run_budget import Allowance, RunBudget, account_of, own_pages
from thresher.runs.training import Watch, train
from thresher.runs.world import REAL, World
from thresher.shard.rules import homes_of
from thresher.store.crawl_history import newest_of, resumable_crawl
from thresher.store.locks import CrawlLock
from thresher.store.protocol import Store
from thresher.store.records import PHASES, CrawlKind, CrawlRow, CrawlState, ModelRow, RunMark
from thresher.store.repository import open_store
from thresher.train.changed_topics import learnt_topics, topics_changed
from thresher.train.reclassifying import Reclassified, reclassify
from thresher.train.report import Trained
from thresher.train.retraining import retrain_portal, rules_of


class Stage(StrEnum):
    """What a portal needs next."""

    TRAIN = "train"
    LEARN = "learn"
    RETRAIN = "retrain"
    REVIEW = "review"
    HARVEST = "harvest"
    DONE = "done"


class FinishedStage(Struct, frozen=True):
    """A finished stage: its result, and whether it was interrupted.

    `judged` is the result of judging all pages again with what a round or the harvest has learned.
    """

    stage: Stage
    outcome: RunResult | None = None
    trained: Trained | None = None
    round: dict[str, Any] | None = None
    judged: Reclassified | None = None
    interrupted: bool = False


def next_stage(store: Store, settings: Settings, budget: RunBudget | None = None) -> Stage:
    """Return the next stage of a portal; with a larger `budget`, a harvest that has spent its own continues."""
    if store.models.newest() is None:
        return Stage.TRAIN
    left = account_of(store, budget).left
    last = newest_of(store, *PHASES)
    if left == 0:
        return Stage.DONE
    if last is None or (last.kind is CrawlKind.LEARN and not _is_done(last, left)):
        return Stage.LEARN
    if last.kind is CrawlKind.HARVEST:
        return Stage.HARVEST if _goes_on(store, last, left, budget) else Stage.DONE
    held = any("change" in (row.report or {}) and row.at >= last.started for row in store.models.all())
    if held:
        return Stage.HARVEST
    return Stage.REVIEW if settings.archetypes.review and not _reviewed(store) else Stage.RETRAIN


def stage_of(portal: Path, settings: Settings, budget: RunBudget | None, fresh: bool) -> tuple[Stage, bool]:
    """Return what a portal needs next, and whether it should learn and harvest again once it is trained.

    It should if `fresh` is set, or if the topics have changed since they were learned or last crawled for.
    """
    with closing(open_store(portal)) as store:
        if topics_changed(portal, store):
            return Stage.TRAIN, True
        model = store.models.newest()
        if model is not None and (fresh or _are_others(portal, newest_of(store, *PHASES), model)):
            return Stage.LEARN, True
        return next_stage(store, settings, budget), fresh


async def run_whole(
    portal: Path,
    overrides: Sequence[str] = (),
    watch: Watch | None = None,
    on_step: Callable[[FinishedStage], None] = lambda _: None,
    *,
    budget: RunBudget | None = None,
    fresh: bool = False,
    world: World = REAL,
) -> Stage:
    """Run all stages of a portal and return the final stage: `DONE`, `REVIEW`, or one that was interrupted.

    `overrides` are `key=value` settings for all stages. With `fresh`, or if the topics have changed since they were
    learned, it learns and harvests again. It is also done when the `budget` is spent: a larger one continues it.
    """
    watch, budget = watch or Watch(), budget or RunBudget()
    settings = load(portal, overrides).settings
    began, tried = world.clock.now(), False
    while True:
        stage, fresh = stage_of(portal, settings, budget, fresh)
        if stage is Stage.RETRAIN and tried:
            # No page was good enough for training: the harvest starts with the user's examples.
            stage = Stage.HARVEST
        if stage in (Stage.DONE, Stage.REVIEW):
            return stage
        with closing(open_store(portal)) as store:
            account = account_of(store, budget, fresh=fresh)
            last = newest_of(store, *PHASES)
            goes_on = last is not None and not fresh and _goes_on(store, last, account.left, budget)
            home = _home(store, portal, settings)
        left = Allowance(account.left, budget.hours or None).after(0, world.clock.now() - began)
        if left.is_spent and stage is not Stage.TRAIN:
            watch.note("The budget of this run is used up.")
            return Stage.DONE
        if stage is Stage.LEARN and not goes_on and _for_learning(left, settings, home) is None:
            watch.note(f"Skipping the learning crawl: the budget of {left.pages:,} pages is too small for it.")
            stage = Stage.HARVEST
        task = _Task(portal, list(overrides), settings, left, home, account.mark, last if goes_on else None)
        step = await _run_stage(stage, task, watch, world)
        on_step(step)
        if step.interrupted:
            return stage
        tried = tried or stage is Stage.RETRAIN
        fresh = fresh and stage is not Stage.LEARN
        if stage is Stage.HARVEST:
            return Stage.DONE


class _Home(Struct, frozen=True):
    """Where a learning crawl stays: on this many `sites`, 0 if anywhere, which typically rest `delay` seconds."""

    sites: int
    delay: float


class _Task(Struct, frozen=True):
    """The input of a stage: the portal, settings, remaining budget, the run, and a crawl to continue."""

    portal: Path
    overrides: list[str]
    settings: Settings
    left: Allowance
    home: _Home
    run: RunMark
    crawl: CrawlRow | None


_HEADLINES = {
    Stage.TRAIN: "Training: fetching your example pages and training the topics",
    Stage.LEARN: "Learning: crawling near your examples for more training material",
    Stage.RETRAIN: "Retraining: adjusting the topics to the crawled pages",
    Stage.HARVEST: "Harvest: crawling wherever the topics lead",
}

_ARCHETYPES_HEADLINE = "Archetypes: choosing training pages, and retraining"


async def _run_stage(stage: Stage, task: _Task, watch: Watch, world: World) -> FinishedStage:
    portal, settings = task.portal, task.settings
    if stage is Stage.TRAIN:
        watch.stage(f"{_HEADLINES[stage]}.")
        trained = await train(portal, task.overrides, watch, allowance=task.left, run=task.run, world=world)
        return FinishedStage(stage, trained=trained, interrupted=trained is None)
    if stage is Stage.RETRAIN:
        taught = rules_of(settings).wanted
        watch.stage(f"{_ARCHETYPES_HEADLINE if taught else _HEADLINES[stage]}.")
        with CrawlLock(portal), closing(open_store(portal)) as store:
            at = world.clock.wall()
            retrained = retrain_portal(portal, store, settings, at)
            classifier = load_classifier(portal, store)
            judged = reclassify(store, classifier, at=at, preview=settings.reading.preview) if retrained.file else None
        return FinishedStage(stage, round=retrained.detail, judged=judged)
    allowed = _allowed(stage, task)
    watch.stage(f"{_HEADLINES[stage]}; {allowed}." if str(allowed) else f"{_HEADLINES[stage]}.")
    with watch.crawling(stage is Stage.HARVEST) as on_engine:
        outcome = await run(_plan(stage, task, allowed), watch.progress, on_engine, on_stage=watch.stage, world=world)
    interrupted = outcome.progress.stopped_because not in DONE
    return FinishedStage(stage, outcome=outcome, judged=outcome.judged, interrupted=interrupted)


def _allowed(stage: Stage, task: _Task) -> Allowance:
    """Return what a crawl may still spend: the limits in the settings, but no more than the remaining budget."""
    left, crawl = task.left, task.crawl
    if stage is Stage.LEARN and crawl is not None:
        # It has had its share; if less is left than there was, it takes its share of that.
        most = None if left.pages is None else max(1, int(task.settings.learn.share * left.pages))
        open_pages = own_pages(crawl) - crawl.progress.pages if own_pages(crawl) else None
        hours = left.hours * task.settings.learn.share if left.hours is not None else None
        return Allowance(min((n for n in (most, open_pages) if n is not None), default=None), hours or None)
    if stage is Stage.LEARN:
        return _for_learning(left, task.settings, task.home) or left
    if crawl is not None:
        own = own_pages(crawl)
        return Allowance(own - crawl.progress.pages if own and left.pages is None else left.pages, left.hours)
    chosen = task.settings.harvest
    pages = left.pages if left.pages is not None else chosen.pages or None
    return Allowance(pages, left.hours if left.hours is not None else chosen.hours or None)


def _for_learning(left: Allowance, settings: Settings, home: _Home) -> Allowance | None:
    return left.for_learning(settings.learn, home.sites, home.delay)


def _home(store: Store, portal: Path, settings: Settings) -> _Home:
    urls = start_urls(store, portal)
    delays = delays_of(store, urls, settings.manners).values()
    return _Home(len(homes_of(urls, settings.learn.scope)), median(delays) if delays else settings.manners.delay)


def _plan(stage: Stage, task: _Task, allowed: Allowance) -> Plan:
    """Return the crawl of a stage: one that continues, or a new one."""
    if task.crawl is not None:
        # The budget of a crawl counts from its beginning.
        in_all = Allowance(None if allowed.pages is None else task.crawl.progress.pages + allowed.pages, allowed.hours)
        return Resume(task.portal, in_all.named("crawl"), crawl=task.crawl.id, overrides=task.overrides)
    section = "learn" if stage is Stage.LEARN else "harvest"
    given = [*task.overrides, *(f"{key}={value!r}" for key, value in allowed.named(section).items())]
    if stage is Stage.LEARN:
        return Learn(task.portal, given, fresh=True, run=task.run)
    return Harvest(task.portal, given, fresh=True, run=task.run)


def _is_done(crawl: CrawlRow, left: int | None) -> bool:
    """Return whether a crawl has ended, given the remaining pages of the run's budget (None for no limit)."""
    if crawl.progress.state is CrawlState.FINISHED or crawl.progress.stopped_because in DONE:
        return True
    # A crawl killed with its last page has nothing more to fetch.
    own = own_pages(crawl) if crawl.kind is CrawlKind.LEARN or left is None else 0
    return bool(own) and crawl.progress.pages >= own


def _goes_on(store: Store, crawl: CrawlRow, left: int | None, budget: RunBudget | None) -> bool:
    """Return whether the newest phase continues: it was interrupted, or it is a harvest with a larger budget."""
    if not _is_done(crawl, left):
        return left != 0
    newest = resumable_crawl(store)
    resumable = newest is not None and newest.id == crawl.id and crawl.progress.state is not CrawlState.FINISHED
    given = budget is not None and budget.extends(crawl.progress.stopped_because)
    return crawl.kind is CrawlKind.HARVEST and resumable and given and left != 0


def _are_others(portal: Path, crawl: CrawlRow | None, model: ModelRow) -> bool:
    """Return whether a crawl began with a model of other topics than a newer model; False if unknown."""
    began = learnt_topics(portal, crawl.settings.get("model", "")) if crawl is not None else ""
    now = learnt_topics(portal, model.file)
    return bool(began and now) and began != now


def _reviewed(store: Store) -> bool:
    return any(row.state.value != "proposed" for row in store.archetypes.all())
