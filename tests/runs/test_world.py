"""The whole run in another world: a generated web in memory, on virtual time."""

from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from thresher.config.settings import Settings
from thresher.crawl.clock import VirtualClock, run_virtual
from thresher.portals import create_portal
from thresher.protocols import Clock, Fetcher
from thresher.runs.run_budget import RunBudget
from thresher.runs.whole import FinishedStage, Stage, run_whole
from thresher.runs.world import World
from thresher.simweb.fetcher import SimFetcher
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web
from thresher.store.repository import open_store
from thresher.taxonomy.topic_tree import Taxonomy, Topic, TrainingPage, parsed, put

WEB = Web(WebParameters(pages=600, hosts=20, seed=5, profile="clean"))
TOPICS = [topic for topic in WEB.topics() if "/" in topic][:2]
QUICK = ["learn.pages=30", "learn.scope=web", "harvest.retrain_every=30"]
PAGES = 116


def fetcher(settings: Settings, clock: Clock) -> Fetcher:
    return SimFetcher(WEB, clock, latency=0.2, types=settings.network.types)


def whole(portal: Path) -> tuple[list[FinishedStage], list[tuple[float, str, str | None]]]:
    """Return the steps of a whole run on virtual time, and its log."""
    tree = Taxonomy()
    for topic in TOPICS:
        pages = tuple(TrainingPage(url) for url in WEB.examples(topic, 4, exact=True))
        tree = put(tree, parsed(topic), Topic(name="", pages=pages))
    create_portal(portal, topics=tree, contact="nobody@example.org", settings="[archive]\nenabled = false\n")
    steps: list[FinishedStage] = []
    world = World(clock=VirtualClock(), fetcher=fetcher, alone=True)
    budget = RunBudget(pages=PAGES)
    run = partial(run_whole, portal, QUICK, None, steps.append, budget=budget, world=world)
    assert run_virtual(run()) is Stage.DONE
    with closing(open_store(portal)) as store:
        return steps, [(entry.at, entry.kind, entry.url) for entry in store.log.entries()]


@pytest.mark.slow
def test_a_whole_run_takes_place_on_virtual_time_and_always_in_the_same_way(tmp_path: Path) -> None:
    steps, log = whole(tmp_path / "once")
    assert [step.stage for step in steps] == [Stage.TRAIN, Stage.LEARN, Stage.RETRAIN, Stage.HARVEST]
    outcome = steps[-1].outcome
    assert outcome is not None
    assert sum(step.outcome.progress.pages for step in steps if step.outcome) == PAGES - 8
    # 20 hosts that rest for a second after each page give no 80 pages in less.
    assert outcome.progress.seconds > 80 / 20
    assert any(kind == "retrained" for _, kind, _ in log)
    assert whole(tmp_path / "twice")[1] == log
