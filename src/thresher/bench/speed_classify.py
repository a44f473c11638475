"""Measures the speed of the topic classifier on generated pages: training, classifying, scoring link contexts."""

import os
import time
from collections.abc import Callable
from statistics import median
from typing import Final

import numpy as np
import psutil
from msgspec import Struct

from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.types import ParsedPage

PAGES: Final = 50
"""Training pages per topic."""

NEGATIVES: Final = 200
JUDGED: Final = 1000
WORDS: Final = 600
"""Words per page without stop words, about 300 different stems."""

OWN, COMMON = 400, 20_000
"""Number of stems specific to a topic, and of stems shared by all pages; both are drawn by a power law."""

ON_TOPIC: Final = 0.3
CONTEXT: Final = 20
"""Words around a link."""


class ClassifyFigures(Struct, frozen=True):
    """The cost for a number of topics, in CPU time; `memory_mb` is what training added to the process.

    `relevance_ms` is for one bag of words around a link.
    """

    topics: int
    tree: bool
    pages: int
    training_seconds: float
    stems_per_page: float
    ms_per_page: float
    relevance_ms: float
    model_mb: float
    memory_mb: float


def measure_classify(topics: int, *, tree: bool, runs: int = 3, seed: int = 0) -> ClassifyFigures:
    """Train on generated pages and judge others; in a `tree`, the topics are divided evenly among parent topics."""
    paths = topic_paths(topics, tree)
    pages = GeneratedPages(seed)
    examples: list[tuple[ParsedPage, str | None]] = [
        (pages.page(topic), path) for topic, path in enumerate(paths) for _ in range(PAGES)
    ]
    examples += [(pages.page(None), None) for _ in range(NEGATIVES)]
    judged = [pages.page(number % (topics + topics // 2)) for number in range(JUDGED)]
    # Loading scikit-learn takes longer than fitting a few topics with it.
    import sklearn.svm  # noqa: F401

    process = psutil.Process(os.getpid())
    before = process.memory_info().rss
    classifier = HierarchicalClassifier()
    training = _seconds(lambda: classifier.fit(examples))
    memory = process.memory_info().rss - before
    bags = [dict(list(page.terms.items())[:CONTEXT]) for page in judged]
    return ClassifyFigures(
        topics=topics,
        tree=tree,
        pages=len(examples),
        training_seconds=training,
        stems_per_page=sum(len(page.terms) for page in judged) / JUDGED,
        ms_per_page=1000 * median(_judging(classifier, judged) for _ in range(runs)) / JUDGED,
        relevance_ms=1000 * median(_seconds(lambda: classifier.relevance(bags)) for _ in range(runs)) / JUDGED,
        model_mb=len(classifier.to_bytes()) / 1e6,
        memory_mb=memory / 1e6,
    )


def topic_paths(topics: int, tree: bool) -> list[str]:
    """Return the written paths of a number of topics.

    >>> topic_paths(4, True), topic_paths(2, False)
    (['0/0', '0/1', '1/0', '1/1'], ['0', '1'])
    """
    if not tree:
        return [str(topic) for topic in range(topics)]
    below = max(1, round(topics**0.5))
    return [f"{topic // below}/{topic % below}" for topic in range(topics)]


class GeneratedPages:
    """Generates pages of stems: some specific to a topic, the rest shared by all pages."""

    def __init__(self, seed: int = 0) -> None:
        self._generator = np.random.default_rng(seed)

    def page(self, topic: int | None) -> ParsedPage:
        """Return a page of a topic by its number, or of no topic."""
        own = 0 if topic is None else int(self._generator.binomial(WORDS, ON_TOPIC))
        stems = [f"t{topic}w{number}" for number in self._drawn(own, OWN)]
        stems += [f"common{number}" for number in self._drawn(WORDS - own, COMMON)]
        terms: dict[str, int] = {}
        for stem in stems:
            terms[stem] = terms.get(stem, 0) + 1
        return ParsedPage(url="", title="", words=[], links=[], terms=terms, language="en")

    def _drawn(self, number: int, kinds: int) -> list[int]:
        found: list[int] = (kinds ** self._generator.random(number)).astype(int).tolist()
        return found


def _judging(classifier: HierarchicalClassifier, pages: list[ParsedPage]) -> float:
    def judge() -> None:
        for page in pages:
            classifier.classify(page)

    return _seconds(judge)


def _seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started
