"""The page is complete, stands alone, says what the logs say, and lets no name act."""

import base64
import csv
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.bench.made import record
from thresher.bench.comparison import by_difficulty, compare, experiments, share, table
from thresher.bench.doubts import doubts
from thresher.bench.record_files import write_record
from thresher.bench.records import Record
from thresher.bench.report import write_report
from thresher.cli.main import call
from thresher.errors import InputError

TOPICS = ("Chess", "Dance", "Music", "Opera", "Verse")
HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(2)>{{7*7}}&'


def runs(**more: Any) -> list[Record]:
    """Make runs of two strategies on five topics: `good` finds a target more, and a page earlier, on every topic."""
    found = []
    for place, topic in enumerate(TOPICS):
        for seed in (0, 1):
            plain = "." * place + "TT" + "." * (8 - place)
            better = "T" + "." * place + "TT" + "." * (7 - place)
            found.append(record("page", plain, topic=topic, seed=seed, **more))
            found.append(record("good", better, topic=topic, seed=seed, **more))
    return found


class Page(HTMLParser):
    """Collects what a page is made of."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def written(tmp_path: Path, records: list[Record], **more: Any) -> tuple[Page, list[dict[str, Any]]]:
    data = write_report(records, tmp_path / "report.html", **more)
    return Page((tmp_path / "report.html").read_text("utf-8")), data


def test_tables_hold_the_means_of_the_logs(tmp_path: Path) -> None:
    _, data = written(tmp_path, runs())
    found = {(one["strategy"], one["measure"], one["pages"]): one["mean"] for one in data[0]["figures"]}
    assert found["page", "target_recall", 10] == pytest.approx(2 / 5)
    assert found["good", "target_recall", 10] == pytest.approx(3 / 5)
    # One page in, only a crawl that starts with a target has found one.
    assert found["page", "target_recall", 1] == pytest.approx(1 / 25)
    assert found["good", "harvest_rate", 1] == 1.0
    assert found["good", "precision_at_recall_1.0", None] == 0.0
    assert found["good", "cpu_ms_per_page", None] == 2.0


def test_every_strategy_is_tested_against_the_baseline_over_topics(tmp_path: Path) -> None:
    _, data = written(tmp_path, runs(), baseline="page")
    first = data[0]["tests"][0]
    assert (first["strategy"], first["measure"], first["test"]["units"], first["test"]["n"]) == (
        "good",
        "oracle_share",
        "topics",
        5,
    )
    assert first["test"]["flip"] == 1 / 32
    assert {one["strategy"] for one in data[0]["tests"]} == {"good"}


def test_page_shows_tables_with_captions_pictures_and_the_command(tmp_path: Path) -> None:
    page, _ = written(tmp_path, runs())
    tags = [tag for tag, _ in page.tags]
    assert tags.count("table") == tags.count("caption") >= 5
    assert tags.count("svg") == 2
    assert tags.count("details") >= len(TOPICS)
    text = " ".join(page.text)
    assert "hardest quarter" in text
    assert "--strategies good,page" in text
    assert "5e77" in text
    assert "da7a" in text


def test_page_asks_for_nothing_and_runs_nothing(tmp_path: Path) -> None:
    page, _ = written(tmp_path, runs())
    for tag, attributes in page.tags:
        assert tag not in ("script", "link", "img", "iframe", "object", "embed", "base", "form")
        assert not any(name.startswith("on") or name in ("src", "style", "srcset") for name in attributes)
        assert (attributes.get("href") or "#").startswith("#")
    policy = [attributes["content"] for _, attributes in page.tags if "http-equiv" in attributes]
    style = re.findall("<style>(.*?)</style>", (tmp_path / "report.html").read_text("utf-8"), re.DOTALL)[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy == [f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"]
    assert "url(" not in style


def test_hostile_names_are_shown_and_do_nothing(tmp_path: Path) -> None:
    records = [
        record(strategy, "T.T", topic=topic, web=HOSTILE)
        for strategy in ("page", HOSTILE, "=cmd|' /C calc'!A0")
        for topic in (HOSTILE, "Chess")
    ]
    page, _ = written(tmp_path, records)
    assert not [tag for tag, _ in page.tags if tag in ("script", "img")]
    text = "".join(page.text)
    assert HOSTILE in text
    with (tmp_path / "curves.csv").open(encoding="utf-8", newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert HOSTILE in cells
    assert not [cell for cell in cells if cell.startswith(("=", "@", "+"))]


def test_curves_are_data_too(tmp_path: Path) -> None:
    written(tmp_path, runs())
    with (tmp_path / "curves.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    last = [row for row in rows if row["pages"] == "10" and row["measure"] == "target_recall"]
    assert {row["strategy"]: float(row["mean"]) for row in last} == {"good": 0.6, "page": 0.4}
    assert len(rows) == 2 * 2 * 10


def test_topics_for_tuning_stand_apart(tmp_path: Path) -> None:
    records = [
        record(strategy, "T..", topic=topic, topic_set="tune" if topic < "D" else "report")
        for strategy in ("page", "good")
        for topic in TOPICS
    ]
    page, data = written(tmp_path, records)
    text = "".join(page.text)
    assert text.index("Report topics") < text.index("Topics used for tuning")
    assert {one["topics"] for one in data[0]["figures"]} == {"Report topics", "Topics used for tuning"}


def test_webs_modes_and_budgets_are_never_mixed(tmp_path: Path) -> None:
    records = [*runs(), *runs(mode="hard"), *runs(budget=20), *runs(web="other")]
    _, data = written(tmp_path, records)
    assert [(one["web"], one["mode"], one["budget"]) for one in data] == [
        ("hand", "normal", 10),
        ("hand", "normal", 20),
        ("hand", "hard", 10),
        ("other", "normal", 10),
    ]


def test_runs_that_were_drawn_otherwise_are_never_mixed(tmp_path: Path) -> None:
    other = [record("page", "T", topic=topic, seed=seed, wrong=2) for topic in TOPICS for seed in (0, 1)]
    page, data = written(tmp_path, [*runs(), *other, *runs(changed=["reading.links=9"])])
    told = ["", "--set reading.links=9", "--wrong 2"]
    assert [one["conditions"] for one in data] == told
    alone = written(tmp_path / "alone", runs())[1][0]
    assert data[0] == alone
    text = "".join(page.text)
    assert "hand, normal mode, 10 pages, --wrong 2" in text
    assert "--examples 10 --negatives 30 --start 5 \\\n  --wrong 2" in text
    with (tmp_path / "curves.csv").open() as file:
        assert {row["conditions"].removeprefix("'") for row in csv.DictReader(file)} == set(told)


def test_crawls_without_a_budget_are_drawn_to_the_end_of_the_longest(tmp_path: Path) -> None:
    records = [record("page", "T.T", budget=0), record("good", "TT..r", budget=0)]
    page, data = written(tmp_path, records)
    assert "to the end" in "".join(page.text)
    assert {one["pages"] for one in data[0]["figures"] if one["measure"] == "harvest_rate"} == {1, 2, 5}


def test_one_run_makes_a_page(tmp_path: Path) -> None:
    page, data = written(tmp_path, [record("page", "")])
    assert data[0]["tests"] == []
    assert [tag for tag, _ in page.tags].count("svg") == 2


def test_unknown_baselines_and_doubled_runs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="baseline 'pages'"):
        write_report(runs(), tmp_path / "report.html", "pages")
    with pytest.raises(InputError, match="nobody is tested against it"):
        write_report([*runs(), record("oracle", "TTTTT")], tmp_path / "report.html", "oracle")
    with pytest.raises(InputError, match="same run is there twice"):
        write_report([*runs(), runs()[0]], tmp_path / "report.html")


def test_a_baseline_counts_where_it_ran(tmp_path: Path) -> None:
    other = [one for one in runs(wrong=2) if one.run.strategy == "good"]
    _, data = written(tmp_path, [*runs(), *other], baseline="page")
    assert [one["baseline"] for one in data] == ["page", "good"]
    _, data = written(tmp_path, [record("oracle", "TTTTT"), record("random", "T")])
    assert data[0]["baseline"] == "random"


def test_oracle_is_no_competitor() -> None:
    other = [record("oracle", "TTTTT", topic=topic, classifier="svm") for topic in TOPICS]
    (experiment,) = experiments([*runs(), *other])
    assert {one.strategy for one in compare(experiment, "page", [share()])} == {"good"}
    (experiment,) = experiments([*runs(), *(record("oracle", "TTTTT", topic=topic) for topic in TOPICS)])
    assert {one.strategy for one in compare(experiment, "page", [share()])} == {"good"}
    best = table(experiment, [share()])[0]
    assert best.strategy == "oracle"
    assert best.figures[0] is not None
    assert best.figures[0].mean == 1.0


def test_hardest_topics_come_first() -> None:
    records = [
        record("page", "T" * place + "." * (9 - place), topic=topic) for place, topic in enumerate(TOPICS, start=1)
    ]
    (experiment,) = experiments(records)
    assert [group.topics for group in by_difficulty(experiment, "page")] == [
        ["Chess", "Dance"],
        ["Music"],
        ["Opera"],
        ["Verse"],
    ]


def test_sound_experiments_raise_no_doubt_and_others_do() -> None:
    sound = [
        record(strategy, "T.", topic=topic, seed=seed)
        for strategy in ("page", "good")
        for topic in TOPICS
        for seed in range(5)
    ]
    (experiment,) = experiments(sound)
    assert doubts(experiment) == []
    spoilt = {
        "missing of: good": sound[:-1],
        "different settings": [*sound[:-1], record("good", "T.", topic="Verse", seed=4, settings="0000")],
        "not run with the same settings": [
            msgspec.structs.replace(one, settings={"reading": 1}, settings_digest="0000")
            if one.run.strategy == "good"
            else one
            for one in sound
        ],
        "not given the same": [*sound[:-1], record("good", "T.", topic="Verse", seed=4, targets=9)],
        "one topic": [one for one in sound if one.run.topic == "Chess"],
        "4 topics": [one for one in sound if one.run.topic != "Chess"],
        "only 3 of the 5 seed sets": [one for one in sound if one.run.topic != "Chess" or one.run.seed < 3],
    }
    for told, records in spoilt.items():
        (experiment,) = experiments(records)
        assert told in " ".join(doubts(experiment))


def test_what_must_be_said_of_a_web_is_said(tmp_path: Path) -> None:
    page, data = written(tmp_path, runs(note="Made by a generator."))
    assert "Made by a generator." in "".join(page.text)
    assert "Made by a generator." in data[0]["doubts"]


def test_command_writes_page_and_curves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for one in runs():
        write_record(tmp_path / "runs", one)
    assert call(["bench", "report", str(tmp_path / "runs"), "--out", str(tmp_path / "sub" / "p.html"), "--json"]) == 0
    assert capsys.readouterr().out.count("\n") == 1
    assert (tmp_path / "sub" / "p.html").exists()
    assert (tmp_path / "sub" / "curves.csv").exists()
    assert call(["bench", "report", str(tmp_path)]) == InputError.exit_code


def test_findings_are_shown_where_runs_are_about_them(tmp_path: Path) -> None:
    page, data = written(tmp_path, runs())
    assert "Findings" not in page.text
    tree = [record("tag-tree-combined", "T" * (2 + n % 3), topic=topic) for n, topic in enumerate(TOPICS)]
    page, data = written(tmp_path, [*runs(), *tree])
    assert "Findings" in page.text
    found = {one["key"]: one for one in data[0]["findings"]}
    assert found["tag-tree-combined"]["verdict_10"] in page.text
    assert "runs are missing" in page.text
    assert any("--classifier naive-bayes" in text for text in page.text)
