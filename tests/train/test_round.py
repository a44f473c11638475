"""Rounds of retraining: what they teach, when a topic keeps what it had, and the way back by hand."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from tests.train.made import page
from thresher.classify.examples_file import TrainingSet
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.errors import InputError, UsageError
from thresher.models import roll_back
from thresher.reasons import Unkept
from thresher.store.memory import MemoryStore
from thresher.store.records import ModelRow
from thresher.train.agreement import Labelled
from thresher.train.round import AGREE, Retrained, Teaching, retrain, without_loss
from thresher.train.round_report import TopicChange, moves
from thresher.types import ParsedPage

BOATS = ["boat", "sail", "mast", "harbour", "anchor", "keel", "rudder", "deck", "hull", "crew", "wind", "wave"]
TEA = ["tea", "leaf", "kettle", "cup", "steep", "brew", "oolong", "green", "black", "milk", "sugar", "pot"]
NOISE = ["house", "road", "tree", "bird", "stone", "cloud", "river", "paper", "glass", "metal"]


def text(words: list[str], chance: Random, number: int = 6) -> str:
    return " ".join([*chance.sample(words, number), *chance.sample(NOISE, 3)])


def training_set(seed: int = 0, number: int = 12) -> TrainingSet:
    chance = Random(seed)
    found: list[tuple[ParsedPage, str | None]] = []
    for n in range(number):
        found.append((page(text(BOATS, chance), f"http://b{n}.test/"), "Boats"))
        found.append((page(text(TEA, chance), f"http://t{n}.test/"), "Tea"))
        found.append((page(text(NOISE, chance), f"http://n{n}.test/"), None))
    return TrainingSet(found)


def archetypes(words: list[str], topic: str, number: int = 20, seed: int = 9) -> list[tuple[ParsedPage, str | None]]:
    chance = Random(seed)
    return [(page(text(words, chance), f"http://a{n}.test/{topic}"), topic) for n in range(number)]


def unlabelled(number: int = 60, seed: int = 5) -> list[ParsedPage]:
    """Return pages that a crawl may have met: some of boats, some of tea, most of neither."""
    chance = Random(seed)
    kinds = [BOATS, TEA, NOISE, NOISE]
    return [page(text(kinds[n % 4], chance, 5), f"http://m{n % 20}.test/{n}") for n in range(number)]


def held(given: TrainingSet, teaching: Teaching, met: Sequence[ParsedPage] | None = None) -> Retrained:
    seen = unlabelled() if met is None else met
    alone = HierarchicalClassifier().fit(given.examples, met=seen)
    return retrain(alone, alone, given.examples, teaching, seen)


def change(done: Retrained, topic: str) -> TopicChange:
    return next(found for found in done.round.topics if found.topic == topic)


def on_one_host(found: Labelled) -> Labelled:
    return [(replace(one, url=f"http://a.test/{n}"), label) for n, (one, label) in enumerate(found)]


NEW = [*BOATS[:6], "catamaran", "spinnaker", "jib", "boom"]


@pytest.mark.slow
def test_good_archetypes_are_kept_and_bring_new_words() -> None:
    done = held(training_set(), Teaching(proposed=archetypes(NEW, "Boats")))
    boats, tea = change(done, "Boats"), change(done, "Tea")
    assert (boats.proposed, boats.kept, boats.why, boats.archetypes) == (True, True, "", 20)
    assert (tea.proposed, tea.kept, tea.archetypes) == (False, False, 0)
    assert done.round.kept
    assert boats.agreement is not None
    assert boats.agreement >= AGREE
    assert 0 < boats.moved <= 1
    assert 0 < boats.space_moved <= 1
    assert {"catamaran", "spinnaker"} & set(boats.new_words)


@pytest.mark.slow
def test_archetypes_that_lose_a_page_of_the_person_do_not_teach() -> None:
    given, wrong = training_set(), Teaching(proposed=archetypes(TEA, "Boats", 60))
    alone = HierarchicalClassifier().fit(given.examples, met=unlabelled())
    unkept: dict[str, Unkept] = {}
    after, left = without_loss(alone, given.examples, wrong, unlabelled(), {"Boats"}, unkept)
    assert set(unkept) == {"Boats"}
    assert unkept["Boats"] in {Unkept.PAGE_LOST, Unkept.SIBLING_PAGE_LOST}
    assert left == []
    assert after is alone
    done = held(given, wrong)
    assert not done.round.kept
    assert done.training_set.archetypes == []


@pytest.mark.slow
def test_a_topic_that_fails_does_not_hold_up_others() -> None:
    right = archetypes([*TEA[:6], "matcha", "sencha", "gyokuro"], "Tea", 12, seed=3)
    done = held(training_set(), Teaching(proposed=[*on_one_host(archetypes(NEW, "Boats")), *right]))
    assert (change(done, "Boats").kept, change(done, "Tea").kept) == (False, True)
    assert done.round.kept
    assert {label for _, label in done.training_set.archetypes} == {"Tea"}


@pytest.mark.slow
def test_no_page_that_is_judged_rightly_without_archetypes_is_lost_with_them() -> None:
    for seed in range(4):
        given = training_set(seed, 4)
        alone = HierarchicalClassifier().fit(given.examples, met=unlabelled())
        mixed = [*archetypes(TEA, "Boats", 9, seed), *archetypes(NOISE, "Tea", 9, seed + 1)]
        done = retrain(alone, alone, given.examples, Teaching(proposed=mixed), unlabelled())
        lost = [was and not now for was, now in zip(alone.right_, done.classifier.right_, strict=True)]
        assert not any(lost)
        assert done.round.change.lost == 0


@pytest.mark.slow
def test_archetypes_of_one_host_do_not_teach_a_topic_of_several() -> None:
    done = held(training_set(), Teaching(proposed=on_one_host(archetypes(NEW, "Boats"))))
    assert change(done, "Boats").why == Unkept.ONE_HOST.value
    assert not done.round.kept


def test_halves_that_teach_different_things_do_not_teach() -> None:
    cars = ["engine", "brake", "gear", "wheel", "fuel", "tyre", "clutch", "piston"]
    # Hosts are dealt in turn: every second one goes to the other half.
    mixed = [
        (replace(found, url=f"http://h{2 * n + side:02}.test/"), label)
        for side, words in enumerate((BOATS, cars))
        for n, (found, label) in enumerate(archetypes(words, "Boats", 9, 3 + side))
    ]
    chance = Random(2)
    met = [*unlabelled(), *(page(text(cars, chance, 5), f"http://c{n % 7}.test/{n}") for n in range(40))]
    done = held(training_set(), Teaching(proposed=mixed), met)
    boats = change(done, "Boats")
    assert boats.why == Unkept.HALVES_DISAGREE.value
    assert boats.agreement is not None
    assert boats.agreement < AGREE
    assert done.training_set.archetypes == []


@pytest.mark.slow
def test_a_topic_that_fails_keeps_the_archetypes_it_had() -> None:
    earlier = archetypes(NEW, "Boats", 8)
    done = held(training_set(), Teaching(proposed=on_one_host(archetypes(NEW, "Boats")), earlier=earlier))
    assert not change(done, "Boats").kept
    assert change(done, "Boats").archetypes == 8
    assert [found.url for found, _ in done.training_set.archetypes] == [found.url for found, _ in earlier]


@pytest.mark.slow
def test_new_archetypes_take_the_place_of_earlier_ones_and_never_of_a_persons_pages() -> None:
    given = training_set()
    first = held(given, Teaching(proposed=archetypes(NEW, "Boats")))
    later = archetypes(NEW, "Boats", 9, seed=4)
    second = held(given, Teaching(proposed=later, earlier=first.training_set.archetypes))
    assert second.training_set.examples == given.examples
    assert second.training_set.archetypes == later


def test_what_taught_earlier_and_does_harm_now_teaches_no_more() -> None:
    given = training_set()
    alone = HierarchicalClassifier().fit(given.examples, met=unlabelled())
    after, left = without_loss(alone, given.examples, Teaching(earlier=archetypes(TEA, "Boats", 60)), unlabelled())
    assert left == []
    assert after is alone


@pytest.mark.slow
def test_what_moves_is_told() -> None:
    given = training_set()
    boats_only = HierarchicalClassifier().fit([one for one in given.examples if one[1] != "Tea"], met=unlabelled())
    both = HierarchicalClassifier().fit(given.examples, met=unlabelled())
    found = {(move.before, move.after): move.pages for move in moves(boats_only, both, unlabelled())}
    assert found[None, "Tea"] > 5
    assert all(before != after for before, after in found)
    assert moves(both, both, unlabelled()) == []
    done = held(given, Teaching(proposed=archetypes(NEW, "Boats")))
    assert done.round.looked_at == 60


@pytest.mark.slow
def test_quality_is_measured_on_a_persons_pages_alone() -> None:
    given = training_set()
    done = held(given, Teaching(proposed=archetypes(NEW, "Boats")))
    assert len(done.training_set.right) == len(given.examples)
    assert done.round.pages == len(given.examples)
    child = done.classifier.child("Boats")
    assert child is not None
    assert child.pages == 12 + 20


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
