"""Measures how similar a page is to a topic's query: by cosine, or with BM25 weights."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, Protocol, Self, TypeAlias

from thresher.learn.bm25 import Bm25, cosine
from thresher.learn.term_margins import LinearMargins
from thresher.strategies.topic_words import TopicWords
from thresher.types import ParsedPage

Weights: TypeAlias = Literal["cosine", "bm25"]


class Likeness(Protocol):
    """Measures how similar a page is to the closest topic."""

    def fit(self, examples: Sequence[tuple[ParsedPage, str | None]], words: TopicWords) -> Self:
        """Learn from all examples and the queries made from them."""

    def of(self, terms: Mapping[str, int]) -> float:
        """Return a number between 0 and 1 for the stems of a page."""


class CosineLikeness:
    """The cosine of a page with the query."""

    def __init__(self) -> None:
        self._queries: list[LinearMargins] = []

    def fit(self, examples: Sequence[tuple[ParsedPage, str | None]], words: TopicWords) -> Self:
        """Store the queries."""
        weighing = words.weighing_
        self._queries = [LinearMargins(weighing.terms_, weighing.idf_, row, 0.0) for row in words.rows()]
        return self

    def of(self, terms: Mapping[str, int]) -> float:
        """Return the cosine with the nearest query."""
        return max(query.margin(terms) for query in self._queries)


class Bm25Likeness:
    """The cosine, in BM25 weights, of a page with the mean of the `retrieved` examples that match the query best."""

    def __init__(self, retrieved: int = 10) -> None:
        self.retrieved = retrieved
        self._weighing = Bm25()
        self._profiles: list[dict[str, float]] = []

    def fit(self, examples: Sequence[tuple[ParsedPage, str | None]], words: TopicWords) -> Self:
        """Find the examples that match each query best, and take the mean of their weights."""
        known = set(words.weighing_.terms_)
        bags = [{term: count for term, count in page.terms.items() if term in known} for page, _ in examples]
        self._weighing = Bm25().fit(bags)
        weighed = [self._weighing.weights(bag) for bag in bags]
        self._profiles = []
        for query in words.queries_.values():
            scores = [sum(weights.get(stem, 0.0) for stem in query) for weights in weighed]
            best = sorted(range(len(bags)), key=lambda place: -scores[place])[: self.retrieved]
            profile: Counter[str] = Counter()
            for place in best:
                profile.update(weighed[place] if scores[place] > 0 else {})
            self._profiles.append(dict(profile))
        return self

    def of(self, terms: Mapping[str, int]) -> float:
        """Return the cosine with the nearest mean."""
        weights = self._weighing.weights(terms)
        return max(cosine(weights, profile) for profile in self._profiles)


def likeness(weights: Weights, retrieved: int) -> Likeness:
    """Return a similarity measure by name."""
    return CosineLikeness() if weights == "cosine" else Bm25Likeness(retrieved)
