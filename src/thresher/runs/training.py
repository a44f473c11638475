"""A training run: the training pages of a portal are fetched, and its topics are learnt from them."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path

from msgspec import Struct

from thresher.build import make_reader
from thresher.config.load import load
from thresher.config.settings import Settings
from thresher.crawl.budget import Stop
from thresher.crawl.engine import Engine
from thresher.errors import InputError
from thresher.portals import load_topics
from thresher.runs.plans import TrainingFetch
from thresher.runs.run import run
from thresher.runs.world import REAL, World
from thresher.store.locks import CrawlLock
from thresher.store.records import Progress
from thresher.store.repository import open_store
from thresher.taxonomy.topic_tree import Taxonomy
from thresher.train.changed_topics import CHANGED, topics_changed
from thresher.train.report import Trained
from thresher.train.training import collect, fit_topics, missing_pages

_BROKEN_OFF = (Stop.INTERRUPTED, Stop.REQUESTED)


class Watch(Struct, frozen=True):
    """Who is told how a run gets on: of each stage in words, and of the crawls as of any crawl.

    `crawling` surrounds each crawl, its preparations included, and may give a function that gets its engine; it is told
    whether the crawl is the last thing to be done.
    """

    stage: Callable[[str], None] = lambda _: None
    progress: Callable[[Progress], None] | None = None
    crawling: Callable[[bool], AbstractContextManager[Callable[[Engine], None] | None]] = lambda _: nullcontext()


async def train(
    portal: Path, overrides: Sequence[str] = (), watch: Watch | None = None, *, world: World = REAL
) -> Trained | None:
    """Train a portal and return what came of it, None where it was interrupted.

    `overrides` are `key=value` settings. Raises InputError where there are no topics, or where one is left without a
    page; what was fetched stays, and training again goes on from there. The portal is locked from first to last.
    """
    watch = watch or Watch()
    taxonomy = load_topics(portal)
    overrides = [*overrides, *_welcome(load(portal, overrides).settings, taxonomy)]
    settings = load(portal, overrides).settings
    if not taxonomy.root.children:
        raise InputError(f"{portal} has no topics.", f"Add one: thresher topics {portal} add TOPIC URL")
    with CrawlLock(portal):
        if topics_changed(portal):
            watch.stage(CHANGED)
        if not await _fetch(portal, overrides, taxonomy, watch, world):
            return None
        with closing(open_store(portal)) as store:
            material = collect(portal, store, taxonomy, make_reader(settings), settings)
        number = len(material.topics)
        watch.stage(f"Training {number} topic{'' if number == 1 else 's'}.")
        with closing(open_store(portal)) as store:
            return fit_topics(portal, store, taxonomy, settings, material, world.clock.wall())


def _welcome(settings: Settings, taxonomy: Taxonomy) -> list[str]:
    """Return the setting that lets in the languages of topics, where only some languages are wanted."""
    wanted = settings.reading.languages
    named = [code for _, topic in taxonomy.walk() for code in topic.languages]
    more = list(dict.fromkeys([*wanted, *named]))
    return [f"reading.languages={more!r}"] if wanted and len(more) > len(wanted) else []


async def _fetch(portal: Path, overrides: list[str], taxonomy: Taxonomy, watch: Watch, world: World) -> bool:
    """Fetch the training pages that the portal does not have; tell whether that was not broken off."""
    with closing(open_store(portal)) as store:
        missing = missing_pages(store, taxonomy)
    if not missing:
        return True
    watch.stage(f"Fetching {len(missing)} training pages.")
    return await _gathered(TrainingFetch(portal, missing, overrides=overrides), watch, world)


async def _gathered(plan: TrainingFetch, watch: Watch, world: World) -> bool:
    with watch.crawling(False) as on_engine:
        outcome = await run(plan, watch.progress, on_engine, held=True, world=world)
    return outcome.progress.stopped_because not in _BROKEN_OFF
