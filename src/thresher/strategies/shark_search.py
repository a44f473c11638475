"""Shark-Search: a link inherits the relevance of the pages on the path to it, decaying with every click.

score = decay · (relevance of the linking page + what that page itself inherited), so a parent counts decay, a
grandparent decay², and so on (Hersovici et al., 1998, as compared by Almpanidis, Kotropoulos and Pitas). The relevance
of a page is its cosine with the query in `shark-1`, and uses BM25 weights in `shark-2`.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Literal, Self, get_args

from msgspec import Struct
from msgspec.structs import replace

from thresher.protocols import View
from thresher.strategies.asking import no_examples
from thresher.strategies.children import children, each_once
from thresher.strategies.memos import Memos
from thresher.strategies.page_likeness import Weights, likeness
from thresher.strategies.topic_words import TopicWords
from thresher.types import Candidate, Judgement, ParsedPage, Reading

START: Final = 1e6
"""The score of start pages, which come first."""

Parents = Literal["best", "all"]

_DIGITS: Final = 6


class Heritage(Struct, frozen=True, rename={"relevance": "r", "inherited": "i"}):
    """What a link passes on: the relevance of its page, and what that page inherited."""

    relevance: float
    inherited: float


class SharkSearch:
    """Scores links by the relevance of the pages that led to them.

    `query` has the words of the topic; without them, each topic gets the `words` stems that best identify its examples.
    `decay` is the factor by which relevance falls with each click. If several pages link to a URL, the `best` counts,
    or the relevance of `all` is added up. `retrieved` is the number of examples that BM25 weights are learned from, and
    `terms` the number of stems that count.
    """

    def __init__(
        self,
        weights: str = "cosine",
        query: str = "",
        words: int = 15,
        decay: float = 0.5,
        parents: str = "best",
        retrieved: int = 10,
        terms: int = 1000,
    ) -> None:
        if not 0 <= decay < 1 or retrieved < 1:
            raise ValueError("decay must be at least 0 and below 1, and retrieved at least 1")
        if weights not in get_args(Weights) or parents not in get_args(Parents):
            raise ValueError(f"parents must be one of {', '.join(get_args(Parents))}")
        self.weights: Weights = "bm25" if weights == "bm25" else "cosine"
        self.query = query
        self.words = words
        self.decay = decay
        self.parents = parents
        self.retrieved = retrieved
        self.terms = terms
        self._queries = TopicWords(query, words, terms)
        self._likeness = likeness(self.weights, retrieved)
        self._memos = Memos(Heritage)
        self._fitted = False

    @property
    def queries(self) -> TopicWords:
        """The learned queries."""
        return self._queries

    @property
    def name(self) -> str:
        """The name of the strategy."""
        return "shark-1" if self.weights == "cosine" else "shark-2"

    def fit(self, examples: Sequence[tuple[ParsedPage, str | None]]) -> Self:
        """Learn the queries and the weights of stems."""
        self._queries.fit(examples)
        if not self._queries.queries_:
            raise no_examples(self.name)
        self._likeness.fit(examples, self._queries)
        self._fitted = True
        return self

    def read(self, page: ParsedPage, judgement: Judgement | None) -> float:
        """Return the relevance of the page."""
        self._check()
        return self._likeness.of(page.terms)

    def rank(self, reading: Reading[float], view: View) -> Iterable[Candidate]:
        """Pass on the relevance of the page and its predecessors to its links; start pages come first."""
        self._check()
        if reading.candidate.depth < 0:
            return children(reading, ((link, START) for link in reading.links))
        before = self._memos.of(reading.candidate)
        inherited = round(self._price(before), _DIGITS) if before is not None else 0.0
        heritage = Heritage(round(reading.features or 0.0, _DIGITS), inherited)
        price, memo = self._price(heritage), self._memos.write(heritage)
        return children(reading, ((link, price) for link in each_once(reading.links)), memo=memo)

    def merge(self, waiting: Candidate, new: Candidate) -> Candidate:
        """Return the better of two links, or one with the relevance of both pages; start pages keep their score."""
        before, after = self._memos.of(waiting), self._memos.of(new)
        better = max(waiting, new, key=lambda candidate: candidate.priority)
        if self.parents == "best" or before is None or after is None:
            return better
        both = Heritage(round(before.relevance + after.relevance, _DIGITS), max(before.inherited, after.inherited))
        return replace(better, priority=(self._price(both),), memo=self._memos.write(both))

    def account(self, candidate: Candidate) -> list[tuple[str, float, float]]:
        """Return what a candidate gets from the linking page and from the pages before it."""
        known = self._memos.of(candidate) if self._memos.fits(candidate) else None
        if known is None:
            return [("start page", START, START)] if candidate.priority == (START,) else []
        pages = "relevance of the linking page" if self.parents == "best" else "relevance of the linking pages"
        return [
            (pages, known.relevance, self.decay * known.relevance),
            ("inherited from the pages before", known.inherited, self.decay * known.inherited),
        ]

    def accounts_for(self, candidate: Candidate) -> bool:
        """Return whether a candidate's memo is one of ours, or it has none, as start pages do."""
        return self._memos.fits(candidate)

    def _price(self, heritage: Heritage) -> float:
        return self.decay * (heritage.relevance + heritage.inherited)

    def _check(self) -> None:
        if not self._fitted:
            raise no_examples(self.name)
