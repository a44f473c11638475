"""`kill -9` in the middle of a crawl over HTTP with each strategy that keeps more than a queue in mind."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec import Struct

from tests.strategies.examples import examples_of
from thresher.api.paths import learn_paths
from thresher.bench.crash import (
    ANSWERED,
    Served,
    finish_crawl,
    is_sound,
    kill_crawl_when,
    log_length,
    make_portal,
    requests_since,
    served,
    stored_pages,
    visited,
)
from thresher.classify.examples_file import TrainingSet
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.models import save_model
from thresher.runs.path_learning import paths_file
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web
from thresher.store.repository import open_store

WEB = WebParameters(pages=300, hosts=12, seed=3, profile="finite")

STRATEGIES = {
    "hcla": "hcla(n=20)",
    "phits": "phits(n=20)",
    "shark-1": "shark-1",
    "shark-2": "shark-2",
    "backlinks": "backlinks",
    "pagerank": "pagerank",
    "context-graph": "context-graph",
    "hmm": "hmm",
}

REMEMBERS = ("hcla", "phits")
"""Strategies that save the pages in their space."""


class Prepared(Struct, frozen=True):
    """A served web, what was learned of it, and what an uninterrupted crawl of all of it stores."""

    web: Served
    classifier: HierarchicalClassifier
    training: TrainingSet
    paths: Path
    pages: set[str]

    def portal(self, folder: Path, strategy: str) -> Path:
        """Make a portal that knows the topic and the paths to it, and crawls by a strategy."""
        make_portal(folder, self.web)
        settings = folder / "thresher.toml"
        text = settings.read_text().replace("[crawl]\n", f'[crawl]\nstrategy = "{strategy}"\n')
        # Slow enough to be killed between its first commit and its end.
        settings.write_text(text.replace("parallel = 16", "parallel = 2"))
        self.teach(folder)
        if self.paths.exists():
            shutil.copy(self.paths, paths_file(folder))
        return folder

    def teach(self, folder: Path) -> None:
        with closing(open_store(folder)) as store:
            save_model(folder, store, self.classifier, self.training, at=1.0)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prepared]:
    folder = tmp_path_factory.mktemp("kills")
    training = TrainingSet(examples_of(Web(WEB)))
    classifier = HierarchicalClassifier().fit(training.examples)
    with served(folder, WEB) as web:
        whole = folder / "whole"
        ready = Prepared(web, classifier, training, paths_file(whole), set())
        ready.portal(whole, "breadth-first")
        finish_crawl(whole)
        learn_paths(whole, source="links")
        yield Prepared(web, classifier, training, ready.paths, stored_pages(whole))


@pytest.mark.slow
@pytest.mark.parametrize("name", STRATEGIES)
def test_killed_and_resumed_nothing_is_lost_or_fetched_twice(prepared: Prepared, tmp_path: Path, name: str) -> None:
    portal = prepared.portal(tmp_path / "portal", STRATEGIES[name])
    enough = len(prepared.pages) // 4
    kill_crawl_when(
        portal, lambda: len(stored_pages(portal)) >= enough and (name not in REMEMBERS or bool(memory(portal)))
    )
    committed, known, kept = visited(portal, ANSWERED), memory(portal), stored_pages(portal)
    assert 0 < len(kept) < len(prepared.pages), "killed before its end"
    assert is_sound(portal)
    since = log_length(prepared.web)
    finish_crawl(portal)
    now = visited(portal, ANSWERED)
    assert now[: len(committed)] == committed, "what was committed stays"
    assert not set(committed) & set(requests_since(prepared.web, since)), "and is not asked for again"
    assert len(now) == len(set(now)), "nothing is stored twice"
    assert stored_pages(portal) == prepared.pages
    assert is_sound(portal)
    if name in REMEMBERS:
        assert known, "the space had pages when the crawl was killed"
        assert memory(portal)[: len(known)] == known, "and has them still, in the same order"
        assert kept <= set(memory(portal)), "and those that came after its state was saved"


def memory(portal: Path) -> list[str]:
    """Return the pages that a strategy had taken into its space when its state was last saved."""
    with closing(open_store(portal, read_only=True)) as store:
        crawl = store.crawls.get()
        saved = store.crawls.strategy_state(crawl.id) if crawl else None
    return list(saved[0].get("pages", [])) if saved else []
