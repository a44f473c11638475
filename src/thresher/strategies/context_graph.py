"""Crawls by a context graph: estimates in which layer of links around the topic a page is (Diligenti et al., 2000).

The topic's pages are layer 0, pages that link to them layer 1, and so on. Naive Bayes distinguishes the layers by their
words. Links on pages of nearer layers come first, and within a layer those on the page that fits it best. Pages that
fit none form an extra outer layer.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final, Self

import numpy as np
from msgspec import Struct

from thresher.learn.tfidf import TfIdf
from thresher.protocols import View
from thresher.sessions.session import UNREACHED, Session
from thresher.strategies.asking import no_examples
from thresher.strategies.children import children
from thresher.strategies.path_sessions import session_for
from thresher.types import Candidate, Judgement, ParsedPage, Reading

LARGEST: Final = 300
"""Maximum number of training pages per layer."""

FEW: Final = 20
"""With fewer pages than this, stems that occur on a single page count."""


class Layer(Struct, frozen=True, array_like=True):
    """The layer of a page (the number of layers if it fits none), and how well it fits, from 0 to 1."""

    number: int
    fit: float


class ContextGraph:
    """Scores links by the layer of their page around the topic.

    `paths` is a file of sessions in JSON Lines whose links define the layers. Without one, the examples and the links
    between them do, and examples not linked to the topic are the outermost layer. There are at most `layers` around the
    topic. A page whose best layer has a probability below `least` fits none.
    """

    def __init__(self, paths: str = "", layers: int = 4, least: float = 0.5) -> None:
        if layers < 1 or not 0 <= least <= 1:
            raise ValueError("layers must be at least 1 and least between 0 and 1")
        self.paths = paths
        self.layers = layers
        self.least = least
        self._weighing = TfIdf()
        self._bayes: Any = None
        self._known: list[int] = []

    def fit(self, examples: Sequence[tuple[ParsedPage, str | None]]) -> Self:
        """Learn from the file of sessions, or from the examples."""
        return self.learn(session_for("context-graph", self.paths, examples))

    def learn(self, session: Session) -> Self:
        """Learn the layers of a session, following links backwards from layer to layer."""
        from sklearn.naive_bayes import MultinomialNB

        layers: dict[int, list[dict[str, int]]] = {}
        for page, hops in zip(session.pages, session.distances(), strict=True):
            own = layers.setdefault(self.layers if hops == UNREACHED else min(hops, self.layers), [])
            if len(own) < LARGEST:
                own.append(page.terms)
        self._known = sorted(layers)
        bags = [terms for number in self._known for terms in layers[number]]
        labels = [number for number in self._known for _ in layers[number]]
        # A few pages share few stems, and a single page shares none.
        self._weighing = TfIdf(1 if len(bags) < FEW else 2).fit(bags)
        if not self._weighing.terms_:
            raise no_examples("context-graph")
        # The sizes of layers are accidental and say nothing about the pages to come.
        alike = np.full(len(self._known), 1.0 / len(self._known))
        self._bayes = MultinomialNB(alpha=0.1, class_prior=alike).fit(self._weighing.transform(bags), labels)
        return self

    def read(self, page: ParsedPage, judgement: Judgement | None) -> Layer:
        """Return the layer of the page."""
        self._check()
        found = self._bayes.predict_proba(self._weighing.transform([page.terms]))[0]
        best = int(found.argmax())
        if found[best] < self.least:
            return Layer(self.layers + 1, float(found[best]))
        return Layer(self._known[best], float(found[best]))

    def rank(self, reading: Reading[Layer], view: View) -> Iterable[Candidate]:
        """Score links by the layer of their page, then by how well it fits; start pages come first."""
        self._check()
        if reading.features is None:
            return children(reading, ((link, (self.layers + 2.0, 1.0)) for link in reading.links))
        price = (self.layers + 1.0 - reading.features.number, reading.features.fit)
        return children(reading, ((link, price) for link in reading.links))

    def account(self, candidate: Candidate) -> list[tuple[str, float, float]]:
        """Return the layer of the linking page, and how well the page fits it, which breaks ties."""
        if len(candidate.priority) != 2:
            return []
        price, fits = candidate.priority
        layer = self.layers + 1.0 - price
        if layer < 0:
            return [("start page", price, price)]
        name = "the linking page fits no layer" if layer > self.layers else "layer of the linking page around the topic"
        return [(name, layer, price), ("how well the linking page fits that layer", fits, 0.0)]

    def _check(self) -> None:
        if self._bayes is None:
            raise no_examples("context-graph")
