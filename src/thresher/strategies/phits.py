"""PLSI and PHITS: a joint model of words and links (Cohn and Hofmann, 2001), used as a crawling order.

The corpus and the fetched pages are mixtures of a few aspects, each with its own words and links. The mixture of a
waiting page is inferred from the pages that link to it and its anchor. Its score is the probability that the page and
the query belong to the same aspect.
"""

from collections.abc import Sequence

import numpy as np

from thresher.learn.plsa import Plsa
from thresher.strategies.expanded_matrix import Entries, ExpandedMatrix
from thresher.strategies.latent_order import Examples, Floats, LatentOrder, NewPages
from thresher.strategies.shark_search import SharkSearch
from thresher.strategies.topic_words import TopicWords
from thresher.types import Candidate

AGAIN = 3
"""Iterations at each temperature when there are new pages."""


class Phits(LatentOrder):
    """Scores waiting pages by the aspects they share with the topic's query.

    `aspects` is the number of aspects, `text` the weight of words relative to links, and `n` the number of pages
    between two reorderings. `query` has the words of the topic; without them, each topic gets the `words` stems that
    best identify its examples. `terms` is the number of stems that count; `seed` is the random seed for the start of
    EM. `anchors`, `hand_over`, `shark`, `fetched` and `waiting` are those of `LatentOrder`.
    """

    name = "phits"

    def __init__(
        self,
        aspects: int = 8,
        text: float = 0.5,
        n: int = 50,
        query: str = "",
        words: int = 15,
        terms: int = 1000,
        anchors: bool = False,
        hand_over: int = 0,
        shark: float = 0.0,
        fetched: int = 500,
        waiting: int = 1000,
        seed: int = 0,
    ) -> None:
        super().__init__(
            SharkSearch(query=query, words=words, terms=terms),
            reorder_every=n,
            anchors=anchors,
            hand_over=hand_over,
            shark=shark,
            fetched=fetched,
            waiting=waiting,
        )
        # Invalid parameters are reported when the strategy is created, not at the first reordering.
        Plsa(aspects, text)
        self.aspects = aspects
        self.text = text
        self.n = n
        self.seed = seed

    def make_space(self, examples: Examples) -> "AspectSpace":
        """Learn the aspects of the corpus."""
        model = Plsa(self.aspects, self.text, seed=self.seed)
        return AspectSpace(model, self._shark.queries, [page.terms for page, _ in examples])


class AspectSpace:
    """The corpus and the fetched pages as mixtures of aspects."""

    def __init__(self, model: Plsa, queries: TopicWords, bags: Sequence[dict[str, int]]) -> None:
        from scipy.sparse import csc_matrix

        self.matrix = ExpandedMatrix(queries.weighing_)
        self._model = model
        self._queries = csc_matrix(queries.rows().T)
        self._corpus = queries.weighing_.transform(bags).T.tocsc()
        self._model.fit(self._corpus, csc_matrix((0, len(bags))))

    def add(self, pages: NewPages) -> None:
        """Add fetched pages and continue learning with them."""
        from scipy.sparse import csc_matrix, hstack

        first = len(self.matrix)
        for url, terms, targets in pages:
            self.matrix.add(url, terms, targets)
        if len(self.matrix) == first:
            return
        columns = self.matrix.pages(0)
        rows, count = self.matrix.terms, self._corpus.shape[1]
        words = hstack([self._corpus, columns[:rows]]).tocsc()
        links = hstack([csc_matrix((len(self.matrix), count)), columns[rows:]]).tocsc()
        self._model.fit_more(words, links, AGAIN)

    def scores(self, waiting: Sequence[Candidate], anchors: Sequence[Entries | None]) -> Floats:
        """Return the probability that each waiting page and the topic belong to the same aspect."""
        columns = self.matrix.waiting([candidate.url for candidate in waiting], anchors)
        return self._alike(self._model.fold_in(columns[: self.matrix.terms], columns[self.matrix.terms :]))

    def worth(self) -> dict[str, float]:
        """Return the same for each fetched page."""
        found = self._alike(self._model.mixtures_[self._corpus.shape[1] :])
        return dict(zip(self.matrix.urls, found.tolist(), strict=True))

    def _alike(self, mixtures: Floats) -> Floats:
        from scipy.sparse import csc_matrix

        nothing = csc_matrix((len(self.matrix), self._queries.shape[1]))
        queries = self._model.fold_in(self._queries, nothing)
        return np.asarray((mixtures @ queries.T).max(axis=1, initial=0.0))
