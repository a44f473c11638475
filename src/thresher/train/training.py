"""Training a portal: its training pages are fetched, negatives supplied, a classifier fitted and written down."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

from msgspec import Struct

from thresher.build import make_reader
from thresher.classify.acceptance import Rules
from thresher.classify.examples_file import Lessons
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.classify.sibling_space import SpaceParameters
from thresher.config.load import load
from thresher.config.settings import Settings, TrainSettings
from thresher.crawl.budget import Stop
from thresher.crawl.engine import Engine
from thresher.errors import InputError
from thresher.models import save_model
from thresher.portals import load_topics
from thresher.runs.plans import Gathering
from thresher.runs.run import run
from thresher.runs.world import REAL, World
from thresher.store.locks import CrawlLock
from thresher.store.neighbourhood import neighbourhood
from thresher.store.page_records import DocumentRow
from thresher.store.protocol import Store
from thresher.store.records import Progress
from thresher.store.sqlite.store import open_store
from thresher.taxonomy.topic_tree import Taxonomy
from thresher.train.advice import advice
from thresher.train.changed_topics import CHANGED, topics_changed, topics_digest
from thresher.train.gathered import gather, require_pages
from thresher.train.lessons import Lesson, lessons, queries, taught_pages, wishes
from thresher.train.local_files import is_file
from thresher.train.negatives import NEAR, Supply, given, missing, supplied
from thresher.train.report import Trained, reports
from thresher.train.stored_pages import find
from thresher.types import Candidate, Failed
from thresher.web.urls import canonical

CLICKS = 3
"""How far from the training pages negatives are looked for."""

ENOUGH = 0.1
"""Share of the pages looked for that may be lacking: training again does not fetch for the sake of a few."""

_BROKEN_OFF = (Stop.INTERRUPTED, Stop.REQUESTED)


class Watch(Struct, frozen=True):
    """Who is told how training gets on: of each stage in words, and of the crawls as of any crawl.

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
        return await _train(portal, overrides, settings, taxonomy, watch, world)


async def _train(
    portal: Path, overrides: Sequence[str], settings: Settings, taxonomy: Taxonomy, watch: Watch, world: World
) -> Trained | None:
    wanted = lessons(taxonomy)
    if not await _fetch(portal, overrides, wanted, watch, world):
        return None
    with _opened(portal) as store:
        gathered = gather(store, wanted, make_reader(settings), settings)
    examples = [*gathered.examples, *queries(taxonomy, settings.reading.language)]
    topics = taught_pages(taxonomy, examples)
    require_pages(str(portal), topics, gathered.left)
    supply = given(topics, sum(label is None for _, label in examples))
    near = await _explore(portal, overrides, settings.train, supply, gathered.rows, watch, world)
    if near is None:
        return None
    watch.stage(f"Training {len(topics)} topic{'' if len(topics) == 1 else 's'}.")
    with _opened(portal) as store:
        taken = {page.url for page, _ in examples}
        supply = supplied(supply, settings.train.negatives, topics, near, store, taken)
        examples += [(page, None) for page in supply.pages()]
        asked = wishes(taxonomy, topics, settings.reading.language)
        classifier = _classifier(settings).fit(examples, asked)
        lessons_held = Lessons(examples, right=classifier.right_)
        model = save_model(
            portal, store, classifier, lessons_held, at=world.clock.wall(), topics=topics_digest(taxonomy)
        )
    far = [page for page, label in examples if label is None]
    return Trained(
        model=model,
        version=classifier.version_,
        pages=len(gathered.examples),
        topics=reports(classifier, examples, advice(topics, far, asked)),
        left=gathered.left,
        negatives=supply.counts(),
        wanted=settings.train.negatives,
        notices=_notices(gathered.rows, supply, settings.train.negatives),
    )


def _welcome(settings: Settings, taxonomy: Taxonomy) -> list[str]:
    """Return the setting that lets in the languages of topics, where only some languages are wanted."""
    wanted = settings.reading.languages
    named = [code for _, topic in taxonomy.walk() for code in topic.languages]
    more = list(dict.fromkeys([*wanted, *named]))
    return [f"reading.languages={more!r}"] if wanted and len(more) > len(wanted) else []


def _classifier(settings: Settings) -> HierarchicalClassifier:
    chosen = settings.train
    return HierarchicalClassifier(
        SpaceParameters(
            features=chosen.features,
            measure=chosen.measure,
            candidates=chosen.candidates,
            weighting=chosen.weighting,
        ),
        Rules(threshold=chosen.threshold, min_features=chosen.min_features, min_indicators=chosen.min_indicators),
    )


async def _fetch(portal: Path, overrides: Sequence[str], wanted: Sequence[Lesson], watch: Watch, world: World) -> bool:
    """Fetch the training pages that the portal does not have; tell whether that was not broken off."""
    addresses = [canonical(lesson.url) for lesson in wanted if not is_file(lesson.url)]
    with _opened(portal) as store:
        lacking = [url for url in dict.fromkeys(addresses) if url and isinstance(find(store, url), Failed)]
    if not lacking:
        return True
    watch.stage(f"Fetching {len(lacking)} training pages.")
    candidates = [Candidate(url=url, priority=(1.0,)) for url in lacking]
    return await _gathered(Gathering(portal, candidates, overrides=list(overrides)), watch, world)


async def _explore(
    portal: Path,
    overrides: Sequence[str],
    chosen: TrainSettings,
    supply: Supply,
    starts: Sequence[DocumentRow],
    watch: Watch,
    world: World,
) -> list[DocumentRow] | None:
    """Return the pages near the training pages, as far as negatives are missing; None where it was broken off."""
    if not missing(supply, chosen.negatives) or not chosen.explore:
        return []
    wanted = min(chosen.explore, round(missing(supply, chosen.negatives) / NEAR))
    with _opened(portal) as store:
        around = neighbourhood(store, starts, CLICKS, wanted)
    lacking = wanted - len(around.pages)
    if lacking <= ENOUGH * wanted or not around.unknown:
        return around.pages
    watch.stage(f"Looking for pages far from every topic: {lacking} near the training pages.")
    plan = Gathering(portal, around.unknown, depth=CLICKS, pages=lacking, overrides=list(overrides))
    if not await _gathered(plan, watch, world):
        return None
    with _opened(portal) as store:
        return neighbourhood(store, starts, CLICKS, wanted).pages


async def _gathered(plan: Gathering, watch: Watch, world: World) -> bool:
    with watch.crawling(False) as on_engine:
        outcome = await run(plan, watch.progress, on_engine, held=True, world=world)
    return outcome.progress.stopped_because not in _BROKEN_OFF


def _notices(rows: Sequence[DocumentRow], supply: Supply, wanted: int) -> list[str]:
    notices: list[str] = []
    if short := missing(supply, wanted):
        notices.append(f"{short} of {wanted} negatives are missing: add pages of other subjects to OTHERS.")
    reserved = sum(bool(row.opt_outs) for row in rows)
    if reserved:
        notices.append(
            f"The sites of {reserved} training pages reserve them against text mining; keep the model private."
        )
    return notices


@contextmanager
def _opened(portal: Path) -> Iterator[Store]:
    store = open_store(portal)
    try:
        yield store
    finally:
        store.close()
