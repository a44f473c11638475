"""The figures of reading: stages of every page, and main texts counted by what must and must not be in them."""

import io
import json
import tarfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from thresher.bench.html_eval import Expectation, html_eval
from thresher.bench.main_text import _count, _figures, halves, measure_main_text
from thresher.bench.speed_reading import STAGES, measure_reading
from thresher.cli.main import commands
from thresher.errors import InputError

STORY = "<p>This is a story of a boat that went out to sea and never came back, as it is told.</p>" * 4


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    entries = {
        f"http://a.test/{number}": {
            "file": f"{number}.html",
            "with": ["story of a boat", "never came back"],
            "without": ["Imprint"],
        }
        for number in range(6)
    }
    files = {"evaldata.json": json.dumps(entries).encode()}
    for number in range(6):
        page = f"<body><div>{STORY}</div><footer>Imprint</footer>"
        files[f"{'eval' if number % 2 else 'cache'}/{number}.html"] = page.encode()
    (tmp_path / "html-eval").mkdir()
    with tarfile.open(tmp_path / "html-eval" / "html-eval.tar.xz", "w:xz") as tar:
        for name, body in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(body)
            tar.addfile(member, io.BytesIO(body))
    return tmp_path


def test_expectations_and_pages(data: Path) -> None:
    pages = html_eval(data)
    assert len(pages.urls()) == 6
    assert pages.expectation("http://a.test/1") == Expectation(("story of a boat", "never came back"), ("Imprint",))
    assert b"Imprint" in pages.answer("http://a.test/0").body


def test_every_stage_is_measured(data: Path) -> None:
    figures = measure_reading("html-eval", data, sample=4, runs=1)
    assert figures.pages == 4
    assert [stage.name for stage in figures.stages] == list(STAGES)
    assert all(stage.p95_ms >= 0 for stage in figures.stages)
    with pytest.raises(InputError, match="no collection 'boats'"):
        measure_reading("boats", data)


def test_strings_are_counted_by_their_words() -> None:
    expected = Expectation(("a boat,", "gone  away"), ("Imprint", "sea"))
    assert _count(["A", "story", "of", "a", "boat", "at", "sea"], expected) == (1, 1, 1)
    figures = _figures("x", "all", [(3, 1, 1), (0, 0, 2)])
    assert (figures.precision, figures.recall) == (0.5, 0.75)
    assert figures.f == pytest.approx(0.6)


def test_halves_are_the_same_every_time_and_share_nothing() -> None:
    urls = [f"http://a.test/{number}" for number in range(101)]
    first = halves(urls)
    assert first == halves(reversed(urls))
    assert first["tune"] | first["test"] == set(urls)
    assert len(first["tune"]) == 50


def test_the_main_text_is_better_than_all_text(data: Path) -> None:
    found = {(row.extractor, row.half): row for row in measure_main_text(data)}
    assert found["thresher", "all"].precision == pytest.approx(2 / 3)
    assert found["thresher main text", "all"].f == 1
    with pytest.raises(InputError, match="trafilatura cannot be run"):
        measure_main_text(data, data / "python")


def test_commands(data: Path) -> None:
    run = CliRunner()
    spoken = run.invoke(commands(), ["bench", "speed", "reading", "--data", str(data), "--sample", "3", "--json"])
    assert json.loads(spoken.stdout)["pages"] == 3
    spoken = run.invoke(commands(), ["bench", "main-text", "--data", str(data), "--json"])
    assert {row["extractor"] for row in json.loads(spoken.stdout)["main_text"]} >= {"thresher", "thresher main text"}
    for command in (["bench", "speed", "reading", "--sample", "2"], ["bench", "main-text"]):
        assert "html-eval" in (out := run.invoke(commands(), [*command, "--data", str(data)]).stdout) or "recall" in out
