"""How good is a model by itself? It judges a fixed sample of the web's labelled pages, fetched or not."""

from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Final

from thresher.bench.promise.figures import TopicFigures, by_topic
from thresher.bench.promise.kept_reading import kept_reader
from thresher.bench.promise.truth import Truth
from thresher.bench.promise.web import PoliteWeb
from thresher.build import recipe_of
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.config.load import load
from thresher.crawl.clock import VirtualClock, run_virtual
from thresher.types import Candidate, Fetched, Page

SIZE: Final = 2000
"""Pages of a sample: macro-F of eight topics is then known to about .01."""


class JudgedSample:
    """Labelled pages of a web, the same for every model; `overrides` are the settings they are read with."""

    def __init__(self, web: PoliteWeb, truth: Truth, overrides: Sequence[str] = (), size: int = SIZE) -> None:
        self._truth = truth
        self._pages = run_virtual(_read(web, _drawn(truth, size), overrides))

    def judged(self, model: str, *, new_hosts: bool = False) -> list[TopicFigures]:
        """Return how well a model, by the path of its file, judges the pages of each topic."""
        accepted = judge(model, self._pages)
        return by_topic([page.url for page in self._pages], accepted, self._truth, new_hosts=new_hosts)


def judge(model: str, pages: Sequence[Page]) -> dict[str, str]:
    """Return the topics that a model, by the path of its file, gives to pages; those it rejects are absent."""
    classifier = HierarchicalClassifier.load(Path(model))
    found = ((page.url, classifier.classify(page).topic) for page in pages)
    return {url: topic for url, topic in found if topic is not None}


def _drawn(truth: Truth, size: int) -> list[str]:
    known = sorted(set(truth.of) - truth.examples, key=lambda url: blake2b(url.encode(), digest_size=8).digest())
    return known[:size]


async def _read(web: PoliteWeb, urls: Sequence[str], overrides: Sequence[str]) -> list[Page]:
    settings = load(overrides=overrides).settings
    reader = kept_reader(recipe_of(settings, ""))
    answers = web.answers(settings, VirtualClock())
    found = []
    for url in urls:
        answer = await answers.fetch(Candidate(url=url, priority=()))
        page = reader.text(answer) if isinstance(answer, Fetched) else None
        if page is not None:
            found.append(page)
    await answers.close()
    return found
