"""Five-fold accuracy: every page is judged by a classifier that has not seen it."""

import json
from pathlib import Path

import pytest

from tests.bench.handmade import hand_web, parsed
from thresher.bench.accuracy import five_fold, read_accuracies
from thresher.bench.page_building import build_pages
from thresher.bench.webs.catalogue import find
from thresher.bench.webs.web import BenchWeb
from thresher.cli.main import call
from thresher.errors import InputError

WEB = "generated(hosts=12;pages=300;profile=clean;seed=5)"


def told_apart(apart: bool) -> BenchWeb:
    """Make a web of 10 pages on boats and 20 others, with words of their own or none."""
    names = [*(f"t{number}" for number in range(10)), *(f"o{number}" for number in range(20))]
    words = {name: ("boat sail wind" if name[0] == "t" else "car road wheel") if apart else "word" for name in names}
    topics = {name: "boats" if name[0] == "t" else "-" for name in names}
    return hand_web(dict.fromkeys(names, ""), topics, words=words)


def test_known_answers() -> None:
    web = told_apart(True)
    assert five_fold(web, parsed(web), "boats", "svm", examples=10, draws=2).accuracy == 1.0
    alike = told_apart(False)
    # Nothing tells the pages apart: the larger class is all that is left to say.
    assert five_fold(alike, parsed(alike), "boats", "logistic", examples=10, draws=1).accuracy == pytest.approx(2 / 3)


def test_too_few_pages() -> None:
    web = told_apart(True)
    with pytest.raises(InputError, match="cannot be drawn"):
        five_fold(web, parsed(web), "boats", "svm", examples=11)
    with pytest.raises(InputError, match="five folds"):
        five_fold(web, parsed(web), "boats", "svm", examples=4)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build_pages(find(WEB).collection)
    words = ["bench", "accuracy", WEB, "--topics", next(iter(find(WEB).topics)), "--examples", "10", "--draws", "1"]
    assert call([*words, "--classifiers", "svm,naive-bayes", "--out", str(tmp_path), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["accuracy"]
    assert [row["classifier"] for row in rows] == ["svm", "naive-bayes"]
    assert all(0.5 < row["accuracy"] <= 1 for row in rows)
    assert len(read_accuracies(tmp_path)) == 2
    assert call([*words, "--classifiers", "svm"]) == 0
    assert "svm" in capsys.readouterr().out
    assert call([*words, "--classifiers", "bayes"]) == 2
