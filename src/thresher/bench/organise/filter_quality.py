"""Measures how well topics are filtered: error against loss, and whether the interval contains the true error.

A draw has three topics to learn and two that stand for everything else. The classifier learns from some texts of each,
judges the others, and each topic then drops a share of the texts assigned to it. All topics have the same number of
training and test texts, since estimates are valid only if the topics are as frequent as in training.
"""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from msgspec import Struct, convert

from thresher.bench.organise.draws import OrganiseRun, TextSample, draw
from thresher.bench.organise.labelled_bags import Topics
from thresher.classify.examples_file import TrainingSet
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.learn.restrictive import most_certain
from thresher.organise.topic_judges import TopicJudge, TreeJudge, held_out_families, meta_judge
from thresher.organise.topic_pages import TopicPage
from thresher.types import ParsedPage

TOPICS: Final = 3
OTHERS: Final = 2
TAUGHT: Final = 40
"""Training texts per topic."""

JUDGED: Final = 300
"""Maximum number of test texts per topic."""

LEAST: Final = 100
"""Minimum number of test texts per topic."""

LOSSES: Final = (0.0, 0.1, 0.2, 0.3, 0.5)
TASK: Final = "filter"


class EstimateRun(Struct, frozen=True, kw_only=True):
    """An estimate of one topic's error and the true error; `held` if the interval contains it."""

    data: str
    method: str
    seed: int
    topic: str
    loss: float
    estimated: float | None
    low: float
    high: float
    error: float
    kept: int

    @property
    def held(self) -> bool:
        """Whether the interval contains the true error."""
        return self.low <= self.error <= self.high


class IntervalCoverage(Struct, frozen=True, kw_only=True):
    """How often the 95 % interval of the error estimate contained the true error, at a loss.

    `topics` is the number of topics over all draws, `held` how often the interval contained the true error;
    `estimated` and `error` are the mean estimated and true errors.
    """

    data: str
    method: str
    loss: float
    topics: int
    held: int
    estimated: float
    error: float


def draw_for_filter(data: str, topics: Topics, seed: int) -> TextSample:
    """Draw topics with enough texts, and the same number of texts from each."""
    enough = {topic: sources for topic, sources in topics.items() if len(sources) >= TAUGHT + LEAST}
    return draw(f"{data}/filter", enough, TOPICS + OTHERS, seed, TAUGHT + JUDGED, equal=True)


def measure_filter(data: str, drawn: TextSample, seed: int) -> tuple[list[OrganiseRun], list[EstimateRun]]:
    """Measure both judges on one draw of TOPICS + OTHERS topics."""
    names = [f"topic {number}" if number < TOPICS else None for number in range(TOPICS + OTHERS)]
    texts = [
        (
            ParsedPage(url=f"http://text{place}.test/", title="", words=[], links=[], terms=bag, language="en"),
            int(number),
        )
        for place, (bag, number) in enumerate(zip(drawn.bags, drawn.truth, strict=True))
    ]
    seen = dict.fromkeys(range(len(names)), 0)
    taught: list[tuple[ParsedPage, str | None]] = []
    unseen: list[tuple[ParsedPage, int]] = []
    for page, number in texts:
        if seen[number] < TAUGHT:
            taught.append((page, names[number]))
        else:
            unseen.append((page, number))
        seen[number] += 1
    classifier = HierarchicalClassifier().fit(taught)
    training = TrainingSet(taught)
    held_out = held_out_families(training, classifier)[""]
    judges: dict[str, Callable[[str], TopicJudge | None]] = {
        "classifier": lambda topic: TreeJudge(classifier, topic, held_out),
        "together": lambda topic: meta_judge(training, topic),
    }
    estimates: list[EstimateRun] = []
    for number in range(TOPICS):
        topic = f"topic {number}"
        taken = [(page, number) for page, number in unseen if classifier.classify(page).topic == topic]
        for method, judge_of in judges.items():
            judge = judge_of(topic)
            if judge is not None and taken:
                found = _estimates(judge, taken, number)
                about = {"data": data, "method": method, "seed": seed, "topic": drawn.topics[number]}
                estimates += [convert({**about, **row}, EstimateRun) for row in found]
    return _pooled(data, seed, estimates), estimates


def _estimates(
    judge: TopicJudge, taken: Sequence[tuple[ParsedPage, int]], own: int
) -> list[dict[str, float | int | None]]:
    pages = [TopicPage(place, page.url, "", "", 0.0) for place, (page, _) in enumerate(taken)]
    factors = judge.factors(pages, [page.terms for page, _ in taken])
    right = np.array([number == own for _, number in taken])
    rows: list[dict[str, float | int | None]] = []
    for loss in LOSSES:
        kept = most_certain(factors, loss)
        if not kept.any() or judge.curve is None:
            continue
        lowest = max(0.0, float(np.nextafter(factors[kept].min(), -np.inf)))
        told = judge.curve.above(lowest, int(kept.sum()))
        low, high = told.interval
        error = float((~right[kept]).mean())
        rows.append(
            {"loss": loss, "estimated": told.error, "low": low, "high": high, "error": error, "kept": int(kept.sum())}
        )
    return rows


def _pooled(data: str, seed: int, estimates: Sequence[EstimateRun]) -> list[OrganiseRun]:
    """Return the error over all topics of a draw at each loss."""
    runs = []
    for method in dict.fromkeys(one.method for one in estimates):
        for loss in LOSSES:
            here = [one for one in estimates if one.method == method and one.loss == loss]
            kept = sum(one.kept for one in here)
            if kept:
                error = sum(one.kept * one.error for one in here) / kept
                runs.append(
                    OrganiseRun(
                        data=data, task=TASK, method=method, seed=seed, k=TOPICS, loss=loss, error=round(error, 4)
                    )
                )
    return runs
