"""Rounds of retraining: what they teach, when they are rolled back, and the way back by hand."""

from pathlib import Path
from random import Random

import pytest

from tests.train.made import page
from thresher.classify.examples_file import TrainingSet
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.errors import InputError, UsageError
from thresher.models import roll_back
from thresher.store.memory import MemoryStore
from thresher.store.records import ModelRow
from thresher.train.round import retrain
from thresher.types import Page

BOATS = ["boat", "sail", "mast", "harbour", "anchor", "keel", "rudder", "deck", "hull", "crew", "wind", "wave"]
TEA = ["tea", "leaf", "kettle", "cup", "steep", "brew", "oolong", "green", "black", "milk", "sugar", "pot"]
NOISE = ["house", "road", "tree", "bird", "stone", "cloud", "river", "paper", "glass", "metal"]


def text(words: list[str], chance: Random, number: int = 6) -> str:
    return " ".join([*chance.sample(words, number), *chance.sample(NOISE, 3)])


def training_set(seed: int = 0, number: int = 12) -> TrainingSet:
    chance = Random(seed)
    found: list[tuple[Page, str | None]] = []
    for n in range(number):
        found.append((page(text(BOATS, chance), f"http://b{n}.test/"), "Boats"))
        found.append((page(text(TEA, chance), f"http://t{n}.test/"), "Tea"))
        found.append((page(text(NOISE, chance), f"http://n{n}.test/"), None))
    return TrainingSet(found)


def fitted(given: TrainingSet) -> tuple[HierarchicalClassifier, TrainingSet]:
    classifier = HierarchicalClassifier().fit(given.examples)
    return classifier, TrainingSet(given.examples, right=classifier.right_)


def archetypes(words: list[str], topic: str, number: int = 20, seed: int = 9) -> list[tuple[Page, str | None]]:
    chance = Random(seed)
    return [(page(text(words, chance), f"http://a{n}.test/{topic}"), topic) for n in range(number)]


def test_good_archetypes_are_kept_and_bring_new_words() -> None:
    classifier, given = fitted(training_set())
    new = [*BOATS[:4], "catamaran", "spinnaker", "jib", "boom"]
    done = retrain(classifier, given, archetypes(new, "Boats"))
    assert done.round.kept
    assert done.round.archetypes == 20
    boats = next(change for change in done.round.topics if change.topic == "Boats")
    assert boats.archetypes == 20
    assert 0 < boats.moved <= 1
    assert 0 < boats.space_moved <= 1
    assert {"catamaran", "spinnaker"} & set(boats.new_words)
    assert done.classifier.classify(page("catamaran spinnaker jib boom")).topic == "Boats"
    assert classifier.classify(page("catamaran spinnaker jib boom")).topic is None


def test_archetypes_that_harm_the_first_pages_are_rolled_back_with_a_message() -> None:
    classifier, given = fitted(training_set())
    done = retrain(classifier, given, archetypes(TEA, "Boats", number=60))
    assert not done.round.kept
    assert done.round.change.lost > done.round.change.won
    assert "judged rightly before and wrongly after" in done.round.message


def test_quality_is_measured_on_the_first_pages_alone() -> None:
    classifier, given = fitted(training_set())
    done = retrain(classifier, given, archetypes(BOATS, "Boats"))
    assert len(done.training_set.right) == len(given.examples)
    assert done.round.pages == len(given.examples)
    child = done.classifier.child("Boats")
    assert child is not None
    assert child.pages == 12 + 20


def test_the_next_round_replaces_archetypes_and_never_a_persons_pages() -> None:
    classifier, given = fitted(training_set())
    first = retrain(classifier, given, archetypes(BOATS, "Boats"))
    second = retrain(first.classifier, first.training_set, archetypes(TEA, "Tea", 5))
    assert second.training_set.examples == given.examples
    assert [label for _, label in second.training_set.archetypes] == ["Tea"] * 5


def test_what_was_right_before_is_found_out_where_it_is_not_known() -> None:
    classifier, given = fitted(training_set())
    known = retrain(classifier, given, archetypes(BOATS, "Boats"))
    unknown = retrain(classifier, TrainingSet(given.examples), archetypes(BOATS, "Boats"))
    assert unknown.round.change == known.round.change


def models(*rolled_back: bool) -> MemoryStore:
    store = MemoryStore()
    for step, out in enumerate(rolled_back):
        store.models.add(ModelRow(file=f"{step}.zip", kind="hierarchical", at=step, step=step, rolled_back=out))
    return store


def test_back_by_one_and_to_any_step() -> None:
    store = models(False, False, True, False)
    assert [row.step for row in roll_back(Path("p"), store)] == [3]
    newest = store.models.newest()
    assert newest is not None
    assert newest.step == 1
    assert [row.step for row in roll_back(Path("p"), store, 0)] == [1]
    with pytest.raises(UsageError, match="no round"):
        roll_back(Path("p"), store)


def test_no_way_back_to_what_is_not_there() -> None:
    with pytest.raises(InputError, match="step 7"):
        roll_back(Path("p"), models(False), 7)
    with pytest.raises(InputError, match="step 1"):
        roll_back(Path("p"), models(False, True), 1)
