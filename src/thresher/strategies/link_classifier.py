"""A link classifier trained during the crawl, after the ACHE crawler; an independent implementation.

Every 500 pages a linear support vector machine (C = 1, Platt's probabilities) is fitted to the links that were
followed, by whether the page they led to was on topic, with as many negative as positive links. Its features are the
most frequent words of the links' neighbourhoods: at most 150 of the anchors, 100 of the ten words on either side, 150
of the URLs, each seen at least twice (Barbosa and Freire, "An adaptive crawler for locating hidden-web entry points",
WWW 2007; ACHE's on-line learning FORWARD_CLASSIFIER_BINARY). Until the first model, a link gets the score of its page;
afterwards, every link scored by a model comes before all others.

Differences: ACHE orders the links it considers irrelevant by how sure it is of that, surest first, which we consider a
bug, and takes a random sample of at most 5,000 links per class, while we keep the newest.
"""

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, Final

import numpy as np
from msgspec import Struct

from thresher.learn.calibration import sigmoid
from thresher.learn.linear import LinearSvm
from thresher.protocols import TermScorer, View
from thresher.strategies.asking import no_classifier, page_relevance
from thresher.strategies.children import children
from thresher.strategies.contexts import PageStems
from thresher.strategies.link_neighbourhood import ANCHOR, AROUND, URL, features, field_of
from thresher.strategies.memos import Memos
from thresher.types import Candidate, Judgement, ParsedPage, Reading

LIMITS: Final = {ANCHOR: 150, AROUND: 100, URL: 150}
"""Features per field in a model."""

_FEWEST: Final = 2


class Neighbourhoods(Struct, frozen=True, array_like=True):
    """The relevance of a page, and the neighbourhood features of each of its links."""

    relevance: float
    links: list[list[int]]


class Followed(Struct, frozen=True):
    """What a link passes on: the features of its neighbourhood."""

    link: list[int]


class LinkClassifier:
    """Scores links by a classifier of links that learns from where they led.

    `every` is the number of pages between two trainings, `around` the number of words on either side of the anchor that
    count, `samples` the number of followed links remembered for each class.
    """

    def __init__(self, every: int = 500, around: int = 10, samples: int = 2000) -> None:
        if every < 1 or around < 0 or samples < _FEWEST:
            raise ValueError(f"every must be at least 1, around at least 0 and samples at least {_FEWEST}")
        self.every = every
        self.around = around
        self.samples = samples
        self._classifier: TermScorer | None = None
        self._memos = Memos(Followed)
        self._observed = 0
        self._relevant: deque[list[int]] = deque(maxlen=samples)
        self._irrelevant: deque[list[int]] = deque(maxlen=samples)
        self._weights: dict[int, float] = {}
        self._bias = 0.0

    def consult(self, classifier: TermScorer) -> None:
        """Set the page classifier."""
        self._classifier = classifier

    def read(self, page: ParsedPage, judgement: Judgement | None) -> Neighbourhoods | None:
        """Return the relevance of the page and the features of its links; None if it has no links."""
        if self._classifier is None:
            raise no_classifier("link-classifier")
        if not page.links:
            return None
        relevance = page_relevance(page, judgement, self._classifier)
        stems, words = PageStems(page.words, page.language), len(page.words)
        links = [features(link, words, stems, self.around, page.language) for link in page.links]
        return Neighbourhoods(relevance, links)

    def rank(self, reading: Reading[Neighbourhoods], view: View) -> Iterable[Candidate]:
        """Score every link by the latest model, or by its page if there is none yet; start pages come first."""
        page = reading.features
        if page is None:
            yield from children(reading, ((link, 2.0) for link in reading.links))
            return
        for link, known in zip(reading.links, page.links, strict=True):
            price = 1.0 + self._probability(known) if self._weights else page.relevance
            yield from children(reading, [(link, price)], memo=self._memos.write(Followed(known)))

    def observe(self, candidate: Candidate, judgement: Judgement | None) -> None:
        """Remember where a link led, and retrain when it is due."""
        followed = self._memos.of(candidate)
        if followed is not None:
            relevant = judgement is not None and judgement.topic is not None
            (self._relevant if relevant else self._irrelevant).append(followed.link)
        self._observed += 1
        if self._observed % self.every == 0:
            self._learn()

    def state(self) -> dict[str, Any]:
        """Return the links remembered and the model in use."""
        return {
            "observed": self._observed,
            "relevant": list(self._relevant),
            "irrelevant": list(self._irrelevant),
            "weights": [[feature, weight] for feature, weight in self._weights.items()],
            "bias": self._bias,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Restore a saved state."""
        self._observed = int(state["observed"])
        self._relevant = deque(state["relevant"], maxlen=self.samples)
        self._irrelevant = deque(state["irrelevant"], maxlen=self.samples)
        self._weights = {int(feature): float(weight) for feature, weight in state["weights"]}
        self._bias = float(state["bias"])

    def _probability(self, known: Iterable[int]) -> float:
        weight = self._weights.get
        return sigmoid(sum(weight(feature, 0.0) for feature in known) + self._bias)

    def _learn(self) -> None:
        """Fit a model to the remembered links; with too few of one class, keep the current one."""
        if min(len(self._relevant), len(self._irrelevant)) < _FEWEST:
            return
        positive, negative = list(self._relevant), list(self._irrelevant)[-len(self._relevant) :]
        columns = {feature: index for index, feature in enumerate(_selected([*positive, *negative]))}
        if not columns:
            return
        labels = np.array([True] * len(positive) + [False] * len(negative))
        model = LinearSvm(cost=1.0).fit(_matrix([*positive, *negative], columns), labels)
        slope, offset = model.scaling_.slope_, model.scaling_.offset_
        self._weights = {feature: slope * float(model.weights_[index]) for feature, index in columns.items()}
        self._bias = slope * model.bias_ + offset


def _selected(links: Sequence[Sequence[int]]) -> list[int]:
    """Return the most frequent features of each field, in ascending order."""
    frequency = Counter(chain.from_iterable(links))
    chosen: list[int] = []
    for field, limit in LIMITS.items():
        of_field = [feature for feature, count in frequency.items() if count >= _FEWEST and field_of(feature) == field]
        chosen += sorted(of_field, key=lambda feature: (-frequency[feature], feature))[:limit]
    return sorted(chosen)


def _matrix(links: Sequence[Sequence[int]], columns: dict[int, int]) -> Any:
    from scipy.sparse import csr_matrix

    rows = [[columns[feature] for feature in link if feature in columns] for link in links]
    starts = np.cumsum([0, *map(len, rows)])
    indices = np.array(list(chain.from_iterable(rows)), int)
    return csr_matrix((np.ones(len(indices)), indices, starts), (len(links), len(columns)))
