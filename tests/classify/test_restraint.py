"""Archetypes teach which pages are of a topic, and not how many."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.classify.examples import families
from thresher.classify.family_fitting import fit_family, rise_to
from thresher.classify.folds import topic_folds
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.classify.restraint import fit_restrained
from thresher.classify.sibling_space import SpaceParameters
from thresher.types import ParsedPage

BOATS = ["boat", "sail", "mast", "harbour", "anchor", "keel", "rudder", "deck", "hull", "crew", "wind", "wave"]
FERRIES = ["ferry", "passenger", "ticket", "timetable", "lounge", "captain", *BOATS[:4]]
NOISE = ["house", "road", "tree", "bird", "stone", "cloud", "river", "paper", "glass", "metal", "chair", "lamp"]

Labelled = list[tuple[ParsedPage, str | None]]


def page(words: list[str], chance: Random, url: str) -> ParsedPage:
    text = [*chance.sample(words, 6), *chance.sample(NOISE, 3)]
    return ParsedPage(url=url, title="", words=text, links=[], terms=dict.fromkeys(text, 1), language="en")


def given_pages(chance: Random, number: int = 4) -> Labelled:
    boats: Labelled = [(page(BOATS, chance, f"http://b{n}.test/"), "Boats") for n in range(number)]
    return [*boats, *((page(NOISE, chance, f"http://n{n}.test/"), None) for n in range(number))]


def pages_met(chance: Random) -> list[ParsedPage]:
    kinds = [BOATS, FERRIES, NOISE, NOISE, NOISE]
    return [page(kinds[n % 5], chance, f"http://m{n % 15}.test/{n}") for n in range(75)]


@pytest.mark.parametrize("seed", range(4))
def test_with_archetypes_a_topic_takes_no_more_of_the_pages_met_than_without(seed: int) -> None:
    chance = Random(seed)
    examples, met = given_pages(chance), pages_met(chance)
    found: Labelled = [(page(FERRIES, chance, f"http://f{n}.test/"), "Boats") for n in range(15)]
    (alone,) = families(examples)
    (both,) = families([*examples, *found])
    taught = both.places >= len(examples)
    parameters = SpaceParameters()
    before = fit_family(alone, parameters, met=[*met, *(one for one, _ in found)])
    after = fit_restrained(both, parameters, taught, met)
    taken = int((before.met[: len(met), 0] > 0).sum())
    assert int((after.met[:, 0] > 0).sum()) <= taken


def test_some_pages_of_a_family_keep_its_children_and_their_names() -> None:
    examples = [*given_pages(Random(3)), (page(FERRIES, Random(3), "http://f.test/"), "Boats/Ferries")]
    family = families(examples)[0]
    some = family.some(np.array([0, 8]))
    assert [one.url for one in some.pages] == ["http://b0.test/", "http://f.test/"]
    assert (some.children, some.names) == (["Boats"], [["Boats", "Ferries"]])
    assert [(child, of_part.tolist()) for child, of_part in some.parts] == [(0, [False, True])]


def test_without_archetypes_nothing_is_restrained() -> None:
    chance = Random(1)
    examples, met = given_pages(chance), pages_met(chance)
    (family,) = families(examples)
    plain = fit_family(family, SpaceParameters(), met=met)
    restrained = fit_restrained(family, SpaceParameters(), np.zeros(len(examples), bool), met)
    assert np.array_equal(plain.held_out, restrained.held_out)


def test_a_topic_that_only_archetypes_speak_for_is_learnt() -> None:
    chance = Random(2)
    examples: Labelled = [(page(NOISE, chance, f"http://n{n}.test/"), None) for n in range(4)]
    found: Labelled = [(page(BOATS, chance, f"http://f{n}.test/"), "Boats") for n in range(6)]
    classifier = HierarchicalClassifier().fit(examples, archetypes=found)
    assert classifier.classify(page(BOATS, chance, "http://x.test/")).topic == "Boats"


@given(st.lists(st.floats(-5, 5), max_size=30), st.integers(0, 10))
def test_a_border_rises_as_far_as_needed_and_no_farther(confidences: list[float], most: int) -> None:
    values = np.array(confidences)
    rise = rise_to(values, most)
    assert rise >= 0
    assert int((values - rise > 0).sum()) <= most
    assert (rise == 0) == (int((values > 0).sum()) <= most)


def test_pages_that_are_not_asked_are_held_out_with_their_site() -> None:
    members = np.ones((6, 1), bool)
    asked = np.array([True, True, True, False, False, False])
    folds = topic_folds(members, ["a", "b", "c", "a", "c", "z"], asked).tolist()
    assert folds[3] == folds[0]
    assert folds[4] == folds[2]
    assert folds[5] == -1
    alone = topic_folds(members, ["a"] * 6, asked).tolist()
    assert alone[3:] == [-1, -1, -1]
