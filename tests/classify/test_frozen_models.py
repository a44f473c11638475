"""Model files written by earlier versions: they are read, and judge as they did.

`frozen/format-N.zip` and `frozen/format-N.examples.zip` were written by format N from pages of made-up words; what the
model said of the pages of `frozen/format-N.json` stands beside them. They are never written anew: a change of format
adds files of its own and still reads these.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from thresher.classify.acceptance import TopicWishes
from thresher.classify.examples_file import load_training_set
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.classify.tree_file import FORMAT
from thresher.types import ParsedPage

FROZEN = Path(__file__).parent / "frozen"
MODELS = sorted(path for path in FROZEN.glob("format-*.zip") if ".examples" not in path.name)


def page(row: dict[str, Any]) -> ParsedPage:
    terms, language = row["terms"], row["language"]
    return ParsedPage(url=row.get("url", ""), title="", words=[], links=[], terms=terms, language=language)


def test_every_format_has_a_frozen_model() -> None:
    assert [path.stem for path in MODELS] == [f"format-{number}" for number in range(1, FORMAT + 1)]


@pytest.mark.parametrize("file", MODELS, ids=lambda path: path.stem)
def test_old_models_judge_as_they_did(file: Path) -> None:
    classifier = HierarchicalClassifier.load(file)
    expected = json.loads(file.with_suffix(".json").read_text("utf-8"))
    assert expected["judgements"]
    for row in expected["judgements"]:
        found = classifier.classify(page(row))
        assert found.topic == row["topic"]
        assert list(found.path) == row["path"]
        assert [word for word, _ in found.evidence] == row["evidence"]
        assert found.confidence == pytest.approx(row["confidence"], rel=1e-9)
        assert found.probability == pytest.approx(row["probability"], rel=1e-9)
    assert {row["topic"] for row in expected["judgements"]} == {None, "Boats", "Boats/Sails", "Cakes"}


@pytest.mark.parametrize("file", MODELS, ids=lambda path: path.stem)
def test_what_old_models_hold_besides_is_read(file: Path) -> None:
    classifier = HierarchicalClassifier.load(file)
    assert classifier.wishes_ == {"Cakes": TopicWishes(("flour", "oven"), ("en",))}
    assert classifier.parameters.features == 50
    assert classifier.rules.min_features == 2
    held = load_training_set(file)
    assert {label for _, label in held.examples} == {None, "Boats", "Boats/Sails", "Boats/OTHERS", "Cakes"}
    assert [label for _, label in held.archetypes] == ["Cakes"]
    assert len(held.right) == len(held.examples)


@pytest.mark.parametrize("file", MODELS, ids=lambda path: path.stem)
def test_old_models_are_fitted_anew_from_their_training_sets(file: Path) -> None:
    old, held = HierarchicalClassifier.load(file), load_training_set(file)
    again = HierarchicalClassifier(old.parameters, old.rules).fit(held.examples, old.wishes_, held.archetypes)
    expected = json.loads(file.with_suffix(".json").read_text("utf-8"))
    taken = [row for row in expected["judgements"] if row["topic"]]
    assert [again.classify(page(row)).topic for row in taken] == [row["topic"] for row in taken]
