"""`thresher search`, `similar`, `neighbours` and `index`: what they print."""

import json
import re
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.test_commands import inside
from tests.search.portals import add, page, portal_of
from thresher.cli.main import call
from thresher.store.repository import open_store

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
    assert found["understood"].endswith("`conf:>abc` was ignored: not a number.")
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
    assert re.search(r"text 0\.\d+ \+ probability 0\.\d+ .*= 0\.\d+", shown)
    assert "1–3 of 3 pages" in shown
    for line in shown.splitlines():
        wide = sum(2 if ord(char) > 0x2E80 else 1 for char in line)
        assert wide <= 80 or "http://" in line, line


def test_a_person_is_told_what_helps(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["search", str(portal), "boast", "sea"]) == 0
    shown = capsys.readouterr().out
    assert "No page contains 'boast'." in shown
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
    assert capsys.readouterr().out.startswith("Up to date: 3 pages in total, ")


@pytest.mark.parametrize(("ending", "sign"), [("csv", BOATS), ("jsonl", "{"), ("html", "<DT>"), ("atom", "<entry>")])
def test_all_results_are_exported(portal: Path, capsys: pytest.CaptureFixture[str], ending: str, sign: str) -> None:
    file = portal / f"results.{ending}"
    done = inside(capsys, "search", str(portal), "sea", "--export", str(file))
    assert (done["query"], done["total"]) == ("sea", 3)
    assert sign in file.read_text()
    assert call(["search", str(portal), "sea", "--export", str(file)]) == 7
    assert "--force" in capsys.readouterr().err


def test_exports_compute_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    portal_of(tmp_path / "p", page(BOATS, '=HYPERLINK("http://evil.test/")', "<script>alert(1)</script> boats"))
    for ending in ("csv", "html", "atom"):
        inside(capsys, "search", str(tmp_path / "p"), "boats", "--export", str(tmp_path / f"x.{ending}"))
    assert "'=HYPERLINK" in (tmp_path / "x.csv").read_text()
    assert "<script>" not in (tmp_path / "x.html").read_text() + (tmp_path / "x.atom").read_text()


def test_searches_are_kept_and_tell_what_is_new(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    inside(capsys, "search", str(portal), "sea", "--rank", "text=1", "--save", "sea")
    assert inside(capsys, "profiles", str(portal))["saved"][0]["new"] == 0
    with closing(open_store(portal)) as store:
        add(store, page("http://d.test/", "Seas", "The sea is wide.", at=time.time() + 60))
    assert inside(capsys, "profiles", str(portal))["saved"][0]["new"] == 1
    new = inside(capsys, "search", str(portal), "--saved", "sea", "--new")
    assert ([result["url"] for result in new["results"]], new["rank"]) == (["http://d.test/"], {"text": 1.0})
    assert call(["search", str(portal), "--saved", "see"]) == 7
    assert "Did you mean 'sea'?" in capsys.readouterr().err
    assert call(["profiles", str(portal)]) == 0
    assert "sea" in capsys.readouterr().out
    assert inside(capsys, "profiles", str(portal), "--forget", "sea")["saved"] == []


def test_feedback_that_helps_changes_the_ranking_and_can_be_deleted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    year = 400 * 86_400.0
    pages = [
        page(f"http://s{n}.test/", "The sea", f"The sea is deep, {n}.", at=1_700_000_000.0 + n % 2 * year)
        for n in range(16)
    ]
    portal = str(portal_of(tmp_path, *pages))
    before = inside(capsys, "search", portal, "sea", "--number", "16")
    assert len(before["results"]) == 16
    new = [f"http://s{n}.test/" for n in range(1, 16, 2)]
    verdicts = [
        word
        for result in before["results"]
        for word in ("--relevant" if result["url"] in new else "--irrelevant", result["url"])
    ]
    judged = inside(capsys, "search", portal, "sea", *verdicts)
    assert judged["rank"] != before["rank"]
    assert inside(capsys, "search", portal, "sea", "--profile", "me")["rank"] == judged["rank"]
    assert inside(capsys, "search", portal, "sea")["rank"] == before["rank"]
    (row,) = inside(capsys, "profiles", portal)["feedback"]
    assert (row["profile"], row["query"], sorted(row["relevant"])) == ("me", "sea", sorted(new))
    assert call(["profiles", portal]) == 0
    assert "8 relevant, 8 irrelevant" in capsys.readouterr().out
    assert inside(capsys, "profiles", portal, "--forget", str(row["id"]))["feedback"] == []
    assert call(["profiles", portal, "--forget", "9"]) == 7
    assert call(["search", portal, "sea", "--relevant", "http://no.test/"]) == 7


def test_a_wrong_ranking_is_one_sentence(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["search", str(portal), "sea", "--rank", "autority=1"]) == 7
    assert "Did you mean 'authority'?" in capsys.readouterr().err
