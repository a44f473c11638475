"""The best k pages of a weighted sum, exactly, without looking at every page that matches.

Two lists are read from their tops: the pages by their text score, as the index gives them, and the pages by all other
parts of the ranking together. A page that is in neither of the parts read scores at most what the ends of both lists
add up to. Once the k-th best page found so far is better than that, no page is missing. Otherwise more of both lists
is read, in the end all of it. This is the threshold algorithm of Fagin, Lotem and Naor.
"""

from typing import Final

import numpy as np
import tantivy
from msgspec import Struct
from numpy.typing import NDArray

from thresher.search.columns import Columns, Mask
from thresher.search.rankings import StaticSum
from thresher.search.text_index import BATCH, by_ids, count_of
from thresher.search.text_query import TextQuery

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]
Query = tantivy.Query
Occur = tantivy.Occur

FEW: Final = 10_000
"""Matches that are all read at once: that takes less than a hundredth of a second."""

FEW_ALLOWED: Final = 4 * BATCH
"""Pages that pass the filters and are looked up one by one."""

_FIRST: Final = 1_000
_LONGEST_STATIC: Final = 16 * BATCH
_GROWTH: Final = 4


class Ranked(Struct, frozen=True):
    """Pages by their rows with text part and score, best first; of equal ones the smaller id.

    `total` counts all matches; it is an estimate unless `exact`. `complete` where the rows are all matches.
    """

    rows: Rows
    text: Floats
    scores: Floats
    total: int
    exact: bool = True
    complete: bool = True


class Matcher:
    """Matches text queries against one state of index and columns."""

    def __init__(self, searcher: tantivy.Searcher, schema: tantivy.Schema, columns: Columns) -> None:
        self._searcher = searcher
        self._schema = schema
        self._columns = columns

    def count(self, text: TextQuery) -> int:
        """Return how many pages match, whatever the filters say."""
        return count_of(self._searcher, text.query)

    def all(self, text: TextQuery, allowed: Mask) -> tuple[Rows, Floats]:
        """Return all pages that match and pass the filters, in no order, with their text parts."""
        count = self.count(text)
        return self._read(text.query, count, text.most, allowed)[:2] if count else (_no_rows(), np.zeros(0))

    def rows(self, text: TextQuery) -> Rows:
        """Return all pages that match, in the order of the ids; quicker than `all`."""
        count = self.count(text)
        if not count:
            return _no_rows()
        order = tantivy.Order.Asc
        hits = self._searcher.search(text.query, count, count=False, order_by_field="id", order=order).hits
        return _known(self._columns.rows([id_ for id_, _ in hits if id_ is not None]))

    def best(self, text: TextQuery, allowed: Mask, static: StaticSum, weight: float, k: int) -> Ranked:
        """Return the best `k` pages that match and pass the filters by `weight` · text part + static part."""
        count = self.count(text)
        if count <= FEW or k >= count or weight < 0:
            rows, parts, _ = self._read(text.query, count, text.most, allowed)
        elif int(allowed.sum()) <= FEW_ALLOWED:
            rows, parts = self._look_up(text, np.flatnonzero(allowed))
        else:
            return self._threshold(text, allowed, static, weight, k, count)
        return ranked(rows, parts, static.values, weight, self._columns, k)

    def _threshold(
        self, text: TextQuery, allowed: Mask, static: StaticSum, weight: float, k: int, count: int
    ) -> Ranked:
        long, deep = max(_FIRST, _GROWTH * k), max(BATCH, 2 * k)
        values = static.values
        leaders = _Leaders(static, allowed)
        seen_rows, seen_parts = _no_rows(), np.zeros(0)
        while long < count:
            rows, parts, end = self._read(text.query, long, text.most, allowed)
            share = len(rows) / long
            found = self._look_up(text, leaders.down_to(deep))
            seen_rows, seen_parts = np.concatenate([seen_rows, found[0]]), np.concatenate([seen_parts, found[1]])
            rows, first = np.unique(np.concatenate([rows, seen_rows]), return_index=True)
            parts = np.concatenate([parts, seen_parts])[first]
            best = ranked(rows, parts, values, weight, self._columns, k)
            if len(best.rows) >= k and best.scores[k - 1] > weight * end + leaders.below:
                everything = int(allowed.sum()) == len(self._columns)
                total = count if everything else round(count * share)
                return Ranked(best.rows, best.text, best.scores, total, everything, False)
            long, deep = long * _GROWTH, deep * _GROWTH
        rows, parts, _ = self._read(text.query, count, text.most, allowed)
        return ranked(rows, parts, values, weight, self._columns, k)

    def _read(self, query: tantivy.Query, number: int, most: float, allowed: Mask) -> tuple[Rows, Floats, float]:
        """Return the best matches by text that pass the filters, their text parts, and the part of the last one."""
        hits = self._searcher.search(query, max(1, number), count=False).hits
        ids = self._searcher.fast_field_values("id", [place for _, place in hits])
        parts = np.minimum(np.array([score for score, _ in hits], np.float64) / (most or 1.0), 1.0)
        # The one document without an id is the mark of the index.
        rows = self._columns.rows(np.array([0 if id_ is None else id_ for id_ in ids], np.int64))
        passing = (rows >= 0) & allowed[rows] if len(allowed) else np.zeros(len(rows), np.bool_)
        return rows[passing], parts[passing], float(parts[-1]) if hits and len(hits) >= number else 0.0

    def _look_up(self, text: TextQuery, rows: Rows) -> tuple[Rows, Floats]:
        """Return those of some pages that match, with their text parts."""
        found: list[tuple[Rows, Floats]] = []
        everything = np.ones(len(self._columns), np.bool_)
        ids = self._columns["id"][rows].tolist()
        for start in range(0, len(ids), BATCH):
            block = ids[start : start + BATCH]
            among = Query.const_score_query(by_ids(self._schema, block), 0.0)
            query = Query.boolean_query([(Occur.Must, text.query), (Occur.Must, among)])
            found.append(self._read(query, len(block), text.most, everything)[:2])
        if not found:
            return _no_rows(), np.zeros(0)
        return np.concatenate([rows for rows, _ in found]), np.concatenate([parts for _, parts in found])


def ranked(rows: Rows, text: Floats, static: Floats, weight: float, columns: Columns, k: int) -> Ranked:
    """Return the best `k` of pages that are all the matches, with their number."""
    scores = weight * text + static[rows]
    if len(rows) > k:
        # Only those that can be among the best are sorted.
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
        near = scores >= least
        some, parts, points = rows[near], text[near], scores[near]
    else:
        some, parts, points = rows, text, scores
    order = np.lexsort((columns["id"][some], -points))[:k]
    return Ranked(some[order], parts[order], points[order], len(rows))


class _Leaders:
    """The pages with the highest static parts that pass the filters, read from the top.

    No page that was not given yet has a static part above `below`.
    """

    def __init__(self, static: StaticSum, allowed: Mask) -> None:
        self._values = static.values
        leaders = static.leaders
        self._rows = leaders[allowed[leaders]][:_LONGEST_STATIC]
        self._given = 0
        whole = len(leaders) == len(static.values) and len(self._rows) < _LONGEST_STATIC
        # Behind the end of a list that is not whole there may be pages as good as its last.
        cut = self._rows[-1] if len(self._rows) == _LONGEST_STATIC else leaders[-1]
        self._rest = -np.inf if whole else float(self._values[cut])
        self.below = float(self._values[leaders[0]])

    def down_to(self, deep: int) -> Rows:
        """Return the pages up to a place that were not given before."""
        rows = self._rows[self._given : deep]
        self._given = max(self._given, min(deep, len(self._rows)))
        if self._given == len(self._rows):
            self.below = self._rest
        elif self._given:
            self.below = float(self._values[self._rows[self._given - 1]])
        return rows


def _no_rows() -> Rows:
    return np.zeros(0, np.int64)


def _known(rows: Rows) -> Rows:
    return rows[rows >= 0]
