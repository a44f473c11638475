"""`thresher rank`: what it prints, and what it refuses."""

import json
from pathlib import Path

import pytest

from tests.cli.test_commands import inside
from tests.linkscores.test_link_analysis import ABOUT, COPY, FAIR, GOOD, HUB, OTHER_HUB, fill, judged
from tests.store.rows import document, link
from thresher.cli.main import call
from thresher.errors import InputError
from thresher.store.records import Batch
from thresher.store.repository import open_store

UNJUDGED = "http://unjudged.test/"


@pytest.fixture(params=[None, "Cats/[wild]"], ids=["no topics", "a topic"])
def topic(request: pytest.FixtureRequest) -> str | None:
    found: str | None = request.param
    return found


@pytest.fixture
def portal(tmp_path: Path, topic: str | None) -> Path:
    store = open_store(tmp_path, create=True)
    fill(store, topic)
    store.close()
    return tmp_path


def test_the_best_pages_come_first(portal: Path, topic: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    found = inside(capsys, "rank", str(portal), "--number", "2")
    assert (found["pages"], found["folded"], found["links"]) == (6, 1, 4)
    (scored,) = found["topics"]
    assert (scored["topic"], scored["pages"], scored["base_set"]) == (topic, 5, 5)
    assert scored["authorities"][0]["url"] == GOOD
    hub, second = scored["hubs"]
    assert (hub["url"], hub["title"]) == (HUB, "A title")
    assert hub["score"] > second["score"] > 0
    assert found["pagerank"][0]["url"] == GOOD
    assert all(len(pages) == 2 for pages in (scored["authorities"], scored["hubs"], found["pagerank"]))


def test_a_person_sees_the_same(portal: Path, topic: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["rank", str(portal)]) == 0
    shown = capsys.readouterr().out
    assert (topic or "All pages") in shown
    assert shown.index("authorities") < shown.index(GOOD) < shown.index("hubs") < shown.index("PageRank")


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """Return a portal where the best authority was rejected and one hub was never judged."""
    store = open_store(tmp_path, create=True)
    crawl = fill(store, "Cats")
    elsewhere = [
        document(GOOD, judgement=judged(None)),
        document(COPY, judgement=judged(None)),
        document(UNJUDGED, links=[link(FAIR), link(GOOD)]),
    ]
    store.commit(Batch(crawl=crawl, at=3.0, documents=elsewhere))
    store.close()
    return tmp_path


def test_pages_that_are_not_of_a_topic_are_not_listed_under_it(mixed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (scored,) = inside(capsys, "rank", str(mixed))["topics"]
    assert [page["url"] for page in scored["authorities"]] == [FAIR]
    assert {page["url"] for page in scored["hubs"]} == {HUB, ABOUT, OTHER_HUB}
    assert {page["topic"] for page in scored["authorities"] + scored["hubs"]} == {"Cats"}
    assert (scored["pages"], scored["base_set"]) == (4, 7)


def test_neighbours_are_listed_with_what_they_were_found_to_be(mixed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (scored,) = inside(capsys, "rank", str(mixed), "--neighbours")["topics"]
    best = scored["authorities"][0]
    assert (best["url"], best["topic"], best["judged"]) == (GOOD, None, True)
    assert {page["url"]: page["judged"] for page in scored["hubs"]}[UNJUDGED] is False
    assert call(["rank", str(mixed), "--neighbours"]) == 0
    shown = capsys.readouterr().out
    assert "(no topic)" in shown
    assert "(not classified)" in shown


def test_an_unknown_topic_is_refused(portal: Path, topic: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["rank", str(portal), "--topic", "Dogs", "--json"]) == InputError.exit_code
    error = json.loads(capsys.readouterr().err)
    assert "'Dogs'" in error["error"]
    assert (topic or "No page") in error["remedy"]


def test_an_empty_portal_has_nothing_to_rank(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    open_store(tmp_path, create=True).close()
    found = inside(capsys, "rank", str(tmp_path))
    assert (found["pages"], found["topics"], found["pagerank"]) == (0, [], [])
    assert call(["rank", str(tmp_path)]) == 0
