"""A snapshot of a portal for searching: the index, the columns, and data derived from them."""

from collections import Counter
from typing import Final

import numpy as np
import tantivy

from thresher.search.columns import Columns, Mask
from thresher.search.facets import FacetCounts
from thresher.search.match_bitmaps import NumberedRows
from thresher.search.parsed import Group
from thresher.search.rankings import StaticParts
from thresher.search.text_query import USUAL_FIELDS, FieldWeights, TextQueries
from thresher.search.top_pages import Matcher
from thresher.search.word_matches import MatchCache, WordMatches

MOST_LANGUAGES: Final = 8
"""Maximum number of languages used for stemming query words: the most frequent in the portal."""


class Snapshot:
    """An immutable state of a portal.

    An earlier state of the same index, `before`, hands on the matches that it has found.
    """

    def __init__(
        self,
        searcher: tantivy.Searcher,
        schema: tantivy.Schema,
        columns: Columns,
        numbered: NumberedRows,
        fields: FieldWeights = USUAL_FIELDS,
        before: "Snapshot | None" = None,
    ) -> None:
        self.searcher = searcher
        self.schema = schema
        self.columns = columns
        self.parts = StaticParts(columns)
        self.facets = FacetCounts(columns)
        self.numbered = numbered
        self.matcher = Matcher(searcher, schema, columns)
        self.languages = _languages(columns)
        self.queries = TextQueries(searcher, schema, self.languages, fields)
        # Words are found by their stems, so other languages find other pages.
        self._cache: MatchCache = before._cache if before and before.languages == self.languages else MatchCache()
        self.matches = WordMatches(searcher, schema, self.queries, numbered, self._cache)

    def prepare(self, before: "Snapshot") -> None:
        """Compute what an earlier state computed for its searches, so that no search has to wait for it."""
        if self.columns is before.columns:
            self.parts, self.facets = before.parts, before.facets
        self.parts.prepare(before.parts)
        self.facets.prepare(before.facets)
        self.columns.prepare(before.columns)
        if before.numbered.is_used:
            self.numbered.prepare()

    def matching(self, words: Group) -> Mask:
        """Return which pages match some words and phrases, ignoring filters."""
        bits = self.matches.of(words)
        if bits is None:
            return self.matcher.mask(self.queries.group(words, scored=False))
        return self.numbered.mask(bits)


def _languages(columns: Columns) -> list[str]:
    numbers = columns["language"][columns["searchable"]]
    counts = np.bincount(numbers[numbers >= 0], minlength=len(columns.names["language"]))
    named = Counter(dict(zip(columns.names["language"], counts.tolist(), strict=True)))
    return [code for code, count in named.most_common(MOST_LANGUAGES) if count]
