"""A training run: fetches the training pages of a portal and trains its topics."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from thresher.build import make_reader
from thresher.config.load import load
from thresher.config.settings import Settings
from thresher.crawl.budget import Stop
from thresher.crawl.engine import Engine
from thresher.errors import InputError, command
from thresher.portals import load_topics
from thresher.runs.forecast import fetching
from thresher.runs.plans import TrainingFetch
from thresher.runs.run import run as run_crawl
from thresher.runs.run_budget import Allowance
from thresher.runs.world import REAL, World
from thresher.store.locks import CrawlLock
from thresher.store.page_records import DocumentRow
from thresher.store.records import Progress, RunMark
from thresher.store.repository import open_store
from thresher.taxonomy.topic_tree import Taxonomy
from thresher.train.changed_topics import CHANGED, topics_changed
from thresher.train.fair_choice import fair_choice
from thresher.train.labelled_urls import labelled_urls
from thresher.train.report import Trained
from thresher.train.training import collect, fit_topics, missing_pages
from thresher.work_faults import NoTopics

_BROKEN_OFF = (Stop.INTERRUPTED, Stop.REQUESTED)


class Watch(Struct, frozen=True):
    """Receives the progress of a run: current stage, notes for the user, and progress of crawls.

    `crawling` surrounds each crawl, including its preparation, and may return a function that gets its engine; it is
    called with whether the crawl is the last step.
    """

    stage: Callable[[str], None] = lambda _: None
    note: Callable[[str], None] = lambda _: None
    progress: Callable[[Progress], None] | None = None
    crawling: Callable[[bool], AbstractContextManager[Callable[[Engine], None] | None]] = lambda _: nullcontext()


class _Fetched(Struct, frozen=True):
    """The result of fetching for training: the number of pages kept, and pages that ask not to be kept."""

    pages: int
    lessons: list[DocumentRow]


async def train(
    portal: Path,
    overrides: Sequence[str] = (),
    watch: Watch | None = None,
    *,
    allowance: Allowance | None = None,
    run: RunMark | None = None,
    fresh: bool = False,
    world: World = REAL,
) -> Trained | None:
    """Train a portal and return the result, or None if it was interrupted.

    `overrides` are `key=value` settings. If the `allowance` is not enough for all missing pages, some of every topic
    are fetched; UsageError is raised if it is not enough for that. The pages fetched count towards the `run`, if there
    is one. Crawled pages used so far are used again, unless `fresh` is set. Raises InputError if there are no topics,
    or none with a page; pages fetched so far are kept, and training again continues from there. The portal is locked
    throughout.
    """
    watch = watch or Watch()
    taxonomy = load_topics(portal)
    overrides = [*overrides, *_welcome(load(portal, overrides).settings, taxonomy)]
    settings = load(portal, overrides).settings
    if not taxonomy.root.children:
        raise InputError(
            f"{portal} has no topics.", f"Add one: {command('topics', portal, 'add', 'TOPIC', 'URL')}", NoTopics()
        )
    with CrawlLock(portal):
        if topics_changed(portal):
            watch.note(CHANGED)
        fetched = await _fetch(portal, overrides, taxonomy, watch, world, allowance or Allowance(), run)
        if fetched is None:
            return None
        with closing(open_store(portal)) as store:
            material = collect(portal, store, taxonomy, make_reader(settings), settings, fetched.lessons)
        number = len(material.topics)
        watch.stage(f"Training: learning {number} topic{'' if number == 1 else 's'}.")
        with closing(open_store(portal)) as store:
            trained = fit_topics(portal, store, taxonomy, settings, material, world.clock.wall(), fresh=fresh)
        return replace(trained, fetched=fetched.pages)


def _welcome(settings: Settings, taxonomy: Taxonomy) -> list[str]:
    """Return the setting that admits the languages of topics if languages are restricted."""
    wanted = settings.reading.languages
    named = [code for _, topic in taxonomy.walk() for code in topic.languages]
    more = list(dict.fromkeys([*wanted, *named]))
    return [f"reading.languages={more!r}"] if wanted and len(more) > len(wanted) else []


async def _fetch(
    portal: Path,
    overrides: list[str],
    taxonomy: Taxonomy,
    watch: Watch,
    world: World,
    allowance: Allowance,
    run: RunMark | None,
) -> _Fetched | None:
    """Fetch the training pages that the portal does not have; return the result, or None if it was interrupted."""
    most = allowance.for_training()
    with closing(open_store(portal)) as store:
        missing = missing_pages(store, taxonomy)
        urls = [candidate.url for candidate in missing]
        if most is not None and most < len(urls):
            urls = fair_choice(labelled_urls(taxonomy), urls, most)
        if not urls:
            return _Fetched(0, [])
        watch.stage(fetching(store, urls, load(portal, overrides).settings.manners, len(missing)))
    plan = TrainingFetch(
        portal,
        [candidate for candidate in missing if candidate.url in frozenset(urls)],
        pages=most or 0,
        hours=allowance.hours or 0.0,
        overrides=overrides,
        run=run,
    )
    with watch.crawling(False) as on_engine:
        outcome = await run_crawl(plan, watch.progress, on_engine, held=True, world=world)
    if outcome.progress.stopped_because in _BROKEN_OFF:
        return None
    return _Fetched(outcome.progress.pages, outcome.lessons)
