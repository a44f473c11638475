"""The whole way: train, learn, archetypes, harvest; called again, it goes on where it was."""

from collections.abc import Callable, Sequence
from contextlib import closing
from enum import StrEnum
from pathlib import Path
from typing import Any

from msgspec import Struct

from thresher.config.load import load
from thresher.config.settings import Settings
from thresher.crawl.budget import Stop
from thresher.runs.plans import Harvest, Learn, Resume, RunResult
from thresher.runs.run import run
from thresher.runs.training import Watch, train
from thresher.runs.world import REAL, World
from thresher.store.crawl_history import newest_of, resumable_crawl
from thresher.store.locks import CrawlLock
from thresher.store.protocol import Store
from thresher.store.records import PHASES, CrawlKind, CrawlRow, CrawlState, Progress
from thresher.store.repository import open_store
from thresher.train.changed_topics import topics_changed
from thresher.train.reclassifying import Reclassified, reclassify
from thresher.train.report import Trained
from thresher.train.retraining import retrain_portal, settle_portal

_DONE = (Stop.PAGES, Stop.TIME, Stop.EMPTY, Stop.HARVEST)


class Stage(StrEnum):
    """What a portal needs next."""

    TRAIN = "train"
    LEARN = "learn"
    RETRAIN = "retrain"
    REVIEW = "review"
    HARVEST = "harvest"
    DONE = "done"


class HarvestBudget(Struct, frozen=True):
    """What a harvest may take: `pages` of it in all, `hours` of this run; None leaves it to the settings."""

    pages: int | None = None
    hours: float | None = None

    def named(self, section: str) -> dict[str, float]:
        """Return the limits that are given, by setting of a section.

        >>> HarvestBudget(pages=5).named("crawl")
        {'crawl.pages': 5}
        """
        both = {f"{section}.pages": self.pages, f"{section}.hours": self.hours}
        return {key: value for key, value in both.items() if value is not None}

    def suffices(self, spent: Progress) -> bool:
        """Tell whether a harvest that has spent its budget of pages or time could go on with this one."""
        if self.pages is not None and self.pages <= spent.pages:
            return False
        if spent.stopped_because == Stop.PAGES:
            return self.pages is not None
        return spent.stopped_because == Stop.TIME and bool(self.named("harvest"))


class Step(Struct, frozen=True):
    """A stage that is over: what it came to, and whether it was broken off.

    `judged` is what came of judging all pages anew, by what the harvest has shown of where topics end.
    """

    stage: Stage
    outcome: RunResult | None = None
    trained: Trained | None = None
    round: dict[str, Any] | None = None
    judged: Reclassified | None = None
    interrupted: bool = False


def next_stage(store: Store, settings: Settings, budget: HarvestBudget | None = None) -> Stage:
    """Return what a portal needs next, told by what it has; with more `budget` a harvest that spent its own goes on."""
    if store.models.newest() is None:
        return Stage.TRAIN
    last = newest_of(store, *PHASES)
    if last is None:
        return Stage.LEARN
    if not _is_done(last):
        if last.kind is CrawlKind.LEARN:
            return Stage.LEARN
        # One that was broken off has enough where no more is asked for than it has.
        enough = budget is not None and budget.pages is not None and budget.pages <= last.progress.pages
        return Stage.DONE if enough else Stage.HARVEST
    if last.kind is CrawlKind.HARVEST:
        return Stage.HARVEST if _is_extended(store, last, budget) else Stage.DONE
    held = any(row.report is not None and row.at >= last.started for row in store.models.all())
    if held:
        return Stage.HARVEST
    return Stage.REVIEW if settings.archetypes.review and not _reviewed(store) else Stage.RETRAIN


def stage_of(portal: Path, settings: Settings, budget: HarvestBudget | None, fresh: bool) -> tuple[Stage, bool]:
    """Return what a portal needs next, and whether it is to learn and harvest again once it is trained.

    It is where `fresh` says so, and where the topics have changed since they were learnt.
    """
    with closing(open_store(portal)) as store:
        if topics_changed(portal, store):
            return Stage.TRAIN, True
        trained = store.models.newest() is not None
        return (Stage.LEARN if fresh and trained else next_stage(store, settings, budget)), fresh


async def run_whole(
    portal: Path,
    overrides: Sequence[str] = (),
    watch: Watch | None = None,
    on_step: Callable[[Step], None] = lambda _: None,
    *,
    budget: HarvestBudget | None = None,
    fresh: bool = False,
    world: World = REAL,
) -> Stage:
    """Bring a portal all the way and return the stage it is at: `DONE`, `REVIEW`, or one that was broken off.

    `overrides` are `key=value` settings for all stages; with `fresh` it learns and harvests again, as it does where the
    topics have changed since they were learnt.
    """
    watch, budget = watch or Watch(), budget or HarvestBudget()
    overrides = [*overrides, *(f"{key}={value!r}" for key, value in budget.named("harvest").items())]
    settings = load(portal, overrides).settings
    tried = False
    while True:
        stage, fresh = stage_of(portal, settings, budget, fresh)
        if stage is Stage.RETRAIN and tried:
            # No page was good enough to teach: the harvest begins with what a person gave.
            stage = Stage.HARVEST
        if stage in (Stage.DONE, Stage.REVIEW):
            return stage
        watch.stage(_TOLD[stage])
        step = await _taken(stage, portal, overrides, settings, watch, budget, fresh, world)
        on_step(step)
        if step.interrupted:
            return stage
        tried = tried or stage is Stage.RETRAIN
        fresh = fresh and stage is not Stage.LEARN
        if stage is Stage.HARVEST:
            return Stage.DONE


_TOLD = {
    Stage.TRAIN: "Training: fetching your pages and learning the topics.",
    Stage.LEARN: "Learning: crawling near your pages for others that can teach.",
    Stage.RETRAIN: "Archetypes: choosing pages that teach, and learning the topics anew.",
    Stage.HARVEST: "Harvest: crawling wherever the topics lead.",
}


async def _taken(
    stage: Stage,
    portal: Path,
    overrides: list[str],
    settings: Settings,
    watch: Watch,
    budget: HarvestBudget,
    fresh: bool,
    world: World,
) -> Step:
    if stage is Stage.TRAIN:
        trained = await train(portal, overrides, watch, world=world)
        return Step(stage, trained=trained, interrupted=trained is None)
    if stage is Stage.RETRAIN:
        with CrawlLock(portal), closing(open_store(portal)) as store:
            told = retrain_portal(portal, store, settings, world.clock.wall())
        return Step(stage, round=told.detail)
    kind = CrawlKind.LEARN if stage is Stage.LEARN else CrawlKind.HARVEST
    with closing(open_store(portal)) as store:
        last = newest_of(store, *PHASES)
        goes_on = last is not None and last.kind == kind and (not _is_done(last) or _is_extended(store, last, budget))
    resumed = Resume(portal, budget.named("crawl") if kind is CrawlKind.HARVEST else {})
    new = Learn(portal, overrides, fresh) if kind is CrawlKind.LEARN else Harvest(portal, overrides, True)
    with watch.crawling(kind is CrawlKind.HARVEST) as on_engine:
        outcome = await run(resumed if goes_on and not fresh else new, watch.progress, on_engine, world=world)
    interrupted = outcome.progress.stopped_because not in _DONE
    judged = None if interrupted or kind is CrawlKind.LEARN else _judged_anew(portal, settings, watch, world)
    return Step(stage, outcome=outcome, judged=judged, interrupted=interrupted)


def _judged_anew(portal: Path, settings: Settings, watch: Watch, world: World) -> Reclassified:
    """Judge all pages of a portal by what its harvest has shown of where topics end."""
    watch.stage("Judging all pages anew, by what was met.")
    at = world.clock.wall()
    with CrawlLock(portal), closing(open_store(portal)) as store:
        return reclassify(store, settle_portal(portal, store, at), at=at, preview=settings.reading.preview)


def _is_done(crawl: CrawlRow) -> bool:
    return crawl.progress.state is CrawlState.FINISHED or crawl.progress.stopped_because in _DONE


def _is_extended(store: Store, harvest: CrawlRow, budget: HarvestBudget | None) -> bool:
    """Tell whether a harvest that is done goes on with a budget: it must be the crawl that would be resumed."""
    newest = resumable_crawl(store)
    resumable = newest is not None and newest.id == harvest.id and harvest.progress.state is not CrawlState.FINISHED
    return resumable and budget is not None and budget.suffices(harvest.progress)


def _reviewed(store: Store) -> bool:
    return any(row.state.value != "proposed" for row in store.archetypes.all())
