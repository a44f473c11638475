"""Measuring classifiers: on small texts made for it, and the real collections where they are."""

import json
import os
from pathlib import Path

import pytest

from thresher.bench.classifier_methods import METHODS
from thresher.bench.classifier_quality import accuracy, macro_f, measure_method, measure_tree
from thresher.bench.kept_curve import CurvePoint, curve_csv, curve_svg, kept_curve
from thresher.bench.labelled_texts import Fold, Labelled, ebola, folds, tree_of
from thresher.bench.speed_classify import measure_classify
from thresher.classify.sibling_space import SpaceParameters
from thresher.cli.main import call
from thresher.types import ParsedPage

WORDS = {"sea.boats": "boat sail mast wind", "sea.fish": "fish scale net wind", "cars": "car road wheel fuel"}
DATA = os.environ.get("THRESHER_DATA", "")


def text(topic: str | None, number: int) -> Labelled:
    words = [*(WORDS[topic].split() if topic else ["tax", "form"]), f"word{number % 4}", "day"]
    page = ParsedPage(url="", title="", words=[], links=[], terms=dict.fromkeys(words, 1 + number % 2))
    return Labelled(page, " ".join(words), topic)


def parts(*topics: str | None) -> list[Fold]:
    return folds([[text(topic, number) for number in range(12)] for topic in topics], 3)


@pytest.mark.parametrize("name", sorted(METHODS))
def test_plain_things_are_told_apart(name: str) -> None:
    assert measure_method(name, METHODS[name], parts(*WORDS)).accuracy == 1.0
    assert measure_method(name, METHODS[name], parts("cars", None)).macro_f == 1.0


def test_a_tree_is_measured_with_and_without_rejection() -> None:
    row, curve = measure_tree("tree", parts(*WORDS), tree_of(WORDS), SpaceParameters(features=20))
    assert (row.accuracy, row.forced_accuracy, row.rejected) == (1.0, 1.0, 0.0)
    assert (row.features, row.measure) == (20, "mi")
    assert [point.threshold for point in curve] == sorted(point.threshold for point in curve)
    kept = [point.kept for point in curve]
    assert kept == sorted(kept, reverse=True)
    assert kept[0] == 1.0


def test_where_none_is_a_class_nothing_is_forced() -> None:
    row, _ = measure_tree("flat", parts("cars", None), {"cars": "cars"}, SpaceParameters())
    assert row.forced_accuracy is None
    assert row.rejected == 0.5


def test_rejections_are_errors() -> None:
    judged = [("A", "A"), ("A", ""), ("B", "B"), ("B", "sea")]
    assert accuracy(judged) == 0.5
    assert macro_f(judged) == pytest.approx(2 / 3)
    assert kept_curve({0.0: judged}, {"A", "B"}) == [CurvePoint(0.0, 0.5, 1.0)]


def test_curves_are_written_as_data_and_as_a_picture() -> None:
    curves = {"flat": [CurvePoint(0.0, 0.5, 0.75), CurvePoint(2.0, 0.0, None)]}
    assert curve_csv(curves) == "classifier,threshold,kept,precision\nflat,0,0.5000,0.7500\nflat,2,0.0000,\n"
    assert curve_svg(curves, "made up").count("<circle") == 1


@pytest.mark.slow
def test_speed_is_measured_on_generated_pages() -> None:
    row = measure_classify(4, tree=True, runs=1)
    assert (row.topics, row.pages) == (4, 400)
    assert row.ms_per_page > 0
    assert row.model_mb > 0.01


@pytest.mark.parametrize(
    "words",
    [
        ["nowhere"],
        ["ebola", "--features", "many"],
        ["ebola", "--beside", "x"],
        ["ebola", "--measures", "x"],
        ["ebola", "--weighting", "x"],
        ["ebola", "--candidates", "1"],
    ],
)
def test_bad_words_get_a_plain_answer(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["bench", "classifier", *words, "--json"]) != 0
    assert json.loads(capsys.readouterr().err)["remedy"]


@pytest.mark.slow
@pytest.mark.skipif(not DATA, reason="THRESHER_DATA names no folder of collections")
def test_the_ebola_pages_are_told_from_near_ones() -> None:
    found = ebola(Path(DATA))
    assert sum(len(fold.test) for fold in found) > 600
    assert measure_method("plain-stems", METHODS["plain-stems"], found[:1]).accuracy > 0.9
