"""The generated web of sites: its difficulty, fixed before anything was tuned on it."""

from collections import Counter

import numpy as np
import pytest

from thresher.classify.centroids import CentroidClassifier
from thresher.documents import read
from thresher.simweb.site_plan import SiteWebParameters
from thresher.simweb.site_web import SiteWeb
from thresher.types import ParsedPage
from thresher.web.site_names import site_of
from thresher.web.urls import host_of


@pytest.fixture(scope="module")
def web() -> SiteWeb:
    return SiteWeb(SiteWebParameters(sites=2400, seed=0))


def page_of(web: SiteWeb, url: str) -> ParsedPage | None:
    found = web.answer("GET", host_of(url), url.partition(host_of(url))[2])
    return read(found.body, "text/html; charset=utf-8", url) if found is not None and found.status == 200 else None


def test_shares_are_as_planned(web: SiteWeb) -> None:
    sites = web.plan.sites
    assert len(sites) >= 2000
    for topic in web.topics():
        assert 0.045 <= len(web.relevant(topic)) / len(sites) <= 0.1
    bare = sum(site.entrance != "plain" for site in sites) / len(sites)
    assert 0.3 <= bare <= 0.37
    kinds = Counter(site.address for site in sites)
    assert all(kinds[kind] > 100 for kind in ("host", "subdomain", "user", "folder"))
    assert 30 < sum(site.trap for site in sites) < 150


def test_some_sites_of_a_theme_write_mostly_of_others_and_others_have_pages_of_it(web: SiteWeb) -> None:
    plan = web.plan
    own = Counter()
    foreign = 0
    for site in plan.sites[:600]:
        themes = [page.theme for page in plan.pages(site.number)]
        if site.theme >= 0:
            own["mostly"] += themes.count(site.theme) > len(themes) / 2
            own["all"] += 1
        foreign += len({theme for theme in themes if theme not in (-1, site.theme)}) >= 2
    assert 0.4 < own["mostly"] / own["all"] < 0.95
    assert foreign > 150


def test_a_page_tells_its_site_in_four_of_five_cases_and_a_home_page_much_less(web: SiteWeb) -> None:
    plan, topic = web.plan, web.topics()[0]
    relevant = [plan.sites[number] for number in sorted(web.relevant(topic))][:15]
    others = [site for site in plan.sites if site.theme != 0][:45]
    pages: list[tuple[ParsedPage, str | None]] = []
    homes: list[tuple[ParsedPage, str | None]] = []
    for site in (*relevant, *others):
        label = topic if site.theme == 0 else None
        for place, planned in enumerate(plan.pages(site.number)[:10]):
            page = page_of(web, f"http://{site.host}{site.root}{planned.path}")
            if page is not None and page.terms:
                pages.append((page, label))
                if place == 0:
                    homes.append((page, label))
    by_pages = CentroidClassifier().fit(pages, [site_of(page.url) for page, _ in pages])
    by_homes = CentroidClassifier().fit(homes)
    assert 0.72 <= 1 - by_pages.error_ <= 0.88
    assert by_homes.error_ >= by_pages.error_ + 0.05


def test_every_site_answers_as_its_plan_says(web: SiteWeb) -> None:
    rng = np.random.default_rng(1)
    for number in rng.choice(2400, 60, replace=False).tolist():
        site = web.plan.sites[number]
        home = web.answer("GET", site.host, site.root)
        assert home is not None
        assert home.status == (404 if site.homeless else 200)
        assert web.site_number(site.home) == number
        last = web.plan.pages(number)[-1]
        found = web.answer("GET", site.host, f"{site.root}{last.path}")
        assert found is not None
        assert found.status == 200
        if site.other_name and site.other_name != site.host and not site.mirrors:
            assert web.answer("GET", site.other_name, "/").status == 301  # type: ignore[union-attr]
    assert web.answer("GET", "nowhere.test", "/") is None
    assert web.answer("GET", web.plan.sites[0].host, "/nothing-here").status == 404  # type: ignore[union-attr]


def test_the_same_parameters_make_the_same_web(web: SiteWeb) -> None:
    again = SiteWeb(SiteWebParameters(sites=2400, seed=0))
    for site in web.plan.sites[:20]:
        assert again.answer("GET", site.host, site.root) == web.answer("GET", site.host, site.root)
