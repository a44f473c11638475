"""A run for whole websites: samples the user's sites, learns the topics from them, and finds more such sites."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from msgspec import Struct

from thresher.classify.examples_file import TrainingSet
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.config.load import load
from thresher.config.settings import Settings
from thresher.crawl.budget import Stop
from thresher.errors import InputError, UsageError, command
from thresher.models import write_model
from thresher.parameters import parse, written
from thresher.plugins import make_strategy
from thresher.portals import load_topics
from thresher.runs.plans import Resume, RunResult, SampleSites, SearchSites
from thresher.runs.run import run as run_crawl
from thresher.runs.training import Watch
from thresher.runs.world import REAL, World
from thresher.store.crawl_history import all_crawls, newest_of
from thresher.store.locks import CrawlLock
from thresher.store.protocol import Store
from thresher.store.records import CrawlKind, CrawlRow, CrawlState
from thresher.store.repository import open_store
from thresher.strategies.websites.strategy import Websites
from thresher.taxonomy.topic_tree import Taxonomy
from thresher.train.site_examples import TaughtSite, site_pages, taught_sites
from thresher.types import ParsedPage
from thresher.work_faults import BudgetSpent, NoSites, SitesFound, SitesUnread

SAMPLED: Final = 25
"""Number of training pages per site."""

_SAMPLING: Final = "site-sample"
_BROKEN_OFF: Final = (Stop.INTERRUPTED, Stop.REQUESTED)


class SiteGoals(Struct, frozen=True):
    """The goals of a run: number of relevant sites and pages, 0 for no limit, and the certainty of decisions."""

    want: int = 500
    pages: int = 20_000
    confidence: float = 0.9


async def find_sites(
    portal: Path,
    goals: SiteGoals,
    overrides: Sequence[str] = (),
    watch: Watch | None = None,
    *,
    fresh: bool = False,
    world: World = REAL,
) -> RunResult | None:
    """Sample the sites of the topics, learn from them and crawl for more; return None if interrupted before that.

    An interrupted run continues, as does one whose goals were raised, unless `fresh` is given.
    Raises InputError if no topic has a readable site, UsageError if the last run has reached its goals.
    """
    watch = watch or Watch()
    with CrawlLock(portal):
        with closing(open_store(portal)) as store:
            last = None if fresh else newest_of(store, CrawlKind.SITES)
        if last is not None and last.progress.state is not CrawlState.FINISHED:
            plan: Resume | SearchSites = _resumed(portal, last, goals)
        else:
            if not await _sample(portal, list(overrides), watch, world):
                return None
            watch.stage("Sites: learning the topics from their sites.")
            model = learn_sites(portal, load(portal, list(overrides)).settings)
            plan = SearchSites(portal, _strategy(portal, goals, overrides), goals.pages, model, list(overrides))
        watch.stage("Sites: searching for sites on your topics.")
        with watch.crawling(True) as on_engine:
            return await run_crawl(plan, watch.progress, on_engine, held=True, world=world)


def _resumed(portal: Path, last: CrawlRow, goals: SiteGoals) -> Resume:
    """Return the plan to continue the last run; raise UsageError if it has reached its goals."""
    found = last.progress.sites[1] if last.progress.sites else 0
    if last.progress.stopped_because == Stop.DEARER:
        raise UsageError(
            f"The last run for sites in {portal} has ended: {found} relevant sites found.",
            f"List them: {command('sites', portal, 'list')} - "
            f"or look again: {command('sites', portal, 'run', '--fresh')}",
            SitesFound(n=found),
        )
    if goals.want and found >= goals.want:
        raise UsageError(
            f"The last run for sites in {portal} has found {found} relevant sites.",
            f"Look for more: {command('sites', portal, 'run', '--want', 2 * found)} - "
            f"or look again: {command('sites', portal, 'run', '--fresh')}",
            SitesFound(n=found),
        )
    if goals.pages and last.progress.pages >= goals.pages:
        raise UsageError(
            f"The last run for sites in {portal} has reached its budget of {last.progress.pages} pages.",
            f"Raise it: {command('sites', portal, 'run', '--pages', 2 * last.progress.pages)} - "
            f"or look again: {command('sites', portal, 'run', '--fresh')}",
            BudgetSpent(pages=last.progress.pages),
        )
    name, parameters = parse(last.strategy)
    strategy = written(name, {**parameters, "want": str(goals.want)})
    return Resume(portal, {"crawl.pages": goals.pages}, crawl=last.id, strategy=strategy)


def _strategy(portal: Path, goals: SiteGoals, overrides: Sequence[str]) -> str:
    """Return the strategy of a run; the settings in `[strategy.websites]` are added when it is created."""
    window = 2000 if "window" not in load(portal, list(overrides)).settings.strategy.get("websites", {}) else None
    given = {"want": goals.want, "threshold": goals.confidence, "window": window}
    return written("websites", {key: str(value) for key, value in given.items() if value is not None})


def unit_of(settings: Settings) -> str:
    """Return what counts as a site according to the settings of the strategy."""
    made = make_strategy("websites", settings.strategy)
    assert isinstance(made, Websites)
    return made.unit


def bookmarked_sites(taxonomy: Taxonomy, settings: Settings) -> frozenset[str]:
    """Return the names of the sites that are given as examples of topics."""
    made = make_strategy("websites", settings.strategy)
    assert isinstance(made, Websites)
    return frozenset(site.site for site in taught_sites(taxonomy, (), made.unit) if site.topic)


def teaching_sites(portal: Path, store: Store, settings: Settings) -> list[TaughtSite]:
    """Return the sites that a portal learns from; raise InputError if no topic has one."""
    made = make_strategy("websites", settings.strategy)
    assert isinstance(made, Websites)
    found = taught_sites(load_topics(portal), store.sites.verdicts(), made.unit)
    if not any(site.topic for site in found):
        raise InputError(
            f"{portal} has no sites to learn from.",
            f"Add one: {command('topics', portal, 'add', 'TOPIC', 'URL')}",
            NoSites(),
        )
    return found


async def _sample(portal: Path, overrides: list[str], watch: Watch, world: World) -> bool:
    """Fetch the first pages of training sites that were not sampled yet; return False if interrupted.

    An interrupted sampling is continued first: its sites have some of their pages, but not all.
    """
    settings = load(portal, overrides).settings
    with closing(open_store(portal)) as store:
        unfinished = _unfinished_sampling(store)
    if unfinished is not None:
        watch.stage("Sites: continuing the interrupted sampling of sites.")
        if not await _sampled(Resume(portal, crawl=unfinished.id), watch, world):
            return False
    with closing(open_store(portal)) as store:
        crawls = _crawls(store)
        missing = [
            site.url for site in teaching_sites(portal, store, settings) if not site_pages(store, crawls, site.site, 1)
        ]
    if not missing:
        return True
    watch.stage(f"Sites: reading the first pages of {len(missing)} sites.")
    strategy = f"{_SAMPLING}(pages={SAMPLED};unit={unit_of(settings)})"
    return await _sampled(SampleSites(portal, missing, strategy, overrides), watch, world)


async def _sampled(plan: SampleSites | Resume, watch: Watch, world: World) -> bool:
    """Run a crawl that samples sites; return False if it was interrupted."""
    with watch.crawling(False) as on_engine:
        outcome = await run_crawl(plan, watch.progress, on_engine, held=True, world=world)
    return outcome.progress.stopped_because not in _BROKEN_OFF


def _unfinished_sampling(store: Store) -> CrawlRow | None:
    """Return the newest crawl that samples sites if it has read some pages but not all; else None."""
    crawls = (store.crawls.get(number) for number in _crawls(store))
    newest = next((crawl for crawl in crawls if crawl is not None and crawl.strategy.startswith(_SAMPLING)), None)
    if newest is None or newest.progress.state is CrawlState.FINISHED or not store.sites.of_crawl(newest.id):
        return None
    return newest


def learn_sites(portal: Path, settings: Settings) -> str:
    """Learn the topics of a portal from its sites, write the model, and return the name of its file."""
    with closing(open_store(portal)) as store:
        crawls = _crawls(store)
        examples: list[tuple[ParsedPage, str | None]] = []
        for site in teaching_sites(portal, store, settings):
            examples += [(page, site.topic) for page in site_pages(store, crawls, site.site, SAMPLED)]
        if not any(topic for _, topic in examples):
            raise InputError(
                f"None of the sites in {portal} could be read.",
                f"See why: {command('log', portal, '--tail', 20)}",
                SitesUnread(),
            )
        classifier = HierarchicalClassifier().fit(examples)
        return write_model(portal, classifier, TrainingSet(examples, [], classifier.right_), "")


def _crawls(store: Store) -> list[int]:
    """Return the crawls that read sites, newest first."""
    kinds = (CrawlKind.SITES, CrawlKind.TRAIN)
    return [crawl.id for crawl in reversed(all_crawls(store)) if crawl.kind in kinds]
