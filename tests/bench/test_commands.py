"""`thresher bench webs`, `strategies` and `run`: what programs read."""

import json
from pathlib import Path
from typing import Any

import pytest

from thresher.bench.record_files import read_records
from thresher.bench.webs.catalogue import find
from thresher.cli.main import call
from thresher.plugins import STRATEGIES
from thresher.store.archive.warc_archive import WarcArchive
from thresher.types import Fetched

WEB = "generated(hosts=12;pages=300;profile=clean;seed=5)"
RUN = {
    *("web", "topic", "strategy", "seed", "budget", "mode", "targets", "pages"),
    *("harvest_rate", "target_recall", "oracle_share", "cpu_ms_per_page"),
}


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert call([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.slow
def test_run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    topic = told(capsys, "bench", "webs", WEB)["topics"][0]["topic"]
    words = ["bench", "run", WEB, "--topics", topic, "--strategies", "breadth-first,oracle", "--seeds", "2"]
    words += ["--budget", "30", "--hard", "--out", str(tmp_path / "runs"), "--processes", "1"]
    runs = told(capsys, *words)["runs"]
    assert all(set(run) == RUN for run in runs)
    assert [(run["strategy"], run["seed"]) for run in runs] == [
        ("breadth-first", 0),
        ("oracle", 0),
        ("breadth-first", 1),
        ("oracle", 1),
    ]
    assert {(run["mode"], run["budget"], run["web"], run["topic"]) for run in runs} == {("hard", 30, WEB, topic)}
    assert told(capsys, *words)["runs"] == runs
    assert call(words) == 0
    shown = capsys.readouterr().out
    assert "flatters learners" in shown
    assert "breadth-first" in shown


def test_an_archive_with_labels_can_be_run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    def page(number: int) -> Fetched:
        words = "boat sail wind mast" if number % 2 else "car road wheel fuel"
        body = f'<p>{words} n{number}</p><a href="/{number + 1}">next</a> <a href="/{number + 2}">more</a>'.encode()
        headers = [("Content-Type", "text/html")]
        url = f"http://a.test/{number}"
        return Fetched(url=url, status=200, headers=headers, body=body, raw=body, mime="text/html", at=1.0)

    archive = WarcArchive(tmp_path / "w")
    archive.append([page(number) for number in range(60)])
    archive.close()
    labels = tmp_path / "labels.tsv"
    labels.write_text("".join(f"http://a.test/{n}\t{'boats' if n % 2 else ''}\n" for n in range(50)))
    web = f"warc:{tmp_path / 'w'};labels={labels}"
    words = ["bench", "run", web, "--strategies", "breadth-first", "--seeds", "1", "--budget", "30"]
    words += ["--examples", "5", "--out", str(tmp_path / "runs"), "--processes", "1"]
    [run] = told(capsys, *words)["runs"]
    assert run["web"] == web
    assert run["target_recall"] > 0
    assert told(capsys, *words)["runs"] == [run]
    # A topic may be named like markup of the console.
    labels.write_text(labels.read_text().replace("boats", "[/red]"))
    find.cache_clear()
    assert call([*words, "--out", str(tmp_path / "markup")]) == 0
    assert "breadth-first" in capsys.readouterr().out
    labels.write_text(labels.read_text().replace("[/red]", "boats"))
    find.cache_clear()
    # With other labels the record does not count.
    labels.write_text(labels.read_text() + "http://a.test/51\tboats\n")
    find.cache_clear()
    [again] = told(capsys, *words)["runs"]
    assert again["targets"] >= run["targets"]
    assert read_records(tmp_path / "runs")[0].data == find(web).collection.digest
    assert call(["bench", "run", f"warc:{tmp_path / 'w'}", *words[3:]]) == 7
    assert call(["bench", "committee", f"warc:{tmp_path / 'w'}"]) == 7


def test_lists(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("THRESHER_DATA", raising=False)
    webs = told(capsys, "bench", "webs")["webs"]
    assert {"web", "pages", "labelled", "topics", "digest", "note"} == set(webs[0])
    digests = {row["web"]: row["digest"] for row in webs}
    assert digests["generated"]
    assert digests["wikispeedia"] is None
    assert call(["bench", "webs"]) == 0


def test_strategies_tell_their_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    rows = {row["name"]: row for row in told(capsys, "bench", "strategies")["strategies"]}
    assert {"breadth-first", "random", "oracle"} <= set(rows)
    assert rows["random"]["parameters"] == [{"name": "seed", "default": 0}]
    assert rows["window-40"]["parameters"] == []
    assert [row["name"] for row in rows["tag-tree-combined"]["parameters"]] == ["beta", "size", "least", "plain"]
    assert [row["default"] for row in rows["classifier"]["parameters"]] == ["soft", 2, 0.5]
    ours = [rows[name]["meaning"] for name in STRATEGIES]
    assert len(set(ours)) == len(ours)
    assert call(["bench", "strategies"]) == 0
    shown = capsys.readouterr().out
    assert "seed=0" in shown
    assert "plain=false" in shown


def test_one_web_is_told_with_its_figures(capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "bench", "webs", WEB)
    assert [row["web"] for row in found["webs"]] == [WEB]
    assert found["webs"][0]["topics"] == len(found["topics"])
    assert call(["bench", "webs", WEB]) == 0
    shown = capsys.readouterr().out
    assert found["webs"][0]["digest"] in shown
    assert found["topics"][0]["topic"] in shown


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["bench", "run", WEB, "--topics", "boats", "--strategies", "random"], 7),
        (["bench", "run", "nowhere", "--strategies", "random"], 7),
        (["bench", "run", WEB, "--strategies", "rndom"], 8),
        (["bench", "run", WEB, "--strategies", " , "], 2),
        (["bench", "run", WEB, "--strategies", "random", "--budget", "99999999999"], 2),
        (["bench", "run", WEB, "--strategies", "random", "--wrong", "11"], 2),
        (["bench", "run", WEB, "--strategies", "random", "--start", "11"], 2),
        (["bench", "run", WEB], 2),
    ],
)
def test_wrong_words(words: list[str], code: int, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert call([*words, "--out", str(tmp_path), "--json"]) == code
    assert json.loads(capsys.readouterr().err)["remedy"]
    assert list(tmp_path.glob("*.gz")) == []
