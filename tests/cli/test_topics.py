"""Making portals from topics, and `thresher topics`."""

import json
from pathlib import Path
from typing import Any

import pytest

from thresher.cli.main import call
from thresher.portals import load_topics
from thresher.taxonomy.from_bookmarks import from_bookmarks

BOOKMARKS = """<DL><DT><H3>Boats</H3><DL>
<DT><A HREF="http://a.test/" ADD_DATE="1500000000" TAGS="x">A</A><DD>Good
<DT><H3>Sails</H3><DL><DT><A HREF="http://b.test/">B</A></DL></DL>
<DT><H3>Trains</H3><DL><DT><A HREF="http://c.test/">C</A><DT><A HREF="javascript:void 0">J</A></DL>
<DT><A HREF="http://loose.test/">L</A></DL>"""


@pytest.fixture
def portal(tmp_path: Path) -> Path:
    (tmp_path / "marks.html").write_text(BOOKMARKS)
    assert call(["new", str(tmp_path / "p"), "--bookmarks", str(tmp_path / "marks.html")]) == 0
    return tmp_path / "p"


def said(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    capsys.readouterr()
    assert call([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def paths(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, tuple[int, int]]:
    return {row["path"]: (row["pages"], row["negatives"]) for row in said(capsys, "topics", *words)["topics"]}


def test_new_tells_what_it_made_of_bookmarks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "marks.html").write_text(BOOKMARKS)
    made = said(capsys, "new", str(tmp_path / "p"), "--bookmarks", str(tmp_path / "marks.html"))
    assert (made["topics"], made["seeds"], made["problems"]) == (3, 4, [])
    assert len(made["notices"]) == 2


def test_topics_are_shown_and_changed(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = str(portal)
    assert paths(capsys, name) == {"Boats": (1, 1), "Boats/Sails": (1, 0), "Trains": (1, 2)}
    assert paths(capsys, name, "add", "Boats/Oars", "http://o.test", "http://o.test/")["Boats/Oars"] == (1, 1)
    assert "Engines" in paths(capsys, name, "rename", "Trains", "Engines")
    assert "Boats/Engines" in paths(capsys, name, "move", "Engines", "Boats")
    assert paths(capsys, name, "merge", "Boats/Engines", "Boats")["Boats"][0] == 2
    assert set(paths(capsys, name, "delete", "Boats/Sails")) == {"Boats", "Boats/Oars"}
    assert call(["topics", name]) == 0
    assert "Oars" in capsys.readouterr().out


def test_export_writes_back_what_was_read(portal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for form in ("html", "toml"):
        assert call(["topics", str(portal), "export", str(tmp_path / f"out.{form}")]) == 0
    assert from_bookmarks((tmp_path / "out.html").read_bytes()).taxonomy == load_topics(portal)
    assert call(["new", str(tmp_path / "q"), "--topics", str(tmp_path / "out.toml")]) == 0
    assert load_topics(tmp_path / "q") == load_topics(portal)


def test_an_export_writes_over_a_file_only_when_it_may(
    portal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine.html"
    mine.write_text("my own")
    assert call(["topics", str(portal), "export", str(mine)]) == 7
    assert "already exists" in capsys.readouterr().err
    assert mine.read_text() == "my own"
    assert call(["topics", str(portal), "export", str(mine), "--force"]) == 0
    assert from_bookmarks(mine.read_bytes()).taxonomy == load_topics(portal)
    assert call(["topics", str(portal), "delete", "Boats", "--force"]) == 2
    assert load_topics(portal).get(("Boats",)) is not None


@pytest.mark.parametrize(
    "words",
    [
        ["rename", "Nothing", "x"],
        ["add"],
        ["sing"],
        ["add", "X", "ftp://a.test/"],
        ["export", "x.pdf"],
        ["move", "Boats", "Boats/Sails"],
    ],
    ids=["unknown", "no words", "no action", "no url", "no form", "into itself"],
)
def test_what_cannot_be_done_changes_nothing(
    portal: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    before = (portal / "topics.toml").read_bytes()
    assert call(["topics", str(portal), *words, "--json"]) in (2, 7)
    told = json.loads(capsys.readouterr().err)
    assert told["error"]
    assert told["remedy"]
    assert (portal / "topics.toml").read_bytes() == before


def test_a_query_and_a_folder_make_portals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = said(capsys, "new", str(tmp_path / "q"), "--query", "free ARIES recovery")
    assert (made["topics"], made["seeds"]) == (1, 0)
    (tmp_path / "docs" / "boats").mkdir(parents=True)
    (tmp_path / "docs" / "boats" / "x.html").write_text("<p>boats")
    assert said(capsys, "new", str(tmp_path / "f"), "--folder", str(tmp_path / "docs"))["topics"] == 1
    assert call(["new", str(tmp_path / "z"), "--query", "a", "--folder", str(tmp_path / "docs")]) == 2
    assert not (tmp_path / "z").exists()


def test_topics_and_status_say_what_would_help_a_topic_whose_examples_come_from_one_site(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    portal = str(tmp_path / "p")
    (tmp_path / "topics.toml").write_text(
        '[[topic]]\npath = "Boats"\npages = ["http://a.test/1", "http://a.test/2", "http://a.test/3", "http://a.test/4"]\n'
        '[[topic]]\npath = "Tea"\npages = ["http://a.test/5", "http://b.test/6"]\n'
        '[[topic]]\npath = "Tea/Green"\npages = ["http://a.test/7"]\n'
    )
    assert call(["new", portal, "--topics", str(tmp_path / "topics.toml")]) == 0
    sentence = "All 4 training pages come from one site (a.test); two from another would help most."
    for command in ("topics", "status"):
        capsys.readouterr()
        assert call([command, portal]) == 0
        assert f"Note: Boats: {sentence}" in capsys.readouterr().out.splitlines()
        assert call([command, portal, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        told = found["advice"] if command == "status" else {row["path"]: row["advice"] for row in found["topics"]}
        assert {path: said for path, said in told.items() if said} == {"Boats": sentence}
