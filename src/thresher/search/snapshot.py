"""A snapshot of a portal for searching: the index, the columns, and data derived from them."""

from collections import Counter
from functools import lru_cache
from typing import Final

import numpy as np
import tantivy
from numpy.typing import NDArray

from thresher.search.columns import Columns, Mask
from thresher.search.facets import FacetCounts
from thresher.search.match_bitmaps import NumberedRows
from thresher.search.parsed import Group
from thresher.search.rankings import StaticParts
from thresher.search.text_query import USUAL_FIELDS, FieldWeights, TextQueries
from thresher.search.top_pages import Matcher

_REMEMBERED: Final = 64 << 20
"""Bytes of cached matches, one bit per page.

They serve further pages of results, other filters or rankings of the same query, and popular words.
"""

MOST_LANGUAGES: Final = 8
"""Maximum number of languages used for stemming query words: the most frequent in the portal."""


class Snapshot:
    """An immutable state of a portal."""

    def __init__(
        self,
        searcher: tantivy.Searcher,
        schema: tantivy.Schema,
        columns: Columns,
        numbered: NumberedRows,
        fields: FieldWeights = USUAL_FIELDS,
    ) -> None:
        self.searcher = searcher
        self.schema = schema
        self.columns = columns
        self.parts = StaticParts(columns)
        self.facets = FacetCounts(columns)
        self.numbered = numbered
        self.matcher = Matcher(searcher, schema, columns, numbered)
        self.queries = TextQueries(searcher, schema, _languages(columns), fields)
        self._matches = lru_cache(max(16, 8 * _REMEMBERED // max(1, len(columns))))(self._bits)

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
        return np.unpackbits(self._matches(words), count=len(self.columns)).view(np.bool_)

    def _bits(self, words: Group) -> NDArray[np.uint8]:
        return np.packbits(self.matcher.mask(self.queries.group(words, scored=False)))


def _languages(columns: Columns) -> list[str]:
    numbers = columns["language"][columns["searchable"]]
    counts = np.bincount(numbers[numbers >= 0], minlength=len(columns.names["language"]))
    named = Counter(dict(zip(columns.names["language"], counts.tolist(), strict=True)))
    return [code for code, count in named.most_common(MOST_LANGUAGES) if count]
