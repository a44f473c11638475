"""Crawls with retraining, without it, and unfocused, over parsed pages in memory."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from msgspec import Struct

from thresher.analysers import taught
from thresher.bench.page_cache import PageCache
from thresher.bench.phase_task import PhaseTask
from thresher.bench.playback import CachedReader, playback
from thresher.bench.profile import bench_settings
from thresher.build import make_engine
from thresher.classify.examples_file import TrainingSet
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.config.settings import Settings
from thresher.crawl.clock import VirtualClock, run_virtual
from thresher.crawl.phases.predecessor import Predecessor
from thresher.crawl.phases.retraining import Retraining, RetrainingResult, Timetable
from thresher.plugins import make_strategy, same_kind
from thresher.protocols import Strategy
from thresher.reading.analysis import PageAnalyser
from thresher.reading.workers import RenewableAnalyser
from thresher.store.memory import MemoryStore
from thresher.store.records import CrawlKind
from thresher.train.archetype_choice import ArchetypeRules
from thresher.train.retraining import hold_round, rules_of
from thresher.types import Link

Variant = Literal["retraining", "no retraining", "unfocused"]
LEARNING: Final = "classifier-breadth(focus=sharp)"
"""The strategy of the learning phase, the product's default."""

VARIANTS: Final[tuple[Variant, ...]] = ("retraining", "no retraining", "unfocused")


class PhaseCrawl(Struct, frozen=True):
    """The pages of a crawl in the order they were fetched, and its retraining rounds as data."""

    urls: list[str]
    rounds: list[dict[str, Any]] = []


class PhasePlan(Struct, frozen=True, kw_only=True):
    """How the phases share a budget of `pages`: `learn` for learning, and a round every `every` pages."""

    pages: int = 1000
    learn: int = 200
    every: int = 200
    strategy: str = "classifier-breadth"


class _Classroom:
    """The classifier of a crawl in memory, and its retraining."""

    def __init__(
        self,
        store: MemoryStore,
        training_set: TrainingSet,
        reader: CachedReader,
        rules: ArchetypeRules,
        settings: Settings,
    ) -> None:
        self.classifier = HierarchicalClassifier().fit(training_set.examples)
        self.training_set = TrainingSet(training_set.examples, right=self.classifier.right_)
        self.rounds: list[dict[str, Any]] = []
        self._store = store
        self._reader = reader
        self._rules = rules
        self._settings = settings
        self._strategy: Strategy | None = None
        self._analyser: RenewableAnalyser | None = None

    def analyser(self, strategy: Strategy) -> RenewableAnalyser:
        """Return the analyser of a crawl by a strategy; retraining renews it."""
        self._strategy = strategy
        self._analyser = RenewableAnalyser(self._present(strategy))
        return self._analyser

    def hold(self) -> tuple[int, ...] | None:
        """Hold a round; return the best hubs, or None if it changed nothing."""
        found = hold_round(
            self._store, self.classifier, self.training_set, self._rules, 0.0, hubs=self._settings.harvest.hubs
        )
        if found.retrained is None:
            return None
        self.rounds.append(found.retrained.round.as_data())
        self.classifier, self.training_set = found.retrained.classifier, found.retrained.training_set
        return tuple(found.hubs)

    async def retrain(self, pages: int) -> RetrainingResult:
        """Hold a round, renew the analyser, and return the result."""
        hubs = self.hold()
        if hubs is None or self._analyser is None or self._strategy is None:
            return RetrainingResult()
        await self._analyser.renew(self._present(self._strategy))
        return RetrainingResult(self.classifier, hubs, self._settings.harvest.hub_links)

    def _present(self, strategy: Strategy) -> PageAnalyser:
        """Return an analyser with the current classifier."""
        obey = self._settings.manners.nofollow
        return PageAnalyser(self._reader, strategy, self.classifier, obey_nofollow=obey)


def crawl_phases(
    task: PhaseTask,
    pages: PageCache,
    variant: Variant,
    plan: PhasePlan,
    overrides: Sequence[str] = (),
    robots: Mapping[str, bytes] | None = None,
) -> PhaseCrawl:
    """Crawl a task by one of the variants; `overrides` are settings.

    With `robots` files by host (possibly none), the crawl is polite, and responses take as long as each host takes.
    """
    manners = robots is not None
    settings = bench_settings(list(overrides), manners=manners)
    store = MemoryStore()
    served = frozenset(url for number, url in enumerate(pages.urls) if task.open[number])
    reader = CachedReader(pages)
    room = None
    if variant != "unfocused":
        room = _Classroom(store, TrainingSet(task.labelled(pages)), reader, rules_of(settings, asked=True), settings)

    def unfocused(strategy: Strategy) -> PageAnalyser:
        return PageAnalyser(reader, strategy, obey_nofollow=settings.manners.nofollow)

    async def crawl(kind: CrawlKind, spec: str, budget: int, before: Predecessor | None = None, every: int = 0) -> int:
        clock = VirtualClock()
        strategy = make_strategy(spec, settings.strategy)
        if room is not None:
            strategy = taught(strategy, spec, room.classifier, room.training_set.all())
        row = store.crawls.start(kind, spec, {}, clock.wall())
        engine = make_engine(
            store=store,
            crawl=row,
            settings=bench_settings([*overrides, f"crawl.pages={budget}"], manners=manners),
            fetcher=playback(served, clock, robots),
            analyser=room.analyser(strategy) if room is not None else unfocused(strategy),
            clock=clock,
            seeds=task.starts(),
            threaded=False,
            strategy=strategy,
            retraining=Retraining(room, Timetable(every=every)) if room is not None and every else None,
        )
        await engine.run([Link(url, "", 0, 0) for url in task.starts()], (), before)
        return row.id

    async def phases() -> None:
        if variant == "unfocused":
            await crawl(CrawlKind.CRAWL, "breadth-first", plan.pages)
        elif variant == "no retraining" or room is None:
            await crawl(CrawlKind.HARVEST, plan.strategy, plan.pages)
        else:
            learnt = await crawl(CrawlKind.LEARN, LEARNING, plan.learn)
            hubs = room.hold() or ()
            same = same_kind(LEARNING, plan.strategy)
            before = Predecessor(learnt, hubs, settings.harvest.hub_links, same)
            await crawl(CrawlKind.HARVEST, plan.strategy, plan.pages - plan.learn, before, plan.every)

    run_virtual(phases())
    urls = [entry.url for entry in store.log.entries() if entry.kind == "fetched" and entry.url and entry.url in pages]
    return PhaseCrawl(urls, room.rounds if room is not None else [])
