"""Topics are matched by what models say, votes are weighed by measured accuracy, and plans by estimators."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.peers.made import classifier_of, training
from thresher.classify.linear_model import LinearModel
from thresher.peers.matching import (
    Match,
    Separation,
    best_topic,
    labelled_pages,
    matches,
    measure_of,
    measured,
)
from thresher.peers.meta import accuracy_of, weight_of
from thresher.peers.models import linear_model
from thresher.peers.planning import LEAST, SharedErrors, Tried, agreement, beta_law, chained, planned, unanimous

OURS = training({"sailing": "Boats", "baking": "Bread"}, range(8), "ours")
# The peer calls sailing "Bread" and baking "Food", and has chess beside.
THEIRS = training({"sailing": "Bread", "baking": "Food", "chess": "Boats"}, range(20, 28), "theirs")


def models_of(made: object, topics: list[str]) -> dict[str, LinearModel]:
    classifier = classifier_of(made)  # type: ignore[arg-type]
    bags = [one.terms for one, _ in made.examples]  # type: ignore[attr-defined]
    found = {topic: linear_model(classifier, topic, bags, min_pages=1) for topic in topics}
    return {topic: model for topic, model in found.items() if model is not None}


OUR_MODELS = models_of(OURS, ["Boats", "Bread"])
THEIR_MODELS = models_of(THEIRS, ["Boats", "Bread", "Food"])
OUR_PAGES, THEIR_PAGES = labelled_pages(OURS), labelled_pages(THEIRS)


def test_topics_match_by_their_models_and_not_by_their_names() -> None:
    here = {topic: best_topic(model, OUR_PAGES) for topic, model in THEIR_MODELS.items()}
    there = {topic: best_topic(model, THEIR_PAGES) for topic, model in OUR_MODELS.items()}
    told = {topic: found[0] if found else None for topic, found in there.items()}
    assert [(found.own, found.theirs) for found in matches(here, told)] == [("Boats", "Bread"), ("Bread", "Food")]


def test_a_match_needs_both_sides() -> None:
    measure = Separation(1.0, 0.7, 16, 0.0, 1.0)
    assert matches({"Bread": ("Boats", measure)}, {"Boats": "Bread"}) == [Match("Boats", "Bread", measure)]
    assert matches({"Bread": ("Boats", measure)}, {"Boats": "Food"}) == []
    assert matches({"Bread": ("Boats", measure)}, {"Boats": None}) == []
    assert matches({"Bread": None}, {"Boats": "Bread"}) == []


def test_pages_a_model_was_trained_on_are_left_out_but_not_most_of_them() -> None:
    model, pages = THEIR_MODELS["Bread"], OUR_PAGES[0]
    whole = measured(model, pages)
    some = measured(model, pages, pages.ids[:2])
    assert whole is not None
    assert some is not None
    assert whole.pages - some.pages == 2
    # A peer that names nearly all of our pages would choose what it is measured on.
    assert measured(model, pages, pages.ids[1:]) is None


def test_a_topic_alone_is_told_from_general_language() -> None:
    (pages,) = labelled_pages(training({"sailing": "Boats"}, range(6)))
    assert int(pages.members.sum()) == 6
    assert len(pages.bags) > 40
    found = measured(THEIR_MODELS["Bread"], pages)
    assert found is not None
    assert found.tells


@pytest.mark.parametrize(
    "model",
    [
        LinearModel(["boat"], [1.0], [0.0], 1e6),
        LinearModel(["boat", "bread"], [1.0, 1.0], [0.0, 0.0], 5.0),
        LinearModel(["people", "friend"], [1.0, 1.0], [1e6, 1e6], 1e6),
        LinearModel(["unheard"], [1.0], [1e6], 0.0),
    ],
    ids=["always yes", "all zero", "yes to everybody's words", "unknown words"],
)
def test_a_poisoned_model_matches_no_topic(model: LinearModel) -> None:
    assert best_topic(model, OUR_PAGES) is None


def test_a_model_that_says_the_opposite_matches_no_topic_of_its_own() -> None:
    good = OUR_MODELS["Boats"]
    turned = LinearModel(good.terms, good.idf, [-weight for weight in good.weights], -good.bias)
    (boats, _) = OUR_PAGES
    assert measured(turned, boats) is None


def test_random_weights_hardly_ever_match() -> None:
    stems = sorted({stem for page in OUR_PAGES for bag in page.bags for stem in bag})
    found = 0
    for seed in range(40):
        weights = np.random.default_rng(seed).normal(size=len(stems)).tolist()
        found += best_topic(LinearModel(stems, [1.0] * len(stems), weights, 0.0), OUR_PAGES) is not None
    assert found <= 8


def test_accuracy_is_not_raised_by_what_others_say() -> None:
    own = Separation(0.75, 0.6, 20, 0.0, 1.0)
    assert accuracy_of(own, [1.0] * 9) == 0.75
    assert accuracy_of(own, [0.0]) == 0.375
    # One liar among three does not change the middle.
    assert accuracy_of(own, [0.75, 0.75, 0.0]) == 0.75
    assert accuracy_of(own, [-5.0, 7.0]) == pytest.approx(0.625)
    assert weight_of(accuracy_of(own, [0.0])) == 0.0


def test_estimates_at_both_ends() -> None:
    # Independent members: the chances multiply.
    free = unanimous(SharedErrors(0.2, 0.0), 3)
    assert free.error == pytest.approx(0.2**3 / (0.2**3 + 0.8**3), rel=0.05)
    assert free.loss == pytest.approx(1 - 0.2**3 - 0.8**3, rel=0.02)
    # Members that always err together: more of them change nothing.
    same = unanimous(SharedErrors(0.2, 0.16), 16)
    assert same.error == pytest.approx(0.2, abs=0.02)
    assert same.loss < 0.05
    assert unanimous(SharedErrors(0.0, 0.0), 5).error == 0.0
    assert chained(SharedErrors(0.0, 0.0), 5).loss == 0.0


@settings(deadline=None, max_examples=60)
@given(st.floats(0.0, 1.0), st.floats(-0.25, 0.25), st.integers(1, 40))
def test_estimates_are_shares(error: float, covariance: float, models: int) -> None:
    for estimator in (unanimous, beta_law, chained):
        found = estimator(SharedErrors(error, covariance), models)
        assert 0.0 <= found.loss <= 1.0
        assert 0.0 <= found.error <= 1.0


def test_the_estimate_is_that_of_a_beta_binomial_draw() -> None:
    rng = np.random.default_rng(0)
    p, rho, members, pages = 0.25, 0.3, 6, 200_000
    s = 1 / rho - 1
    chance = rng.beta(p * s, (1 - p) * s, size=pages)
    wrong = rng.random((members, pages)) < chance
    known = agreement(~wrong)
    assert known.error == pytest.approx(p, abs=0.01)
    assert known.correlation == pytest.approx(rho, abs=0.01)
    all_right, all_wrong = (~wrong).all(axis=0).mean(), wrong.all(axis=0).mean()
    plan = unanimous(known, members)
    assert plan.loss == pytest.approx(1 - all_right - all_wrong, abs=0.01)
    assert plan.error == pytest.approx(all_wrong / (all_right + all_wrong), abs=0.01)
    # The source's chain promises far less error than there is.
    assert chained(known, members).error < plan.error / 2


def test_a_plan_is_the_smallest_group_that_will_do() -> None:
    known = SharedErrors(0.2, 0.02)
    found = planned(known, 16, error=0.05)
    assert found is not None
    assert found.error <= 0.05 < unanimous(known, found.models - 1).error
    assert planned(known, 16, error=0.0001) is None
    assert planned(known, 16, loss=0.01, error=0.05) is None
    assert planned(known, 16) == unanimous(known, 1)
    assert planned(known, 16, least=2, error=0.5) == unanimous(known, 2)


def test_pages_that_everybody_gets_wrong_are_in_the_estimate() -> None:
    rng = np.random.default_rng(0)
    members, pages = 16, 50_000
    chance = rng.beta(0.3, 5.0, size=pages)
    chance[rng.random(pages) < 0.01] = 0.97
    wrong = rng.random((members, pages)) < chance
    there = slice(0, 2_000)
    # Each model has taught itself some pages, which it is not asked about.
    asked = rng.random((members, 2_000)) < 0.9
    known = agreement(~wrong[:, there], asked)
    all_right, all_wrong = (~wrong).all(axis=0).mean(), wrong.all(axis=0).mean()
    truth = all_wrong / (all_right + all_wrong)
    assert beta_law(known, members).error < truth / 2
    assert unanimous(known, members).error == pytest.approx(truth, rel=0.5)
    assert unanimous(known, members).loss == pytest.approx(1 - all_right - all_wrong, abs=0.03)


def test_few_pages_leave_the_estimate_near_the_law() -> None:
    known = agreement(np.array([[True, True, False], [True, True, True]]))
    plan, law = unanimous(known, 4), beta_law(known, 4)
    assert plan.error == pytest.approx(law.error, abs=0.1)
    assert plan.loss == pytest.approx(law.loss, abs=0.1)


@settings(deadline=None, max_examples=25)
@given(st.lists(st.lists(st.booleans(), min_size=6, max_size=6), min_size=2, max_size=5), st.integers(1, 20))
def test_estimates_from_any_table_are_shares(table: list[list[bool]], models: int) -> None:
    right = np.array(table)
    found = unanimous(agreement(right), models)
    assert 0.0 <= found.loss <= 1.0
    assert 0.0 <= found.error <= 1.0
    assert agreement(right, np.zeros_like(right)) == SharedErrors(0.5, 0.0)


def test_agreement_of_few() -> None:
    assert agreement(np.zeros((0, 0), bool)) == SharedErrors(0.5, 0.0)
    assert agreement(np.array([[True, False]])) == SharedErrors(0.5, 0.0, (Tried(0, 1, 1), Tried(1, 1, 1)))
    assert SharedErrors(0.0, 0.0).correlation == LEAST


def test_confidences_that_prefer_the_others_say_nothing() -> None:
    general = np.zeros(6, bool)
    assert measure_of(np.array([0.0, 0.0, 0.0, 1.0, 1.0, 1.0]), np.arange(6) < 3, general) is None
