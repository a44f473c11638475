"""Trials of methods that find whole sites."""

import pytest

from thresher.bench.profile import bench_settings
from thresher.bench.sites.labelled_sites import GeneratedSites
from thresher.bench.sites.measuring import against, page_quality, run_trials
from thresher.bench.sites.trial import PAGE_CRAWLER, judged
from thresher.site_types import SiteEnd, SiteRow, SiteState

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def web() -> GeneratedSites:
    return GeneratedSites(bench_settings(), sites=200, seed=1, examples=4, others=10)


def row(web: GeneratedSites, number: int, state: SiteState, pages: int = 3) -> SiteRow:
    home = web._web.plan.sites[number].home
    return SiteRow(site=f"s{number}", home=home, state=state, pages=pages, end=SiteEnd.SURE, found=number)


def test_figures_are_those_of_the_truth(web: GeneratedSites) -> None:
    topic = web.topics[0]
    own = sorted(web._web.relevant(topic))
    other = [site.number for site in web._web.plan.sites if site.number not in own]
    rows = [
        row(web, own[0], SiteState.RELEVANT),
        row(web, own[0], SiteState.RELEVANT),
        row(web, own[1], SiteState.IRRELEVANT, pages=1),
        row(web, other[0], SiteState.RELEVANT),
        row(web, other[1], SiteState.IRRELEVANT),
        row(web, own[2], SiteState.OPEN),
        row(web, own[3], SiteState.RELEVANT),
    ]
    known = {web._web.plan.sites[own[3]].brand}
    trial = judged(web, topic, "made", 0, rows, ["page"] * 20, known)
    assert trial.run.precision == pytest.approx(1 / 3, abs=1e-3)
    assert trial.run.recall == pytest.approx(1 / 2)
    assert trial.run.pages_per_site == pytest.approx(4.0)
    assert trial.run.pprs == pytest.approx(20.0)
    assert trial.run.one_page_share == pytest.approx(0.2)


def test_every_method_runs_and_the_default_beats_home_pages(web: GeneratedSites) -> None:
    methods = ["websites", "websites(order=variance)", "home-page", PAGE_CRAWLER, "breadth-first-sites"]
    trials = list(run_trials(web, methods, web.topics[:1], 2, 250))
    assert [trial.run.method for trial in trials[:5]] == methods
    mean = {m: sum(t.run.f for t in trials if t.run.method == m) / 2 for m in methods}
    assert mean["websites"] > mean["home-page"]
    assert set(against(trials, "f")) == set(methods[1:])
    assert all(0.0 <= trial.run.one_page_share <= 1.0 and trial.pages <= 250 for trial in trials)


def test_pages_are_judged_on_sites_that_were_held_out(web: GeneratedSites) -> None:
    found = {one.model: one.accuracy for one in page_quality(web, web.topics[:1], 1)}
    assert set(found) == {"centroids", "calibrated", "svm", "naive-bayes"}
    assert all(0.4 < accuracy < 1.0 for accuracy in found.values())
