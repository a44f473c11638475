"""Models as data: what leaves a portal, and what is refused when it arrives."""

import math
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.peers.made import classifier_of, page, training
from thresher.classify.folds import site_of
from thresher.classify.linear_model import LinearMachine
from thresher.peers.models import (
    LARGEST,
    MOST_CENTROID_TERMS,
    MOST_CENTROIDS,
    MOST_IDS,
    MOST_TERMS,
    ClusterModel,
    ModelFault,
    TopicModel,
    checked_clusters,
    checked_model,
    cluster_model,
    linear_model,
    version_of,
)

TRAINING = training({"sailing": "Boats", "baking": "Bread"}, range(8))
CLASSIFIER = classifier_of(TRAINING)
BAGS = [page.terms for page, _ in TRAINING.examples]


def body(**changes: Any) -> dict[str, Any]:
    model = {"terms": ["boat", "sail"], "idf": [1.0, 2.0], "weights": [0.5, -0.5], "bias": 0.1, "relative": False}
    own = {key: changes.pop(key) for key in list(changes) if key in model}
    return {"topic": "Boats", "model": {**model, **own}, "pages": 4, "ids": [1, -2], **changes}


def test_a_model_says_what_the_classifier_says_but_for_sites_and_rounding() -> None:
    model = linear_model(CLASSIFIER, "Boats", BAGS, min_pages=1)
    assert model is not None
    machine, family = LinearMachine(model), CLASSIFIER.families_[""]
    for subject in ("sailing", "baking", "chess"):
        unseen = page(subject, 50)
        scores = family.judge(family.known(unseen.terms), site_of(unseen))
        # Terms of the background are known to no page of the portal, and stay behind.
        assert machine.confidence(unseen.terms) == pytest.approx(scores.confidences[0] - scores.of_site[0], abs=0.15)


def test_rare_stems_stay_at_home() -> None:
    known = {stem for bag in BAGS for stem in bag}
    for least in (1, 2, 5):
        model = linear_model(CLASSIFIER, "Boats", BAGS, min_pages=least)
        assert model is not None
        assert set(model.terms) <= known
        assert all(sum(term in bag for bag in BAGS) >= least for term in model.terms)
    assert linear_model(CLASSIFIER, "Boats", BAGS, min_pages=10_000) is None
    assert linear_model(CLASSIFIER, "Elsewhere", BAGS) is None


def test_a_model_survives_the_way() -> None:
    model = linear_model(CLASSIFIER, "Boats", BAGS)
    assert model is not None
    sent = TopicModel("Boats", model, 8, [5])
    found = checked_model(msgspec.json.decode(msgspec.json.encode(sent)))
    assert found == sent
    assert version_of(sent) == version_of(TopicModel("Boats", model, 8, [5])) != version_of(TopicModel("B", model))


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (None, ModelFault.MALFORMED),
        ([], ModelFault.MALFORMED),
        (body(more=1), ModelFault.MALFORMED),
        (body(bias="1"), ModelFault.MALFORMED),
        (body(ids=["x"]), ModelFault.MALFORMED),
        (body(topic=""), ModelFault.BAD_TOPIC),
        (body(topic="x" * 600), ModelFault.BAD_TOPIC),
        (body(topic="a\x1b[31m"), ModelFault.BAD_TOPIC),
        (body(terms=[]), ModelFault.TOO_LARGE),
        (body(terms=[f"t{n}" for n in range(MOST_TERMS + 1)]), ModelFault.TOO_LARGE),
        (body(ids=list(range(MOST_IDS + 1))), ModelFault.TOO_LARGE),
        (body(pages=-1), ModelFault.TOO_LARGE),
        (body(weights=[1.0]), ModelFault.SIZES_DIFFER),
        (body(terms=["boat", "boat"]), ModelFault.BAD_TERM),
        (body(terms=["boat", ""]), ModelFault.BAD_TERM),
        (body(terms=["boat", "x" * 65]), ModelFault.BAD_TERM),
        (body(terms=["boat", "\u202e"]), ModelFault.BAD_TERM),
        (body(weights=[math.nan, 1.0]), ModelFault.BAD_NUMBER),
        (body(weights=[math.inf, 1.0]), ModelFault.BAD_NUMBER),
        (body(weights=[10 * LARGEST, 1.0]), ModelFault.BAD_NUMBER),
        (body(bias=-math.inf), ModelFault.BAD_NUMBER),
        (body(idf=[0.0, 1.0]), ModelFault.BAD_NUMBER),
        (body(idf=[-1.0, 1.0]), ModelFault.BAD_NUMBER),
    ],
    ids=range(23),
)
def test_a_bad_model_is_refused_by_name(data: Any, fault: ModelFault) -> None:
    assert checked_model(data) is fault


@settings(deadline=None, max_examples=25)
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=5,
    )
)
def test_anything_is_a_model_or_a_fault(data: Any) -> None:
    assert isinstance(checked_model(data), TopicModel | ModelFault)
    assert isinstance(checked_model({**body(), "model": data}), TopicModel | ModelFault)
    assert isinstance(checked_clusters(data), ClusterModel | ModelFault)


def test_centroids_are_checked_like_weights() -> None:
    good = {"topic": "T", "terms": ["a", "b"], "centroids": [[1.0, 0.0], [0.0, 1.0]]}
    assert isinstance(checked_clusters(good), ClusterModel)
    wrong: list[tuple[dict[str, Any], ModelFault]] = [
        ({"centroids": [[1.0, 0.0]]}, ModelFault.TOO_LARGE),
        ({"centroids": [[1.0, 0.0]] * (MOST_CENTROIDS + 1)}, ModelFault.TOO_LARGE),
        ({"centroids": [[1.0], [0.0, 1.0]]}, ModelFault.SIZES_DIFFER),
        ({"centroids": [[math.nan, 0.0], [0.0, 1.0]]}, ModelFault.BAD_NUMBER),
        ({"terms": ["a", "a"]}, ModelFault.BAD_TERM),
        ({"topic": "\n"}, ModelFault.BAD_TOPIC),
        ({"terms": [f"t{n}" for n in range(MOST_CENTROID_TERMS + 1)]}, ModelFault.TOO_LARGE),
    ]
    for changes, fault in wrong:
        assert checked_clusters({**good, **changes}) is fault, changes


def test_centroids_leave_with_the_terms_that_weigh_most() -> None:
    rows = np.array([[0.9, 0.1, 0.4], [0.0, 0.8, 0.6]])
    made = cluster_model("T", ["x" * 99, "sail", "boat"], rows)
    assert made is not None
    assert (made.terms, made.centroids) == (["boat", "sail"], [[0.4, 0.1], [0.6, 0.8]])
    assert cluster_model("T", [], rows[:, :0]) is None
