"""Measures the topic classifier on labelled texts and compares it with others: accuracy, macro-F1, time.

A text that is rejected, or assigned to a topic that has subtopics, counts as an error. With forced choice nothing is
rejected: every text gets its most confident topic, as with a classifier that cannot reject.
"""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import fmean
from typing import Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from thresher.bench.classifier_methods import NONE, Judge, Method, Texts, label
from thresher.bench.kept_curve import THRESHOLDS, CurvePoint, kept_curve
from thresher.bench.labelled_texts import Fold
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.classify.sibling_space import SpaceParameters

Paths = Mapping[str, str]
"""The topic path of each label."""

Given = TypeVar("Given")
Made = TypeVar("Made")

FORCED: Final = -math.inf
"""The threshold at which nothing is rejected."""


class ClassifierRow(Struct, frozen=True, kw_only=True):
    """One classifier over all folds; shares are between 0 and 1.

    `features` and `measure` describe the feature space, None if all terms are used. `forced_accuracy` and
    `forced_macro_f` are None if a classifier never rejects, or if "no topic" is one of the classes. `training_seconds`
    is the CPU time of one fold, `ms_per_page` that of one judgement.
    """

    classifier: str
    features: int | None = None
    measure: str | None = None
    accuracy: float
    macro_f: float
    rejected: float = 0.0
    forced_accuracy: float | None = None
    forced_macro_f: float | None = None
    training_seconds: float
    ms_per_page: float


def measure_method(name: str, method: Method, folds: Sequence[Fold]) -> ClassifierRow:
    """Measure a classifier that never rejects."""
    judged: list[tuple[str, str]] = []
    training: list[float] = []
    judging = 0.0
    for fold in folds:
        judge, seconds = _timed(method, fold.train)
        training.append(seconds)
        said, seconds = _timed(judge, fold.test)
        judging += seconds
        judged += zip(map(label, fold.test), said, strict=True)
    return ClassifierRow(
        classifier=name,
        accuracy=accuracy(judged),
        macro_f=macro_f(judged),
        training_seconds=fmean(training),
        ms_per_page=1000 * judging / len(judged),
    )


def measure_tree(
    name: str, folds: Sequence[Fold], paths: Paths, parameters: SpaceParameters
) -> tuple[ClassifierRow, list[CurvePoint]]:
    """Measure the classifier of topic trees, and what it keeps at each threshold."""
    judged: dict[float, list[tuple[str, str]]] = {threshold: [] for threshold in (FORCED, *THRESHOLDS)}
    training: list[float] = []
    judging = 0.0
    for fold in folds:
        classifier, seconds = _timed(partial(_fitted, paths=paths, parameters=parameters), fold.train)
        training.append(seconds)
        truth = [paths.get(label(text), NONE) for text in fold.test]
        for threshold in judged:
            classifier.rules = replace(classifier.rules, threshold=threshold)
            said, seconds = _timed(_judge(classifier), fold.test)
            judging += seconds if threshold == 0 else 0.0
            judged[threshold] += zip(truth, said, strict=True)
    plain, forced = judged[0.0], judged[FORCED]
    closed = NONE not in {true for true, _ in plain}
    row = ClassifierRow(
        classifier=name,
        features=parameters.features,
        measure=parameters.measure,
        accuracy=accuracy(plain),
        macro_f=macro_f(plain),
        rejected=fmean(said == NONE for _, said in plain),
        forced_accuracy=accuracy(forced) if closed else None,
        forced_macro_f=macro_f(forced) if closed else None,
        training_seconds=fmean(training),
        ms_per_page=1000 * judging / len(plain),
    )
    return row, kept_curve({threshold: judged[threshold] for threshold in THRESHOLDS}, set(paths.values()))


def accuracy(judged: Sequence[tuple[str, str]]) -> float:
    """Return the share of (truth, prediction) pairs that agree."""
    return fmean(truth == said for truth, said in judged)


def macro_f(judged: Sequence[tuple[str, str]]) -> float:
    """Return the mean F1 over the classes that occur in the truth.

    >>> round(macro_f([("A", "A"), ("A", ""), ("B", "B"), ("B", "A")]), 3)
    0.583
    """
    return fmean(_f(judged, name) for name in sorted({truth for truth, _ in judged}))


def _f(judged: Sequence[tuple[str, str]], name: str) -> float:
    hits = sum(truth == said == name for truth, said in judged)
    return 2 * hits / sum((truth == name) + (said == name) for truth, said in judged)


def _fitted(train: Texts, paths: Paths, parameters: SpaceParameters) -> HierarchicalClassifier:
    examples = [(text.page, paths[text.topic] if text.topic is not None else None) for text in train]
    return HierarchicalClassifier(parameters).fit(examples)


def _judge(classifier: HierarchicalClassifier) -> Judge:
    return lambda test: [classifier.classify(text.page).topic or NONE for text in test]


def _timed(work: Callable[[Given], Made], given: Given) -> tuple[Made, float]:
    started = time.process_time()
    result = work(given)
    return result, time.process_time() - started
