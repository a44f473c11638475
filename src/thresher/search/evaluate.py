"""Finds and ranks the pages that match a query."""

from collections.abc import Mapping
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from thresher.search.columns import Mask
from thresher.search.filters import Filters, is_filter, is_textual
from thresher.search.parsed import Group, ParsedQuery, Term
from thresher.search.rankings import STATIC, TEXT
from thresher.search.snapshot import Snapshot
from thresher.search.text_query import TextQuery
from thresher.search.top_pages import Ranked, ranked

Floats = NDArray[np.float64]


EXACT: Final = 20_000
"""Largest total that is counted exactly, which takes less than 10 ms; larger ones are usually estimated."""


class PreparedQuery(Struct, frozen=True):
    """A query ready for evaluation: a mask of the pages that pass the filters, and the text they must match, if any.

    `words` holds the words and phrases as they were typed.
    """

    allowed: Mask
    text: TextQuery | None = None
    scores: Floats | None = None
    words: Group = Group(())


class Evaluation:
    """Evaluates queries against one state of a portal."""

    def __init__(self, snapshot: Snapshot, filters: Filters) -> None:
        self._snapshot = snapshot
        self._filters = filters

    def question(self, query: ParsedQuery) -> PreparedQuery:
        """Split a query into filters, as a mask, and words, as a query of the index."""
        found = self._parted(query)
        return replace(found, text=self.text(found.words)) if found.words.parts else found

    def _parted(self, query: ParsedQuery) -> PreparedQuery:
        """Split a query into filters and words without building the query of the index."""
        allowed = self._filters.scope(query)
        parts = query.root.parts
        if any(not is_filter(part) and not is_textual(part) for part in parts):
            # Words and filters are alternatives of each other: look at every match.
            found, scores, most = self._mixed(query.root)
            return PreparedQuery(allowed & found, scores=scores / (most or 1.0))
        for part in parts:
            if is_filter(part):
                allowed = allowed & self._filters.mask(part)
        words = Group(tuple(part for part in parts if not is_filter(part)))
        return PreparedQuery(allowed, words=words)

    def text(self, words: Group) -> TextQuery:
        """Return the index query for a group of words and phrases."""
        return self._snapshot.queries.group(words)

    def best(self, question: PreparedQuery, weights: Mapping[str, float], k: int) -> Ranked:
        """Return the best `k` pages for a question."""
        static = self._snapshot.parts.sum(weights)
        weight = weights.get(TEXT, 0.0)
        if question.text is not None:
            return self._snapshot.matcher.best(question.text, question.allowed, static, weight, k)
        rows = np.flatnonzero(question.allowed)
        text = np.zeros(len(rows)) if question.scores is None else question.scores[rows]
        return ranked(rows, text, static.values, weight, self._snapshot.columns, k)

    def parts(self, query: ParsedQuery, rows: NDArray[np.int64]) -> Floats:
        """Return the ranking parts of some pages for a query: one row per page, one column per part."""
        question = self.question(self._filters.bound(query))
        everything = np.zeros(len(self._snapshot.columns))
        if question.scores is not None:
            everything = question.scores
        elif question.text is not None:
            wanted = np.zeros(len(self._snapshot.columns), np.bool_)
            wanted[rows] = True
            found, text = self._snapshot.matcher.all(question.text, wanted)
            everything[found] = text
        columns = [everything[rows], *(self._snapshot.parts.part(name)[rows] for name in STATIC)]
        return np.stack(columns, axis=1)

    def rows(self, question: PreparedQuery) -> NDArray[np.int64]:
        """Return all pages that match a question, unsorted."""
        if not question.words.parts:
            return np.flatnonzero(question.allowed)
        return np.flatnonzero(self._snapshot.matching(question.words) & question.allowed)

    def counted(self, question: PreparedQuery, ranked: Ranked, *, all_of_them: bool) -> Ranked:
        """Return the ranked pages with the exact number of matches, and with `every` if `all_of_them`.

        A very large total stays an estimate unless all matches are wanted.
        """
        if ranked.every is not None or not (all_of_them or (not ranked.exact and ranked.total <= EXACT)):
            return ranked
        every = self.rows(question)
        return replace(ranked, total=len(every), exact=True, every=every)

    def frequency(self, term: Term) -> int:
        """Return roughly how many pages have a word, without searching."""
        return self._snapshot.queries.frequency(term)

    def total(self, query: ParsedQuery) -> int:
        """Return how many pages a query finds."""
        return len(self.rows(self._parted(self._filters.bound(query))))

    def _mixed(self, part: Term | Group) -> tuple[Mask, Floats, float]:
        """Return the pages that a part of a query matches, their text scores, and the highest possible score."""
        size = len(self._snapshot.columns)
        if is_filter(part):
            return self._filters.mask(part), np.zeros(size), 0.0
        if is_textual(part):
            return self._textual(part)
        if isinstance(part, Term):
            raise TypeError(part)
        inner = [self._mixed(inside) for inside in part.parts]
        masks = [mask for mask, _, _ in inner]
        found = np.logical_or.reduce(masks) if part.any else np.logical_and.reduce(masks)
        scores = np.sum([scores for _, scores, _ in inner], axis=0)
        most = sum(most for _, _, most in inner)
        return (~found, np.zeros(size), 0.0) if part.negated else (found, scores, most)

    def _textual(self, part: Term | Group) -> tuple[Mask, Floats, float]:
        size = len(self._snapshot.columns)
        text = self._snapshot.queries.group(Group((part,)))
        everything = np.ones(size, np.bool_)
        rows, parts = self._snapshot.matcher.all(text, everything)
        found, scores = np.zeros(size, np.bool_), np.zeros(size)
        found[rows], scores[rows] = True, parts * text.most
        return found, scores, text.most
