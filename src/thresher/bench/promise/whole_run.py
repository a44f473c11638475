"""The whole run as a user starts it: from bookmarks to the finished harvest, on a web with manners."""

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from msgspec import Struct

from thresher.bench.promise.kept_reading import kept_reader
from thresher.bench.promise.records import Fetch
from thresher.bench.promise.scenario import Scenario
from thresher.classify.examples_file import TrainingSet, load_training_set
from thresher.crawl.clock import VirtualClock, run_virtual
from thresher.portals import create_portal
from thresher.runs.plans import NewCrawl
from thresher.runs.run import run
from thresher.runs.run_budget import RunBudget
from thresher.runs.training import Watch
from thresher.runs.whole import run_whole
from thresher.runs.world import World
from thresher.store.crawl_history import all_crawls
from thresher.store.model_files import model_path
from thresher.store.protocol import Store
from thresher.store.records import ModelRow
from thresher.store.repository import open_store
from thresher.store.stored_page import page_of
from thresher.taxonomy.from_bookmarks import from_bookmarks
from thresher.types import ParsedPage
from thresher.web.urls import url_id

SETTINGS: Final = """
[archive]
# Nobody reads the answers again.
enabled = false
"""


class Model(Struct, frozen=True):
    """A model of a portal: its file, its row, and its training set."""

    path: str
    row: ModelRow
    training_set: TrainingSet


class Harvested(Struct, frozen=True):
    """The result of a run: its fetches in order, accepted pages (topic by URL), probabilities, and models."""

    fetches: list[Fetch]
    accepted: dict[str, str]
    probabilities: dict[str, float]
    models: list[Model]
    seconds: float

    @property
    def used(self) -> Model:
        """The model in use at the end."""
        return [model for model in self.models if not model.row.rolled_back][-1]

    def negatives(self) -> list[tuple[str, None]]:
        """Return the negative training pages of the model in use."""
        return [(page.url, None) for page, label in self.used.training_set.examples if label is None]

    def archetypes(self) -> list[tuple[str, str | None]]:
        """Return the archetypes of all kept models with their topics."""
        kept = (model.training_set.archetypes for model in self.models if not model.row.rolled_back)
        return [(page.url, label) for archetypes in kept for page, label in archetypes]


class BaselineCrawl(Struct, frozen=True):
    """The result of a crawl without learning: its fetches in order, its pages, and its duration."""

    fetches: list[Fetch]
    pages: list[ParsedPage]
    seconds: float


def whole_run(
    scenario: Scenario,
    portal: Path,
    budget: RunBudget,
    overrides: Sequence[str] = (),
    on_stage: Callable[[str], None] = lambda _: None,
) -> Harvested:
    """Create a portal from bookmarks and make a whole run; `overrides` are `key=value` settings."""
    _new(portal, scenario.bookmarks)
    # With only a time budget, ignore the page limit of the settings.
    given = [*overrides, *([] if budget.pages else ["harvest.pages=0"])]
    run_virtual(run_whole(portal, given, Watch(stage=on_stage), budget=budget, world=world_of(scenario)))
    return _left(portal)


def plain_run(scenario: Scenario, portal: Path, budget: RunBudget, overrides: Sequence[str] = ()) -> BaselineCrawl:
    """Crawl breadth-first from the same bookmarks, without learning."""
    _new(portal, scenario.bookmarks)
    limits = [
        f"crawl.pages={budget.pages or 0}",
        f"crawl.hours={budget.hours or 0.0!r}",
        "crawl.strategy=breadth-first",
    ]
    run_virtual(run(NewCrawl(portal, [*limits, *overrides]), world=world_of(scenario)))
    with closing(open_store(portal, read_only=True)) as store:
        fetches = _fetches(store)
        rows = [store.documents.document(url_id(fetch.url)) for fetch in fetches]
        return BaselineCrawl(fetches, [page_of(row) for row in rows if row is not None], _seconds(store))


def world_of(scenario: Scenario) -> World:
    """Return the world of a run, in virtual time."""
    return World(clock=VirtualClock(), fetcher=lambda _, clock: scenario.fetcher(clock), alone=True, reader=kept_reader)


def _new(portal: Path, bookmarks: bytes) -> None:
    create_portal(portal, topics=from_bookmarks(bookmarks).taxonomy, contact="nobody@example.org", settings=SETTINGS)


def _left(portal: Path) -> Harvested:
    with closing(open_store(portal, read_only=True)) as store:
        fetches = _fetches(store)
        accepted, probabilities = {}, {}
        for url in dict.fromkeys(fetch.url for fetch in fetches):
            row = store.documents.document(url_id(url))
            if row is not None and row.judgement is not None and row.judgement.topic is not None:
                accepted[url], probabilities[url] = row.judgement.topic, row.judgement.probability
        files = [(model_path(portal, model.file), model) for model in store.models.all()]
        models = [Model(path, model, load_training_set(Path(path))) for path, model in files]
        return Harvested(fetches, accepted, probabilities, models, _seconds(store))


def _seconds(store: Store) -> float:
    return round(sum(crawl.progress.seconds for crawl in all_crawls(store)), 1)


def _fetches(store: Store) -> list[Fetch]:
    """Return the pages that were fetched and kept, in order, including repeated fetches."""
    kinds = {crawl.id: crawl.kind for crawl in all_crawls(store)}
    found = []
    first: float | None = None
    for entry in store.log.entries():
        first = entry.at if first is None else first
        if entry.kind != "fetched" or entry.url is None or "reason" in entry.detail:
            continue
        if store.documents.document(url_id(entry.url)) is not None:
            found.append(Fetch(entry.url, round(entry.at - first, 3), kinds[entry.crawl]))
    return found
