"""Removing a page or a site with what only it brought in: the preview, the removal, its undo."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.portal.made import Made, page, token_for
from thresher.portal.ids import page_name
from thresher.portal.review_figures import precisions
from thresher.store.decisions import DecisionKind
from thresher.store.portal_records import Role
from thresher.store.records import Batch, CrawlKind


@pytest.fixture
def reviewer(made: Made) -> TestClient:
    return made.signed_in(Role.REVIEWER, "Rita")


def post(browser: TestClient, path: str, **fields: Any) -> Any:
    return browser.post(path, data={**fields, "token": token_for(browser)})


@pytest.fixture
def spam(made: Made) -> Any:
    """A page that a start page links to, with three pages behind it, one of which can be reached otherwise."""
    behind = [page(f"http://spam.test/{number}", "Tea", title=f"Spam {number}") for number in range(3)]
    links = [(row.url, "more") for row in behind]
    hub = page("http://spam.test/", "Tea", title="Spam hub", links=links)
    start = page("http://seed.test/", "Tea", title="Seed", links=[(hub.url, "hub"), (behind[0].url, "good")])
    crawl = made.store.crawls.get()
    assert crawl is not None
    made.store.commit(Batch(crawl=crawl.id, at=1.0, documents=[start, hub, *behind]))
    made.app.state.library.forget()
    return hub


def test_a_page_goes_with_what_only_it_brought_in_and_comes_back(made: Made, reviewer: TestClient, spam: Any) -> None:
    name = page_name(spam.url_id)
    shown = reviewer.get(f"/remove?page={name}").text
    assert "Remove “Spam hub”?" in shown
    assert "2 other pages are removed with it" in shown
    assert "Spam 1" in shown
    assert "Spam 0" not in shown
    assert made.store.decisions.all() == [], "a preview changes nothing"
    done = post(reviewer, "/remove", page=name, back="/review")
    after = reviewer.get(done.headers["location"]).text
    assert "Removed 3 pages." in after
    assert 'href="/review"' in after
    text = reviewer.get("/t/Tea").text
    assert "Spam 0" in text
    assert "Spam hub" not in text
    assert "Spam 1" not in text
    kinds = {row.url: row.kind for row in made.store.decisions.all()}
    assert kinds[spam.url] is DecisionKind.IRRELEVANT
    assert kinds["http://spam.test/2"] is DecisionKind.REMOVED
    assert "removed with the page that led to it" in reviewer.get("/review/log").text
    deed = made.store.deeds.all()[0]
    undone = post(reviewer, "/manage/undo", number=str(deed.id), back=f"/removed?number={deed.id}")
    assert "3 pages are back." in reviewer.get(undone.headers["location"]).text
    assert "Spam hub" in reviewer.get("/t/Tea").text
    assert made.store.decisions.settled() == {}
    post(reviewer, "/manage/undo", number=str(deed.id))
    assert "Spam hub" not in reviewer.get("/t/Tea").text, "what was undone can be done again"


def test_the_start_pages_of_a_crawl_for_a_query_stay(made: Made, reviewer: TestClient, spam: Any) -> None:
    made.store.crawls.start(CrawlKind.ASK, "query", {"query": "tea", "seeds": ["http://spam.test/1"]}, 2.0)
    shown = reviewer.get(f"/remove?page={page_name(spam.url_id)}").text
    assert "1 other page is removed with it" in shown
    assert "Spam 1" not in shown


def test_a_page_can_go_alone_and_a_site_as_a_whole(made: Made, reviewer: TestClient, spam: Any) -> None:
    post(reviewer, "/remove", page=page_name(spam.url_id), alone="true")
    assert [row.url for row in made.store.decisions.all()] == [spam.url]
    assert "Remove all pages of spam.test?" in reviewer.get("/remove?site=spam.test").text
    post(reviewer, "/remove", site="spam.test")
    assert not [page for page in made.store.documents.accepted() if "spam.test" in page.url]
    assert made.client.get("/site/spam.test").status_code == 404


def test_what_went_along_teaches_nothing_and_counts_for_no_figure(made: Made, reviewer: TestClient, spam: Any) -> None:
    post(reviewer, "/remove", page=page_name(spam.url_id))
    assert precisions(made.store.decisions.all()).micro.checked == 1
    assert made.app.state.lesson_work.since_last() == 1
    assert post(reviewer, "/review/decide", page=page_name(spam.url_id), kind="removed").status_code == 400


def test_what_the_portal_does_not_have_cannot_be_removed(made: Made, reviewer: TestClient) -> None:
    for asked in ("page=nothing", "site=nowhere.test", "", "page=0000000000000000"):
        assert reviewer.get(f"/remove?{asked}").status_code == 404
    assert reviewer.get("/removed?number=99").status_code == 404
    assert made.store.decisions.all() == []
