"""`thresher rank`: what it prints, and what it refuses."""

import json
from pathlib import Path

import pytest

from tests.cli.test_commands import inside
from tests.linkscores.test_link_analysis import GOOD, HUB, fill
from thresher.cli.main import call
from thresher.errors import InputError
from thresher.store.sqlite.store import open_store


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
