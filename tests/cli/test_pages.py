"""`thresher pages`: what it lists, pages through, exports and refuses."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.test_commands import inside
from tests.store.rows import document
from thresher.cli.main import call
from thresher.portals import create_portal
from thresher.store.records import Batch
from thresher.store.repository import open_store
from thresher.taxonomy.topic_tree import Taxonomy, Topic, put
from thresher.types import Judgement

KEYS = ["url", "title", "topic", "confidence", "probability", "found", "state"]


@pytest.fixture
def portal(tmp_path: Path) -> Path:
    """Return a portal with five accepted pages of two topics."""
    directory = tmp_path / "p"
    tree = put(put(Taxonomy(), ("Pets",), Topic(name="")), ("Pets", "Cats"), Topic(name=""))
    create_portal(directory, None, put(tree, ("Empty",), Topic(name="")))
    with closing(open_store(directory)) as store:
        crawl = store.crawls.start("crawl", "default", {}, 0.0).id
        pages = [
            document(
                f"http://a.test/{number}",
                title=f"Page {number}",
                judgement=Judgement(
                    topic="Pets/Cats" if number % 2 else "Pets", confidence=float(number), probability=0.9
                ),
            )
            for number in range(5)
        ]
        store.commit(Batch(crawl=crawl, at=1.0, documents=pages))
    return directory


def test_programs_get_the_best_first(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = inside(capsys, "pages", str(portal))
    assert [page["url"][-1] for page in found["pages"]] == list("43210")
    assert all(list(page) == KEYS for page in found["pages"])
    assert found["pages"][0]["state"] == "unreviewed"
    assert (found["total"], found["topic"]) == (5, None)


def test_a_topic_and_a_part_of_the_list(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = inside(capsys, "pages", str(portal), "Pets/Cats")
    assert ([page["title"] for page in found["pages"]], found["total"]) == (["Page 3", "Page 1"], 2)
    found = inside(capsys, "pages", str(portal), "Pets", "--number", "2", "--page", "2")
    assert ([page["title"] for page in found["pages"]], found["total"]) == (["Page 2", "Page 1"], 5)
    assert inside(capsys, "pages", str(portal), "--page", "9")["pages"] == []


def test_the_hint_exports_the_topic_that_was_asked_for(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["pages", str(portal), "Pets/Cats", "--number", "1"]) == 0
    assert "Pets/Cats --export FILE.csv" in " ".join(capsys.readouterr().out.split())


def test_a_person_sees_title_address_and_confidence(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["pages", str(portal), "--number", "2"]) == 0
    shown = capsys.readouterr().out
    assert shown.index("4.00  Page 4") < shown.index("http://a.test/4") < shown.index("3.00  Page 3")
    assert "5 accepted pages" in shown
    assert "Page 2" not in shown
    assert "--export" in shown


def test_no_pages_are_no_error(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["pages", str(portal), "Empty"]) == 0
    assert "thresher run" in capsys.readouterr().out
    assert inside(capsys, "pages", str(portal), "Empty") == {
        "portal": str(portal),
        "topic": "Empty",
        "pages": [],
        "total": 0,
    }


def test_unknown_topics_are_refused_with_a_guess(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["pages", str(portal), "Pets/Cat", "--json"]) == 7
    assert json.loads(capsys.readouterr().err)["remedy"] == "Did you mean 'Pets/Cats'?"


def test_all_pages_are_exported(portal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "pages.jsonl"
    assert inside(capsys, "pages", str(portal), "--number", "1", "--export", str(file))["total"] == 5
    assert [json.loads(line)["title"][-1] for line in file.read_text().splitlines()] == list("43210")
    assert call(["pages", str(portal), "--export", str(file)]) == 7
    assert call(["pages", str(portal), "Pets/Cats", "--export", str(file), "--force"]) == 0
    assert len(file.read_text().splitlines()) == 2
    capsys.readouterr()


def test_bad_calls_are_refused_before_the_portal_is_opened(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["pages", str(portal), "--export", "pages.docx"]) == 2
    assert call(["pages", str(portal), "--force"]) == 2
    assert ".jsonl" in capsys.readouterr().err
