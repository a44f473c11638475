"""Training a portal on a generated web over HTTP, and crawling by what was learnt."""

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.cli.shapes import check_shape
from tests.machine import PATIENCE
from thresher.bench.crash import Served, make_portal, served
from thresher.cli.main import call
from thresher.errors import PortalBusy
from thresher.portals import save_topics
from thresher.runs.training import Watch, train
from thresher.simweb.access_log import read_log
from thresher.simweb.pages import Flag, PageKind
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web
from thresher.store.locks import CrawlLock, Holder, holder
from thresher.store.repository import open_store
from thresher.taxonomy.topic_tree import Taxonomy, Topic, TrainingPage, parsed, put
from thresher.web.urls import url_id

PARAMETERS = WebParameters(pages=900, hosts=25, seed=8)
WEB = Web(PARAMETERS)
TOP, OTHER = WEB.topics()[:2]
SLASHED = "TCP%2FIP ⛵"


def pages(topic: str, number: int) -> tuple[TrainingPage, ...]:
    return tuple(TrainingPage(url) for url in WEB.examples(topic, number))


def quick(portal: Path) -> None:
    """Let a portal wait less for hosts that are dead."""
    file = portal / "thresher.toml"
    file.write_text(file.read_text().replace("[manners]\n", "[manners]\nretry = 0.05\n"))


def topics(*given: tuple[str, Topic]) -> Taxonomy:
    tree = Taxonomy()
    for path, topic in given:
        tree = put(tree, parsed(path), topic)
    return tree


def told(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> dict[str, Any]:
    """Run a command and return the one object it prints, on stderr where it fails."""
    capsys.readouterr()
    assert call([*arguments, "--json"]) == code
    out, err = capsys.readouterr()
    lines = out.splitlines() if code == 0 else err.splitlines()[-1:]
    assert len(lines) == 1
    found: dict[str, Any] = json.loads(lines[0])
    if code in (0, 130):
        check_shape(arguments, found)
    return found


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("web"), PARAMETERS) as found:
        yield found


@pytest.fixture
def portal(tmp_path: Path, web: Served) -> Path:
    make_portal(tmp_path / "p", web, pages=40)
    quick(tmp_path / "p")
    return tmp_path / "p"


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory, web: Served) -> Path:
    directory = tmp_path_factory.mktemp("portals") / "p"
    make_portal(directory, web, pages=60)
    quick(directory)
    dead = (TrainingPage("http://nobody.invalid/"), TrainingPage(f"http://{WEB.hosts[0].name}/no/such/page"))
    slashed = Topic(name="", pages=(*pages(TOP, 9), *dead))
    tree = topics((SLASHED, slashed), ("Other", Topic(name="", pages=pages(OTHER, 8))))
    save_topics(directory, tree)
    assert call(["train", str(directory), "--json"]) == 0
    return directory


@pytest.mark.slow
def test_training_fetches_reports_and_supplies_negatives(
    trained: Path, web: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    before = len(list(read_log(web.log)))
    found = told(capsys, "train", str(trained))
    again = [entry for entry in list(read_log(web.log))[before:] if entry.target != "/robots.txt"]
    assert {entry.status for entry in again} <= {404}, "what the portal has is not fetched again"
    assert {page["url"]: page["reason"] for page in found["failed"]} == {
        "http://nobody.invalid/": "dns-failed",
        f"http://{WEB.hosts[0].name}/no/such/page": "not-found",
    }
    assert found["pages"] == 17
    negatives = found["negatives"]
    assert negatives == {"others": 0, "siblings": 8, "met": 0, "background": 200}
    assert len(found["negatives_sample"]["siblings"]) == 5
    rows = {row["path"]: row for row in found["topics"]}
    assert rows[SLASHED]["name"] == "TCP/IP ⛵"
    assert (rows[SLASHED]["pages"], rows["Other"]["pages"]) == (9, 8)
    for row in rows.values():
        assert row["f"] > 0.6
        assert row["f_interval"][0] <= row["f"] <= row["f_interval"][1]
        assert row["features"] > 20
        assert len(row["words"]) == 10
        assert row["warnings"] == []


def test_training_is_told_to_people(trained: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["train", str(trained)]) == 0
    out = capsys.readouterr().out
    assert "Skipped http://nobody.invalid/" in out
    for words in ("precision", "features", "words", "8 from sibling topics", "200 general-language pages"):
        assert words in out


def test_the_model_is_a_file_with_a_row(trained: Path) -> None:
    store = open_store(trained, read_only=True)
    row = store.models.newest()
    store.close()
    assert row is not None
    assert row.kind == "hierarchical"
    assert (trained / "models" / row.file).exists()


def test_features_are_shown_as_people_wrote_them(trained: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "features", str(trained), SLASHED)
    scores = [row["score"] for row in found["features"]]
    assert len(scores) == 50
    assert scores == sorted(scores, reverse=True)
    assert all(row["pages"] > 0 and row["word"] for row in found["features"])
    assert any(row["word"] != row["stem"] for row in found["features"])
    assert call(["features", str(trained), SLASHED]) == 0
    assert found["features"][0]["word"] in capsys.readouterr().out
    assert "Did you mean 'Other'?" in told(capsys, "features", str(trained), "Othr", code=7)["remedy"]


@pytest.mark.slow
def test_a_crawl_judges_with_the_newest_model_and_resume_with_its_own(
    trained: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = told(capsys, "train", str(trained))["model"]
    crawled = told(capsys, "crawl", str(trained), "--strategy", "classifier", "--set", "engine.workers=1")
    assert crawled["pages"] == 60
    assert 0 < crawled["harvest_rate"] <= 1
    again = told(capsys, "train", str(trained))
    assert again["model"] != model, "it has met pages since"
    assert again["negatives"]["met"] > 20
    assert told(capsys, "resume", str(trained), "--pages", "80")["pages"] == 80
    store = open_store(trained, read_only=True)
    judged = {url: store.documents.judgement(url_id(url)) for url in store.documents.urls()}
    store.close()
    assert {judgement.model for judgement in judged.values() if judgement} == {model}
    url = next(url for url, judgement in judged.items() if judgement and judgement.topic == SLASHED)
    judgement = told(capsys, "explain", str(trained), url)["judgement"]
    assert (judgement["topic"], judgement["path"], judgement["model"]) == (SLASHED, [SLASHED], model)
    assert judgement["confidence"] > 0
    assert 0 <= judgement["probability"] <= 1
    assert len(judgement["evidence"]) == 8
    assert call(["explain", str(trained), url]) == 0
    out = capsys.readouterr().out
    assert f"by model {model}" in out
    assert judgement["evidence"][0]["word"] in out


@pytest.mark.parametrize("strategy", ["best-first", "tag-tree", "url-keywords"])
def test_strategies_are_taught_in_every_process(
    trained: Path, capsys: pytest.CaptureFixture[str], strategy: str
) -> None:
    arguments = ["--fresh", "--strategy", strategy, "--set", "engine.workers=1", "--pages", "12"]
    assert told(capsys, "crawl", str(trained), *arguments)["pages"] == 12


@pytest.mark.slow
def test_redirects_lead_to_the_document(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    moved = [WEB.urls[page] for page in np.flatnonzero(WEB.pages.is_kind(PageKind.REDIRECT)).tolist()][:20]
    given = tuple(TrainingPage(url) for url in moved)
    save_topics(portal, topics(("Moved", Topic(name="", pages=given)), (OTHER, Topic(name="", pages=pages(OTHER, 3)))))
    found = told(capsys, "train", str(portal))
    rows = {row["path"]: row for row in found["topics"]}
    used = rows["Moved"]["pages"]
    assert used > 2
    assert used + len([page for page in found["failed"] if page["topic"] == "Moved"]) == len(moved)
    assert {page["reason"] for page in found["failed"]} <= {"duplicate", "bad-redirect"}


def test_local_documents_and_a_query_need_no_web(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "documents"
    for topic, words in (("Boats", "sailing boats harbour mast"), ("Tea", "tea leaves teapot steeping")):
        (folder / topic).mkdir(parents=True)
        for number in range(3):
            (folder / topic / f"{number}.txt").write_text(f"{words} page{number} " * 5)
    (folder / "Boats" / "plan.xyz").write_text("no reader")
    (folder / "Boats" / "empty.html").write_text("<p>")
    portal = tmp_path / "p"
    assert call(["new", str(portal), "--folder", str(folder)]) == 0
    found = told(capsys, "train", str(portal))
    assert {(page["url"].rpartition("/")[2], page["reason"]) for page in found["failed"]} == {
        ("plan.xyz", "type-refused"),
        ("empty.html", "no-text"),
    }
    assert [(row["path"], row["pages"]) for row in found["topics"]] == [("Boats", 3), ("Tea", 3)]
    assert "boats" in found["topics"][0]["words"]
    assert "3 training pages" in found["topics"][0]["warnings"][0]
    assert "There is only general language" not in " ".join(found["notices"])
    query = tmp_path / "q"
    assert call(["new", str(query), "--query", "recovering databases after crashes"]) == 0
    found = told(capsys, "train", str(query))
    assert "There is only general language" in " ".join(found["notices"])
    (row,) = found["topics"]
    assert (row["pages"], row["f"]) == (1, None)
    assert "databases" in row["words"]


@pytest.mark.slow
def test_bad_input_gets_a_plain_answer(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "has no topics" in told(capsys, "train", str(portal), code=7)["error"]
    assert "has not been trained" in told(capsys, "features", str(portal), "A", code=7)["error"]
    dead = Topic(name="", pages=(TrainingPage("http://nobody.invalid/"),))
    good = Topic(name="", pages=pages(TOP, 2))
    save_topics(portal, topics(("Dead", dead), ("Empty", Topic(name=""))))
    error = told(capsys, "train", str(portal), code=7)
    assert "'Dead' has no usable training page (http://nobody.invalid/: dns-failed)" in error["error"]
    assert "Empty" in error["error"]
    assert told(capsys, "status", str(portal))["kind"] == "train"
    assert not (portal / "models").exists()
    others = replace(dead, others=pages(OTHER, 1), indicators=("dead",))
    save_topics(portal, topics(("Good", good), ("Dead", others), ("Empty", Topic(name=""))))
    found = told(capsys, "train", str(portal))
    assert [row["path"] for row in found["topics"]] == ["Good"]
    assert found["notices"][0] == (
        "The topic 'Dead' is skipped: none of its pages can be used (http://nobody.invalid/: dns-failed)."
    )
    assert found["notices"][1] == "The topic 'Empty' is skipped: none of its pages can be used."
    assert call(["topics", str(portal)]) == 0
    assert "Dead" in capsys.readouterr().out


def test_an_example_that_may_not_be_kept_teaches_and_is_not_shown(
    portal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asking = [
        page
        for page in range(WEB.parameters.pages)
        if WEB.pages.flagged(page, Flag.NOINDEX) and WEB.pages.status[page] == 200
    ]
    reachable = [WEB.urls[page] for page in asking if WEB.reachable[page]][:3]
    assert reachable
    private = Topic(name="", pages=tuple(TrainingPage(url) for url in reachable))
    save_topics(portal, topics(("Private", private), ("Open", Topic(name="", pages=pages(TOP, 3)))))
    found = told(capsys, "train", str(portal))
    taught = {row["path"]: row["pages"] for row in found["topics"]}
    assert taught["Private"] >= 1
    with closing(open_store(portal, read_only=True)) as store:
        assert not set(reachable) & set(store.documents.urls())
        assert all(visit.archive == "" for url in reachable for visit in store.documents.visits(url_id(url)))
    for url in reachable:
        assert told(capsys, "explain", str(portal), url)["document"] is None


def test_twin_topics_and_a_topic_of_one_page_are_used_with_a_warning(
    portal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    twin = Topic(name="", pages=pages(TOP, 6))
    save_topics(portal, topics(("A", twin), ("B", twin), ("One", Topic(name="", pages=pages(OTHER, 1)))))
    rows = {row["path"]: row for row in told(capsys, "train", str(portal))["topics"]}
    assert "nearly the same as 'B'" in rows["A"]["warnings"][0]
    assert "nearly the same as 'A'" in rows["B"]["warnings"][0]
    assert "one training page" in rows["One"]["warnings"][0]
    assert rows["One"]["precision"] is None


@pytest.mark.slow
def test_indicators_are_required_of_pages(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asking = Topic(name="", pages=pages(TOP, 6), indicators=("nosuchword",))
    save_topics(portal, topics(("Strict", asking)))
    told(capsys, "train", str(portal))
    assert told(capsys, "crawl", str(portal))["harvest_rate"] == 0


def test_a_model_that_is_gone_is_named_before_anything_is_written(
    portal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_topics(portal, topics(("A", Topic(name="", pages=pages(TOP, 3)))))
    model = told(capsys, "train", str(portal))["model"]
    (portal / "models" / f"{model}.zip").unlink()
    error = told(capsys, "crawl", str(portal), code=7)
    assert model in error["error"]
    assert "Train" in error["remedy"]
    assert told(capsys, "status", str(portal))["kind"] == "train"


@pytest.mark.slow
def test_topics_changed_by_hand_are_noticed(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tree = topics(("A", Topic(name="", pages=pages(TOP, 6))), ("B", Topic(name="", pages=pages(OTHER, 6))))
    save_topics(portal, tree)
    assert told(capsys, "topics", str(portal))["topics_changed"] is False, "it was never trained"
    told(capsys, "train", str(portal))
    for command in ("topics", "status"):
        assert told(capsys, command, str(portal))["topics_changed"] is False
    file = portal / "topics.toml"
    file.write_text(file.read_text().replace('"A"', '"Changed"'))
    for command in ("topics", "status"):
        assert told(capsys, command, str(portal))["topics_changed"] is True
        assert call([command, str(portal)]) == 0
        assert "The topics have changed since the model was trained. Train again" in capsys.readouterr().out
    assert call(["crawl", str(portal), "--pages", "3", "--json"]) == 0
    assert "Train again" in capsys.readouterr().err
    assert call(["train", str(portal)]) == 0
    assert "The topics have changed" in capsys.readouterr().out
    assert told(capsys, "status", str(portal))["topics_changed"] is False


@pytest.mark.slow
def test_training_locks_the_portal_from_first_to_last(portal: Path) -> None:
    one, other = Topic(name="", pages=pages(TOP, 6)), Topic(name="", pages=pages(OTHER, 6))
    save_topics(portal, topics(("A", one), ("B", other)))
    seen: list[Holder | None] = []
    asyncio.run(train(portal, [], Watch(stage=lambda _: seen.append(holder(portal)))))
    assert len(seen) == 2, "fetching and fitting"
    assert all(found is not None and found.is_me() for found in seen)
    assert holder(portal) is None
    with CrawlLock(portal), pytest.raises(PortalBusy):
        asyncio.run(train(portal))


@pytest.mark.slow
def test_an_interrupted_training_keeps_what_was_fetched_and_writes_no_model(
    portal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_topics(portal, topics(("A", Topic(name="", pages=pages(TOP, 12)))))
    slow = ["--set", "manners.delay=15", "--set", "manners.max_delay=15"]
    command = [sys.executable, "-m", "thresher", "train", str(portal), *slow]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert process.stdout is not None
    while not (portal / "archive").exists():
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert b"Interrupted" in out
    assert not (portal / "models").exists()
    assert told(capsys, "train", str(portal))["topics"][0]["pages"] == 12
