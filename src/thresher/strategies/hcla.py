"""HCLA: one latent space of terms and links (Almpanidis, Kotropoulos and Pitas, 2007).

A corpus of texts is decomposed once. Fetched pages are added to that space permanently, waiting pages only temporarily
to compare them with the topic's query, since their links change.
"""

from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from typing import Any, Final, Literal, Self, get_args

import numpy as np

from thresher.learn.lsi import LatentSpace
from thresher.strategies.expanded_matrix import Entries, ExpandedMatrix, LinkWeights
from thresher.strategies.latent_order import Examples, Floats, LatentOrder, NewPages
from thresher.strategies.shark_search import SharkSearch
from thresher.strategies.text_corpus import bags_in, texts_in
from thresher.strategies.topic_words import TopicWords
from thresher.types import Candidate

Method = Literal["update", "recompute", "fold-in"]
Against = Literal["query", "documents"]

SMALLEST_K: Final = 10
LARGEST_K: Final = 100
SMALLEST_N: Final = 10
LARGEST_N: Final = 100
"""Bounds of the parameters that grow with the crawl."""

_RESIDUAL: Final = 50
"""Most new directions of an update, if the number of dimensions grows."""


class Hcla(LatentOrder):
    """Scores waiting pages by their cosine with the topic in a latent space of terms and links.

    `k` is the number of dimensions and `n` that of pages between two reorderings; 0 lets them grow with the crawl.
    `query` has the words of the topic; without them, each topic gets the `words` stems that best identify its
    examples. `corpus` is a folder of texts to use instead of the examples; `terms` is the number of stems that count.
    `links` weigh 1 each (plain) or less on a page with many (scaled); `diagonal` gives each page an entry in its own
    row. Dimensions are weighted by their singular value to the `power`. `method` is how pages are added. `against`
    compares with the query, or with each of the topic's documents. `anchors`, `hand_over`, `shark`, `breadth`,
    `fetched` and `waiting` are those of `LatentOrder`.
    """

    name = "hcla"

    def __init__(
        self,
        k: int = 0,
        n: int = 0,
        query: str = "",
        words: int = 15,
        terms: int = 1000,
        corpus: str = "",
        anchors: bool = False,
        links: str = "scaled",
        diagonal: bool = True,
        power: float = 1.0,
        method: str = "update",
        against: str = "query",
        hand_over: int = 0,
        shark: float = 0.0,
        fetched: int = 1000,
        waiting: int = 1000,
        breadth: int = 400,
    ) -> None:
        for key, value, known in (
            ("links", links, LinkWeights),
            ("method", method, Method),
            ("against", against, Against),
        ):
            if value not in get_args(known):
                raise ValueError(f"{key} must be one of {', '.join(get_args(known))}")
        if min(k, n) < 0:
            raise ValueError("k and n must not be negative")
        super().__init__(
            SharkSearch(query=query, words=words, terms=terms),
            reorder_every=n or SMALLEST_N,
            anchors=anchors,
            hand_over=hand_over,
            shark=shark,
            fetched=fetched,
            waiting=waiting,
            breadth=breadth,
        )
        self.k = k
        self.n = n
        self.corpus = corpus
        self.links: LinkWeights = "scaled" if links == "scaled" else "plain"
        self.diagonal = diagonal
        self.power = power
        self.method = method
        self.against = against
        self._reordered = 0

    def fit(self, examples: Examples) -> Self:
        """Learn the query, and check before the crawl begins that the corpus folder has texts."""
        if self.corpus:
            texts_in(Path(self.corpus))
        return super().fit(examples)

    def make_space(self, examples: Examples) -> "HclaSpace":
        """Decompose the corpus."""
        bags = bags_in(Path(self.corpus)) if self.corpus else [page.terms for page, _ in examples]
        labelled = [place for place, (_, label) in enumerate(examples) if label is not None]
        return HclaSpace(
            self._shark.queries,
            bags,
            k=self.k,
            links=self.links,
            diagonal=self.diagonal,
            power=self.power,
            method=self.method,
            documents=labelled if self.against == "documents" and not self.corpus else [],
        )

    def is_due(self, pages: int) -> bool:
        """Return whether a reordering is due; without a fixed `n`, after a twentieth of the pages so far."""
        if not super().is_due(pages):
            return False
        if not self.n and pages < self._reordered + min(max(SMALLEST_N, pages // 20), LARGEST_N):
            return False
        self._reordered = pages
        return True

    def state(self) -> dict[str, Any]:
        """Return which pages are in the space, and when it was last used."""
        return {**super().state(), "reordered": self._reordered}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore a saved state."""
        super().restore(state)
        self._reordered = int(state["reordered"])


class HclaSpace:
    """The corpus and the fetched pages in a latent space; `documents` are the corpus documents to compare with."""

    def __init__(
        self,
        queries: TopicWords,
        bags: Sequence[dict[str, int]],
        *,
        k: int,
        links: LinkWeights,
        diagonal: bool,
        power: float,
        method: str,
        documents: Sequence[int],
    ) -> None:
        self.matrix = ExpandedMatrix(queries.weighing_, links, diagonal)
        self._fixed = k
        self._power = power
        self._method = method
        self._documents = list(documents)
        self._queries = queries.rows()
        self._corpus = queries.weighing_.transform(bags).T.tocsc()
        self._base = LatentSpace(self._k(), k or _RESIDUAL).fit(self._corpus)

    def add(self, pages: NewPages) -> None:
        """Add fetched pages: their rows first, then their columns."""
        first = len(self.matrix)
        for url, terms, targets in pages:
            self.matrix.add(url, terms, targets)
        if len(self.matrix) == first:
            return
        self._base.k = self._k()
        if self._method == "recompute":
            self._base.fit(self._whole())
            return
        rows = self.matrix.new_rows(first, self._corpus.shape[1])
        self._base.add_terms(rows)
        self._base.add_documents(self.matrix.pages(first))

    def scores(self, waiting: Sequence[Candidate], anchors: Sequence[Entries | None]) -> Floats:
        """Return the cosine of each waiting page with the topic."""
        columns = self.matrix.waiting([candidate.url for candidate in waiting], anchors)
        space, held = self._base, self._base.documents_.shape[0]
        if self._method == "fold-in":
            found = space.fold_in(columns)
        else:
            space = space.copy().add_documents(columns)
            found = space.coordinates()[held:]
        if self._documents:
            weights = space.values_**self._power
            documents = space.coordinates()[self._documents]
            near = np.clip(_unit(found * weights) @ _unit(documents * weights).T, 0.0, 1.0)
            return np.asarray(1.0 - np.prod(1.0 - near, axis=1))
        return self._cosines(space, found)

    def worth(self) -> dict[str, float]:
        """Return the cosine of each fetched page with the topic."""
        found = self._cosines(self._base, self._base.coordinates()[self._corpus.shape[1] :])
        return dict(zip(self.matrix.urls, found.tolist(), strict=True))

    def _cosines(self, space: LatentSpace, found: Floats) -> Floats:
        weights = space.values_**self._power
        queries = _unit((self._queries @ space.terms_[: self.matrix.terms]) * weights)
        return np.asarray((_unit(found * weights) @ queries.T).max(axis=1, initial=-1.0))

    def _k(self) -> int:
        if self._fixed:
            return self._fixed
        return min(max(SMALLEST_K, round(2 * sqrt(self._corpus.shape[1] + len(self.matrix)))), LARGEST_K)

    def _whole(self) -> Any:
        from scipy.sparse import csc_matrix, hstack, vstack

        empty = csc_matrix((len(self.matrix), self._corpus.shape[1]))
        return hstack([vstack([self._corpus, empty]), self.matrix.pages(0)]).tocsc()


def _unit(rows: Floats) -> Floats:
    """Return the rows scaled to length one; rows of zeros are unchanged."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    found: Floats = rows / np.where(lengths > 1e-12, lengths, 1.0)
    return found
