"""Rounds in a portal on disk: the model, its event and the archetypes, and what training keeps of them."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.train.made import page, row
from thresher.classify.examples_file import TrainingSet, load_training_set
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.config.load import load
from thresher.models import load_classifier, save_model, used_model
from thresher.organise.topic_judges import portal_judges
from thresher.organise.topic_pages import pages_of
from thresher.portals import create_portal
from thresher.store.model_files import model_path
from thresher.store.protocol import Store
from thresher.store.records import RETRAINED, ArchetypeRow, ArchetypeState, Batch
from thresher.store.repository import open_store
from thresher.taxonomy.topics_file import read_topics
from thresher.train.report import Trained
from thresher.train.retraining import retrain_portal
from thresher.train.training import Material, fit_topics
from thresher.train.training_pages import TrainingPages
from thresher.types import ParsedPage

TEXTS = [
    "boat sail mast keel wind rudder hull crew tide",
    "boat sail harbour keel wave anchor hull crew port",
    "boat mast harbour wind deck rudder anchor tide port",
]
EXAMPLES: list[tuple[ParsedPage, str | None]] = [
    (page(text, f"http://mine{n}.test/"), "Boats") for n, text in enumerate(TEXTS)
]
FOUND = [f"http://found{n}.test/" for n in range(4)]
TOPICS = read_topics('[[topic]]\npath = "Boats"\npages = ["http://mine0.test/"]')


@pytest.fixture
def portal(tmp_path: Path) -> Path:
    create_portal(tmp_path / "p", topics=TOPICS)
    return tmp_path / "p"


@pytest.fixture
def store(portal: Path) -> Iterator[Store]:
    with closing(open_store(portal)) as opened:
        crawl = opened.crawls.start("harvest", "default", {}, 0.0)
        classifier = HierarchicalClassifier().fit(EXAMPLES)
        sailing = "boat sail mast keel wind harbour rudder hull crew tide anchor port"
        rows = [
            row(url, f"{sailing} {n}", judgement=classifier.classify(page(sailing)), title="boat sail")
            for n, url in enumerate(FOUND)
        ]
        rows += [row(f"http://off{n}.test/", f"tea kettle cup milk sugar {n}") for n in range(20)]
        rows.append(row("http://hub.test/", "list", tuple(FOUND)))
        opened.commit(Batch(crawl=crawl.id, at=1.0, documents=rows))
        save_model(portal, opened, classifier, TrainingSet(EXAMPLES, right=classifier.right_), at=1.0)
        yield opened


def taught(portal: Path, store: Store) -> list[str]:
    """Return the addresses of the archetypes of the model in use."""
    newest = store.models.newest()
    assert newest is not None
    return [one.url for one, _ in load_training_set(Path(model_path(portal, newest.file))).archetypes]


def teach(portal: Path, store: Store, urls: list[str]) -> None:
    """Give the portal a model that archetypes have taught."""
    found = [(page(TEXTS[0], url), "Boats") for url in urls]
    classifier = HierarchicalClassifier().fit(EXAMPLES, archetypes=found)
    save_model(portal, store, classifier, TrainingSet(EXAMPLES, found, classifier.right_), at=2.0)


def test_a_round_is_in_the_log_as_soon_as_its_model_is_in_use(portal: Path, store: Store) -> None:
    told = retrain_portal(portal, store, load(portal).settings, 5.0, pages=400)
    newest = store.models.newest()
    assert newest is not None
    assert (newest.file, newest.step) == (told.file, 1)
    (event,) = [entry for entry in store.log.entries() if entry.kind == RETRAINED]
    assert (event.crawl, event.detail["pages"], event.detail["step"]) == (1, 400, 1)
    assert told.logged


def test_a_kill_before_the_round_is_written_leaves_neither_model_nor_event(
    portal: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(_: Batch) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(store, "commit", killed)
    with pytest.raises(KeyboardInterrupt):
        retrain_portal(portal, store, load(portal).settings, 5.0, pages=400)
    assert len(store.models.all()) == 1
    assert [entry for entry in store.log.entries() if entry.kind == RETRAINED] == []


def test_by_default_a_round_of_a_crawl_learns_from_what_was_met_alone(portal: Path, store: Store) -> None:
    told = retrain_portal(portal, store, load(portal).settings, 5.0)
    assert told.detail["archetypes"] == 0
    assert not any(topic["proposed"] for topic in told.detail["topics"])
    assert store.archetypes.all() == []


@pytest.mark.slow
@pytest.mark.parametrize(("setting", "asked"), [("archetypes.enabled=true", False), ("archetypes.enabled=false", True)])
def test_archetypes_are_proposed_where_they_are_enabled_or_asked_for(
    portal: Path, store: Store, setting: str, asked: bool
) -> None:
    retrain_portal(portal, store, load(portal, [setting]).settings, 5.0, asked=asked)
    assert {row.url for row in store.archetypes.all()} & set(FOUND)


def test_a_round_without_proposals_keeps_archetypes(portal: Path, store: Store) -> None:
    teach(portal, store, FOUND[:2])
    retrain_portal(portal, store, load(portal).settings, 6.0)
    assert taught(portal, store) == FOUND[:2]
    newest = store.models.newest()
    assert newest is not None
    assert newest.report is not None
    assert newest.report["by_topic"] == {"Boats": 2}


def trained(portal: Path, store: Store, *changes: str, fresh: bool = False) -> Trained:
    material = Material(TrainingPages(EXAMPLES, [], []), EXAMPLES, {"Boats": [one for one, _ in EXAMPLES]})
    return fit_topics(portal, store, TOPICS, load(portal, list(changes)).settings, material, 7.0, fresh=fresh)


def test_training_keeps_what_was_learnt_unless_told_otherwise(portal: Path, store: Store) -> None:
    teach(portal, store, FOUND[:3])
    rejected = ArchetypeRow(
        topic="Boats", url=FOUND[0], rule="both", confidence=1.0, authority=0.1, state=ArchetypeState.REJECTED
    )
    store.archetypes.put([rejected])
    found = trained(portal, store)
    assert dict(found.archetypes) == {"Boats": 2}
    assert taught(portal, store) == FOUND[1:3]
    assert found.negatives.met.pages > 0
    fresh = trained(portal, store, fresh=True)
    assert not fresh.archetypes
    assert fresh.negatives.met.pages == 0
    assert taught(portal, store) == []


def test_a_vote_is_in_the_model_that_crawls_and_filters_use_and_stays_in_the_rounds_of_a_harvest(
    portal: Path, store: Store
) -> None:
    asked = page("boat sail tea kettle wind cup milk")
    stored = next(iter(pages_of(store)))
    said: list[tuple[float, float]] = []
    for change in ("train.vote=false", "train.vote=true"):
        trained(portal, store, change)
        judge = portal_judges(portal, store)("Boats")
        assert judge is not None
        crawl_says = load_classifier(portal, store).classify(asked).confidence
        said.append((crawl_says, float(judge.factors([stored], [asked.terms])[0])))
    assert said[0][0] != said[1][0]
    assert said[0][1] != said[1][1]
    told = retrain_portal(portal, store, load(portal, ["train.vote=true"]).settings, 8.0)
    assert used_model(portal, store).file == told.file
    assert load_classifier(portal, store).parameters.vote
