"""A topic as a query: given words, or the words that distinguish the topic's examples from the others."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Self

import numpy as np
from numpy.typing import NDArray

from thresher.learn.tfidf import Bag, TfIdf
from thresher.text.query_words import QueryWords
from thresher.types import ParsedPage

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Floats = NDArray[np.float64]

FEW: Final = 20
"""With fewer pages than this, stems that occur on a single page count."""


class TopicWords:
    """Creates a query for each topic, or a single one if words are given.

    `query` has words in any language; without them, each topic gets the `count` stems that best distinguish its pages.
    `terms` is the number of stems that count: the most frequent ones of the examples, and those of the queries.
    Learned: `weighing_`, and `queries_` with the weight of each stem by topic; a topic without such stems has no query.

    >>> def page(text):
    ...     return ParsedPage(url="", title="", words=[], links=[], terms={word: 1 for word in text.split()})
    >>> examples = [(page("boat sail"), "boats"), (page("boat sea"), "boats"), (page("car sea"), None)]
    >>> list(TopicWords(count=1).fit(examples).queries_["boats"])
    ['boat']
    """

    def __init__(self, query: str = "", count: int = 15, terms: int = 1000) -> None:
        if count < 1 or terms < 1:
            raise ValueError("words and terms must be at least 1")
        self.query = query
        self.count = count
        self.terms = terms
        self.weighing_ = TfIdf(1, terms)
        self.queries_: dict[str, dict[str, float]] = {}

    def fit(self, examples: Sequence[tuple[ParsedPage, str | None]]) -> Self:
        """Learn which stems count, and the queries."""
        bags: list[Bag] = [page.terms for page, _ in examples]
        stems = dict.fromkeys(QueryWords(self.query).stems("")) if self.query else {}
        topics = sorted({label for _, label in examples if label is not None})
        self.queries_ = {"": dict.fromkeys(stems, 1.0)} if stems else {}
        if not self.query and topics:
            # A few pages share few stems, and a single page shares none.
            whole = TfIdf(1 if len(bags) < FEW else 2).fit(bags)
            labels = [label for _, label in examples]
            found = {topic: self._telling(whole, bags, labels, topic) for topic in topics}
            self.queries_ = {topic: query for topic, query in found.items() if query}
        wanted = {stem for query in self.queries_.values() for stem in query}
        self.weighing_ = _weighing(bags, wanted, self.terms)
        return self

    def rows(self) -> Floats:
        """Return a row of length one for each query, over the terms of `weighing_`."""
        place = {term: index for index, term in enumerate(self.weighing_.terms_)}
        rows = np.zeros((len(self.queries_), len(place)))
        for row, query in zip(rows, self.queries_.values(), strict=True):
            for stem, weight in query.items():
                row[place[stem]] = weight * self.weighing_.idf_[place[stem]]
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        found: Floats = rows / np.where(lengths > 0, lengths, 1.0)
        return found

    def _telling(self, whole: TfIdf, bags: Sequence[Bag], labels: Sequence[str | None], topic: str) -> dict[str, float]:
        """Return the stems that set a topic apart, with their weights."""
        own = np.array([label == topic for label in labels])
        rows = whole.transform(bags)
        gain = _mean(rows, own) - _mean(rows, ~own)
        best = np.argsort(-gain, kind="stable")[: self.count]
        return {whole.terms_[index]: float(gain[index]) for index in best.tolist() if gain[index] > 0}


def _mean(rows: "csr_matrix", chosen: NDArray[np.bool_]) -> Floats:
    """Return the mean of the chosen rows, or zeros if none are chosen."""
    total = rows[np.flatnonzero(chosen)].sum(axis=0)
    return np.asarray(total, float).ravel() / max(1, int(chosen.sum()))


def _weighing(bags: Sequence[Bag], wanted: set[str], terms: int) -> TfIdf:
    """Return weights for the most frequent terms and for the wanted ones, even if no bag has them."""
    weighing, rest = TfIdf(1, terms).fit(bags), TfIdf(1, 1 << 30)
    missing = sorted(wanted - set(weighing.terms_))
    if missing:
        rest.fit([{term: 1 for term in missing if term in bag} for bag in bags])
        known = dict(zip(rest.terms_, rest.idf_.tolist(), strict=True))
        rarest = float(np.log(1 + len(bags))) + 1.0
        weighing.terms_ = [*weighing.terms_, *missing]
        weighing.idf_ = np.append(weighing.idf_, [known.get(term, rarest) for term in missing])
    return weighing
