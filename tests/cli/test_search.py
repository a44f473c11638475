"""`thresher search`, `similar`, `neighbours` and `index`: what they print."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.test_commands import inside
from tests.search.portals import page, portal_of
from thresher.cli.main import call

BOATS, HATS = "http://a.test/boats", "http://b.test/hats"


@pytest.fixture
def portal(tmp_path: Path) -> Path:
    long = "http://c.test/" + "very/" * 40 + "long"
    words = "Wooden boats sail the northern sea in the summer, and nobody knows where all of them go. "
    return portal_of(
        tmp_path,
        page(BOATS, "Boats of wood", words * 3, topic="Things/Boats", links=[(HATS, "hats for sailors")]),
        page(HATS, "Hats", "A hat keeps the sun of the sea away.", topic="Things/Hats"),
        page(long, "Title " * 40, "東京都の船。" * 40 + " sea", topic="A topic with a long name/" + "name" * 20),
    )


def test_json_has_the_promised_shape(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = inside(capsys, "search", str(portal), "boats", "sea", "conf:>abc", "--facets")
    assert {"query", "understood", "total", "results", "facets", "did_you_mean", "seconds"} <= found.keys()
    assert (found["query"], found["total"], found["did_you_mean"]) == ("boats sea conf:>abc", 1, [])
    assert found["understood"].endswith("`conf:>abc` was left out: not a number.")
    (result,) = found["results"]
    assert {"url", "title", "topic", "confidence", "score", "snippet", "parts"} <= result.keys()
    assert (result["url"], result["topic"]) == (BOATS, "Things/Boats")
    assert sum(result["parts"].values()) == pytest.approx(result["score"], abs=1e-5)
    assert [result["snippet"][start:end] for start, end in result["marked"]][:2] == ["boats", "sea"]
    assert {"value": "Things", "count": 1} in found["facets"]["topic"]
    assert inside(capsys, "search", str(portal), "boast")["did_you_mean"] == [{"query": "boats", "total": 1}]


def test_a_person_reads_results_in_80_columns(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["search", str(portal), "sea", "--why", "--facets"]) == 0
    shown = capsys.readouterr().out
    assert "Boats of wood" in shown
    assert re.search(r"text 0\.\d+ \+ confidence 0\.\d+ .*= 0\.\d+", shown)
    assert "1–3 of 3 pages" in shown
    for line in shown.splitlines():
        wide = sum(2 if ord(char) > 0x2E80 else 1 for char in line)
        assert wide <= 80 or "http://" in line, line


def test_a_person_is_told_what_helps(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["search", str(portal), "boast", "sea"]) == 0
    shown = capsys.readouterr().out
    assert "No page has 'boast'." in shown
    assert re.search(r"Did you mean .*'boats sea'.*\(1 page\)", shown)
    assert re.search(r"With fewer words .* sea .*\(3 pages\)", shown)


def test_more_pages_of_results_are_a_command_away(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["search", str(portal), "--number", "1", "--page", "2"]) == 0
    assert "--page 3" in capsys.readouterr().out
    assert call(["search", str(portal), "--number", "2", "--page", "9"]) == 0
    assert "none left of 3 pages" in capsys.readouterr().out


def test_around_a_page(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = inside(capsys, "neighbours", str(portal), BOATS)
    (end,) = found["results"]
    assert (end["url"], end["anchor"], end["direction"]) == (HATS, "hats for sailors", "from_here")
    similar = inside(capsys, "similar", str(portal), BOATS)
    assert BOATS not in [result["url"] for result in similar["results"]]
    assert call(["similar", str(portal), "http://no.test/", "--json"]) == 7
    assert json.loads(capsys.readouterr().err)["error"] == "The portal has no page http://no.test/."
    for command in ("neighbours", "similar"):
        assert call([command, str(portal), BOATS]) == 0
        assert HATS in capsys.readouterr().out


def test_the_index_tells_its_state_and_is_built_anew(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = inside(capsys, "index", str(portal))
    assert (first["pages"], first["written"], first["rebuilt"]) == (3, 3, True)
    again = inside(capsys, "index", str(portal))
    assert (again["pages"], again["written"], again["rebuilt"]) == (3, 0, False)
    anew = inside(capsys, "index", str(portal), "--rebuild")
    assert (anew["pages"], anew["written"], anew["rebuilt"]) == (3, 3, True)
    assert len(list((portal / "index").glob("text-*"))) == 1
    assert call(["index", str(portal)]) == 0
    assert capsys.readouterr().out.startswith("Up to date: 3 pages in all, ")


def test_a_wrong_ranking_is_one_sentence(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["search", str(portal), "sea", "--rank", "autority=1"]) == 7
    assert "Did you mean 'authority'?" in capsys.readouterr().err
