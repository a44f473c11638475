"""Measures a model on a fixed sample of the web's labelled pages, fetched or not."""

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Final

from thresher.bench.promise.figures import TopicFigures, by_topic
from thresher.bench.promise.kept_reading import kept_reader
from thresher.bench.promise.scenario import Scenario
from thresher.bench.promise.truth import Truth
from thresher.build import recipe_of
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.config.load import load
from thresher.types import ParsedPage

SIZE: Final = 2400
"""Pages of a sample, half of them on topic; this gives the macro-F1 of eight topics to about .01."""


class JudgedSample:
    """Labelled pages of a web, the same for every model; `overrides` are the settings for reading them."""

    def __init__(self, scenario: Scenario, truth: Truth, overrides: Sequence[str] = (), size: int = SIZE) -> None:
        self._truth = truth
        self._pages = drawn_pages(scenario, truth, overrides, size)

    def judged(self, model: str, *, new_hosts: bool = False) -> list[TopicFigures]:
        """Return how well a model file judges the pages of each topic."""
        accepted = judge(model, self._pages)
        return by_topic([page.url for page in self._pages], accepted, self._truth, new_hosts=new_hosts)


def judge(model: str, pages: Sequence[ParsedPage]) -> dict[str, str]:
    """Return the topics that a model file assigns to pages; rejected pages are absent."""
    return judged_by(HierarchicalClassifier.load(Path(model)), pages)


def judged_by(classifier: HierarchicalClassifier, pages: Iterable[ParsedPage]) -> dict[str, str]:
    """Return the topics that a classifier assigns to pages; rejected pages are absent."""
    found = ((page.url, classifier.classify(page).topic) for page in pages)
    return {url: topic for url, topic in found if topic is not None}


def drawn_pages(scenario: Scenario, truth: Truth, overrides: Sequence[str] = (), size: int = SIZE) -> list[ParsedPage]:
    """Return a fixed sample of labelled pages of a web, half of them on topic."""
    return _read(scenario, _drawn(scenario, truth, size), overrides)


def _drawn(scenario: Scenario, truth: Truth, size: int) -> list[str]:
    known = [url for url in truth.of if url in scenario.web.served and url not in truth.examples]
    known.sort(key=lambda url: blake2b(url.encode(), digest_size=8).digest())
    inside = [url for url in known if truth.on_topic(url)][: size // 2]
    return inside + [url for url in known if not truth.on_topic(url)][: size // 2]


def _read(scenario: Scenario, urls: Sequence[str], overrides: Sequence[str]) -> list[ParsedPage]:
    reader = kept_reader(recipe_of(load(overrides=overrides).settings, ""))
    found = (reader.read(scenario.web.collection.answer(url)) for url in urls)
    return [page for page in found if isinstance(page, ParsedPage)]
