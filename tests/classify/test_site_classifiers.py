"""Classifiers of pages and sites for website mode."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.classify.centroids import CentroidClassifier, spherical_means
from thresher.classify.site_margins import LinearPages
from thresher.classify.site_pages import SitePages, site_folds
from thresher.classify.sites import LEAST_ERROR, SiteClassifier
from thresher.errors import InputError
from thresher.learn.tfidf import TfIdf
from thresher.types import ParsedPage


def page(site: str, words: str, number: int = 0) -> ParsedPage:
    terms = {word: words.split().count(word) for word in words.split()}
    return ParsedPage(url=f"http://{site}/{number}", title="", words=[], links=[], terms=terms)


BOATS = [(page(f"boats{n}.test", f"boat sail wind sea harbour b{n}", k), "boats") for n in range(6) for k in range(3)]
CARS = [(page(f"cars{n}.test", f"car road wheel motor c{n}", k), "cars") for n in range(6) for k in range(3)]
NONE = [(page(f"none{n}.test", f"tax law form office n{n}", k), None) for n in range(6) for k in range(3)]


@pytest.fixture(params=["centroids", "calibrated", "naive-bayes", "svm"])
def kind(request: pytest.FixtureRequest) -> SitePages:
    made = {"centroids": CentroidClassifier(calibrated=False), "calibrated": CentroidClassifier()}
    return made.get(request.param) or LinearPages(request.param)


def test_every_model_tells_several_topics_from_one_another_and_from_the_rest(kind: SitePages) -> None:
    examples = [*BOATS, *CARS, *NONE]
    found = kind.fit(examples, [one.url.split("/")[2] for one, _ in examples])
    assert found.classes_ == ("boats", "cars", "")
    for words, wanted in (("boat wind", 0), ("car wheel", 1), ("tax form", 2)):
        shares = found.confidences(page("x.test", words).terms)
        assert shares.sum() == pytest.approx(1.0)
        assert int(shares.argmax()) == wanted
    assert found.error_ == 0.0


def test_a_page_of_unknown_words_says_nothing_by_the_formula_of_distances() -> None:
    found = CentroidClassifier(calibrated=False).fit([*BOATS, *NONE])
    assert found.confidences({"unheard": 3}).tolist() == pytest.approx([0.5, 0.5])
    assert found.confidences({}).tolist() == pytest.approx([0.5, 0.5])


def test_the_confidence_falls_as_the_own_distance_grows() -> None:
    found = CentroidClassifier(calibrated=False).fit([*BOATS, *NONE])
    shares = [float(found.confidences({"boat": 1, "sail": 1, "tax": n})[0]) for n in range(6)]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] > shares[-1]


def test_without_other_sites_general_language_stands_for_them() -> None:
    found = LinearPages().fit(BOATS)
    assert found.classes_ == ("boats", "")
    assert found.confidences({"boat": 2, "sail": 1})[0] > 0.5
    with pytest.raises(InputError):
        LinearPages().fit(NONE)


def test_a_site_is_held_out_as_a_whole_and_the_error_is_that_of_unseen_sites() -> None:
    # Each site has words of its own only: seen pages would give them away, unseen sites cannot be told.
    alike = [(page(f"p{n}.test", f"own{n} own{n} word", k), "boats") for n in range(10) for k in range(4)]
    others = [(page(f"q{n}.test", f"else{n} else{n} word", k), None) for n in range(10) for k in range(4)]
    sites = [one.url.split("/")[2] for one, _ in [*alike, *others]]
    assert LinearPages().fit([*alike, *others], sites).error_ >= 0.3
    folds = site_folds(sites, np.array([0] * 40 + [1] * 40))
    assert all(len({folds[at] for at, name in enumerate(sites) if name == site}) == 1 for site in sites)


def test_centroids_have_length_one_and_are_never_more_than_the_pages_allow() -> None:
    rows = TfIdf(1).fit([one.terms for one, _ in BOATS]).transform([one.terms for one, _ in BOATS])
    centres = spherical_means(rows, 8, 0)
    assert 1 <= len(centres) <= 3
    assert np.linalg.norm(centres, axis=1) == pytest.approx(1.0)
    assert spherical_means(rows[:0], 8, 0).shape == (1, rows.shape[1])


shares = st.floats(0.0, 1.0)


@settings(max_examples=60, deadline=None)
@given(st.lists(shares, min_size=1, max_size=30), st.floats(0.0, 1.0), st.integers(0, 200), st.integers(0, 5000))
def test_posteriors_are_probabilities_whatever_the_pages_say(
    said: list[float], error: float, relevant: int, other: int
) -> None:
    sites = SiteClassifier(2, error, 0.9)
    total = [0.0, 0.0]
    for share in said:
        total = [one + more for one, more in zip(total, sites.evidence([share, 1 - share]), strict=True)]
    found = sites.posterior(total, sites.prior([relevant], other))
    assert sum(found) == pytest.approx(1.0)
    assert all(0.0 <= one <= 1.0 for one in found)


def test_the_prior_never_outweighs_half_of_what_a_decision_takes() -> None:
    sites = SiteClassifier(2, 0.1, 0.9)
    most = 0.5 * math.log(9)
    assert sites.prior([0], 10**6)[0] == pytest.approx(-most)
    assert sites.prior([10**6], 0)[0] == pytest.approx(most)
    # Two clear pages still decide for a site where hardly any site is relevant.
    clear = [2 * one for one in sites.evidence([1.0, 0.0])]
    assert sites.is_sure(sites.posterior(clear, sites.prior([0], 10**6)))


def test_the_error_bounds_what_a_single_page_can_say() -> None:
    sites = SiteClassifier(2, 0.2, 0.9)
    one = sites.evidence([1.0, 0.0])
    assert one[0] - one[1] == pytest.approx(sites.most_evidence) == pytest.approx(math.log(4))
    assert SiteClassifier(2, 0.0).error == LEAST_ERROR
    with pytest.raises(ValueError, match="threshold"):
        SiteClassifier(2, 0.1, 0.4)


def test_with_three_classes_no_page_speaks_for_all() -> None:
    sites = SiteClassifier(3, 0.1, 0.9)
    found = sites.posterior(sites.evidence([0.8, 0.1, 0.1]), sites.prior([1, 1], 2))
    assert found[0] > found[1] == pytest.approx(found[2], abs=0.2)
