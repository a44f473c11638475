"""The pages about whole sites: the list, one site, review by one key, and work that looks for more."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.portal.made import HOSTILE, Made, token_for
from thresher.portal.work import Workbench
from thresher.portal.work_commands import commands_of
from thresher.site_types import SiteChanges, SiteEnd, SitePageRow, SiteRow, SiteState
from thresher.store.portal_records import Role
from thresher.store.records import Batch, CrawlKind
from thresher.store.work_records import WorkKind, WorkRow


class Noted(Workbench):
    """Work that is noted and not started."""

    def _spawn(self, row: WorkRow) -> None:
        pass


def post(browser: TestClient, path: str, **fields: Any) -> Any:
    return browser.post(path, data={**fields, "token": token_for(browser)})


def site(name: str, state: SiteState, posterior: float, **more: Any) -> SiteRow:
    fields = {"topic": "Boats", "end": SiteEnd.SURE, "pages": 2, "texts": 2, **more}
    return SiteRow(site=name, home=f"http://{name}/", state=state, posterior=posterior, **fields)


@pytest.fixture
def found(made: Made) -> Made:
    crawl = made.store.crawls.start(CrawlKind.SITES, "websites", {}, at=5.0).id
    rows = [
        site("yards.test", SiteState.RELEVANT, 0.97),
        site("maybe.test", SiteState.RELEVANT, 0.6),
        site("cars.test", SiteState.IRRELEVANT, 0.02),
        site("www.yards.test", SiteState.SAME, 0.0, same_as="yards.test"),
        site("empty.test", SiteState.IRRELEVANT, 0.0, topic="", end=SiteEnd.NO_PAGES),
        site(f"evil.test/{HOSTILE[:60]}", SiteState.OPEN, 0.5, end=None),
    ]
    pages = [
        SitePageRow(site="yards.test", number=1, url="http://yards.test/", confidences=(), posterior=0.5),
        SitePageRow(
            site="yards.test", number=2, url=f"http://yards.test/{HOSTILE[:40]}", confidences=(0.8, 0.2), posterior=0.97
        ),
    ]
    made.store.commit(Batch(crawl=crawl, at=6.0, sites=SiteChanges(rows, pages)))
    made.app.state.bench = Noted(made.folder, made.store)
    return made


def test_the_list_has_the_sites_of_a_topic_and_state_and_its_twins(found: Made) -> None:
    browser = found.signed_in(Role.REVIEWER)
    text = browser.get("/manage/sites").text
    assert "2 sites, most probable first." in text
    assert text.index("yards.test") < text.index("maybe.test")
    assert "cars.test" not in text
    assert "<script>" not in browser.get("/manage/sites?state=all").text
    assert "cars.test" in browser.get("/manage/sites?state=irrelevant&topic=Boats").text
    assert "No site is in this state" in browser.get("/manage/sites?topic=Nothing").text
    told = browser.get("/manage/sites.json").json()
    assert [row["site"] for row in told["sites"]] == ["yards.test", "maybe.test"]
    assert told["total"] == 2
    assert "yards.test" in browser.get("/manage/sites.csv").text
    assert "http://maybe.test/" in browser.get("/manage/sites.html").text
    assert "Look for sites" not in text, "reviewers start no work"


def test_a_site_is_shown_with_its_probability_after_each_page(found: Made) -> None:
    text = found.signed_in(Role.REVIEWER).get("/manage/sites/show?site=yards.test").text
    assert "Relevant: Boats with a probability of 97 % after 2 pages." in text
    assert "too little text" in text
    assert "80 %" in text
    assert "certain enough" in text
    assert "<script>" not in text
    reviewer = found.signed_in(Role.REVIEWER)
    assert "The same site as yards.test" in reviewer.get("/manage/sites/show?site=www.yards.test").text
    assert reviewer.get("/manage/sites/show?site=never.test").status_code == 404


def test_sites_are_judged_one_after_the_other_and_a_judgement_can_be_undone(found: Made) -> None:
    browser = found.signed_in(Role.REVIEWER)
    text = browser.get("/manage/sites/review").text
    assert "maybe.test" in text, "the least certain comes first"
    assert "3 sites left to review" in text
    assert 'data-press="r"' in text
    answer = post(browser, "/manage/sites/decide", site="maybe.test", accepted="false", review="true")
    after = browser.get(answer.headers["location"]).text
    assert "2 sites left to review" in after
    assert "maybe.test</bdi></b> Saved" in after
    assert [(said.site, said.accepted) for said in found.store.sites.verdicts()] == [("maybe.test", False)]
    assert "1 site." in browser.get("/manage/sites").text
    deed = found.store.deeds.all()[0]
    post(browser, "/manage/undo", number=str(deed.id), back="/manage/sites/review")
    assert found.store.sites.verdicts() == []
    assert "<h1><bdi>yards.test" in browser.get("/manage/sites/review?site=yards.test").text
    post(browser, "/manage/undo", number=str(deed.id))
    post(browser, "/manage/sites/decide", site="maybe.test", accepted="true")
    assert post(browser, "/manage/undo", number=str(deed.id)).status_code == 409, "it was decided anew since"
    post(browser, "/manage/undo", number=str(found.store.deeds.all()[0].id))
    assert [said.accepted for said in found.store.sites.verdicts()] == [False], "the decision before holds again"
    for name in ("empty.test", "never.test"):
        assert post(browser, "/manage/sites/decide", site=name, accepted="true").status_code == 404
    assert "<h1><bdi>cars.test" in browser.get("/manage/sites/review?after=yards.test").text, (
        "what is put off comes last"
    )


def test_everything_judged_is_said_plainly(found: Made) -> None:
    browser = found.signed_in(Role.REVIEWER)
    for name in ("yards.test", "maybe.test", "cars.test"):
        post(browser, "/manage/sites/decide", site=name, accepted="true", review="true")
    assert "You have reviewed every site" in browser.get("/manage/sites/review").text


def test_looking_for_sites_and_learning_are_work(found: Made) -> None:
    admin = found.signed_in(Role.ADMIN, "Ada")
    answer = post(admin, "/manage/sites/run", want="20", pages="300", fresh="true")
    assert answer.headers["location"] == "/crawl"
    (row,) = found.store.works.open()
    assert (row.kind, row.user) == (WorkKind.SITES, "Ada")
    assert commands_of(row, found.folder, found.store) == [
        ["sites", str(found.folder), "run", "--want", "20", "--pages", "300", "--fresh"]
    ]
    busy = post(admin, "/manage/sites/learn")
    assert busy.status_code == 409
    assert "This portal is busy" in busy.text
    found.store.works.end(row.id, 9.0, 0)
    assert post(admin, "/manage/sites/learn").status_code == 303
    assert found.store.works.open()[0].arguments == ("learn",)
    assert post(admin, "/crawl/start", kind="sites").status_code == 400, "it has a page of its own"


def test_without_a_run_the_page_says_how_to_begin(made: Made) -> None:
    text = made.signed_in(Role.ADMIN).get("/manage/sites").text
    assert "No sites yet" in text
    assert "Look for sites" in text
    assert made.signed_in(Role.ADMIN).get("/manage/sites.json").json() == {"sites": [], "total": 0}
