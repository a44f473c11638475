"""Finds the exact top k pages by a weighted sum without looking at every match.

Matches are read in descending order of text score. A page further down scores at most the text part at which reading
stopped plus its own static part, the sum of all other ranking parts. So only pages whose static part makes up the
difference can still be among the best k, and these are looked up one by one. If there are too many of them, more
matches are read, if necessary all of them. The bound is that of the threshold algorithm by Fagin, Lotem and Naor.
"""

from collections.abc import Sequence
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

FIRST: Final = 1_000
"""Matches read at once, which takes about a millisecond."""

_FEW: Final = 100
"""Minimum number of matches read at once if only the text counts, as no page further down can be better."""

FEW_ALLOWED: Final = 4 * BATCH
"""Maximum number of pages looked up one by one."""

_GROWTH: Final = 4
_LOOKING_UP: Final = 4
"""How many matches can be read in the time of one lookup."""

_ROUNDING: Final = 1e-9
"""Tolerance for rounding errors in sums."""


class Ranked(Struct, frozen=True):
    """Pages as rows with text part and score, best first; ties are sorted by id.

    `total` counts all matches; it is an estimate unless `exact`. `every` holds the rows of all matches unsorted, or
    None if not all were read.
    """

    rows: Rows
    text: Floats
    scores: Floats
    total: int
    exact: bool = True
    every: Rows | None = None


class Matcher:
    """Matches text queries against one state of index and columns."""

    def __init__(self, searcher: tantivy.Searcher, schema: tantivy.Schema, columns: Columns) -> None:
        self._searcher = searcher
        self._schema = schema
        self._columns = columns

    def count(self, text: TextQuery) -> int:
        """Return how many pages match, ignoring filters."""
        return count_of(self._searcher, text.query)

    def all(self, text: TextQuery, allowed: Mask) -> tuple[Rows, Floats]:
        """Return all pages that match and pass the filters, unsorted, with their text parts."""
        count = self.count(text)
        return self._read(text, count, allowed) if count else (_no_rows(), np.zeros(0))

    def mask(self, text: TextQuery) -> Mask:
        """Return which pages match, read one by one."""
        found: Mask = np.zeros(len(self._columns), np.bool_)
        found[self._rows(text.query, text.pages)] = True
        return found

    def _rows(self, query: tantivy.Query, most: int) -> Rows:
        """Return the pages that a query finds, sorted by id; there are at most `most`."""
        if not most:
            return _no_rows()
        order = tantivy.Order.Asc
        hits = self._searcher.search(query, most, count=False, order_by_field="id", order=order).hits
        return _known(self._columns.rows([id_ or 0 for id_, _ in hits]))

    def best(self, text: TextQuery, allowed: Mask, static: StaticSum, weight: float, k: int) -> Ranked:
        """Return the best `k` pages that match and pass the filters, by `weight` · text part + static part."""
        first = max(FIRST if static.differs else _FEW, min(_GROWTH * k, len(self._columns)))
        # One pass counts the matches and finds the first ones.
        result = self._searcher.search(text.query, first)
        count = int(result.count)  # type: ignore[attr-defined]
        read = self._resolved(result.hits, text.most, allowed)
        passing = np.count_nonzero(allowed)
        if count <= first:
            rows, parts = read.rows, read.parts
        elif weight < 0:
            rows, parts = self._read(text, count, allowed)
        elif passing <= FEW_ALLOWED and passing * _LOOKING_UP < count:
            rows, parts = self._look_up(text, np.flatnonzero(allowed))
        else:
            return self._threshold(text, allowed, static, weight, k, count, read)
        return ranked(rows, parts, static.values, weight, self._columns, k)

    def _threshold(
        self, text: TextQuery, allowed: Mask, static: StaticSum, weight: float, k: int, count: int, read: "_Read"
    ) -> Ranked:
        long = read.number
        rows, parts = read.rows, read.parts
        while long < count:
            best = ranked(rows, parts, static.values, weight, self._columns, k)
            if len(best.rows) >= k:
                others = static.at_least(float(best.scores[k - 1]) - weight * read.end - _ROUNDING)
                rivals = None if others is None else _without(others[allowed[others]], rows, len(self._columns))
                if rivals is not None and len(rivals) * _LOOKING_UP <= _GROWTH * long:
                    found = self._look_up(text, rivals)
                    total = round(count * len(rows) / long)
                    rows, parts = np.concatenate([rows, found[0]]), np.concatenate([parts, found[1]])
                    best = ranked(rows, parts, static.values, weight, self._columns, k)
                    exact = np.count_nonzero(allowed) == len(self._columns)
                    return Ranked(best.rows, best.text, best.scores, count if exact else total, exact)
            more = min(long * (_GROWTH - 1), count - long)
            hits = self._searcher.search(text.query, more, count=False, offset=long).hits
            read = self._resolved(hits, text.most, allowed)
            rows, parts = np.concatenate([rows, read.rows]), np.concatenate([parts, read.parts])
            long += more
        return ranked(rows, parts, static.values, weight, self._columns, k)

    def _read(self, text: TextQuery, number: int, allowed: Mask) -> tuple[Rows, Floats]:
        """Return those of the best `number` matches by text that pass the filters, with their text parts."""
        hits = self._searcher.search(text.query, max(1, number), count=False).hits
        read = self._resolved(hits, text.most, allowed)
        return read.rows, read.parts

    def _resolved(self, hits: Sequence[tuple[float, tantivy.DocAddress]], most: float, allowed: Mask) -> "_Read":
        """Return the pages of index hits that pass the filters."""
        if not hits:
            return _Read(_no_rows(), np.zeros(0), 0, 0.0)
        scores, places = zip(*hits, strict=True)
        # The mark of the index is the only document without an id.
        ids = [id_ or 0 for id_ in self._searcher.fast_field_values("id", list(places))]
        parts = np.minimum(np.array(scores, np.float64) / (most or 1.0), 1.0)
        rows = self._columns.rows(np.array(ids, np.int64))
        passing = (rows >= 0) & allowed[rows] if len(allowed) else np.zeros(len(rows), np.bool_)
        return _Read(rows[passing], parts[passing], len(hits), float(parts[-1]))

    def _look_up(self, text: TextQuery, rows: Rows) -> tuple[Rows, Floats]:
        """Return the pages among `rows` that match, with their text parts."""
        found: list[tuple[Rows, Floats]] = []
        everything = np.ones(len(self._columns), np.bool_)
        ids = self._columns["id"][rows].tolist()
        for start in range(0, len(ids), BATCH):
            block = ids[start : start + BATCH]
            among = Query.const_score_query(by_ids(self._schema, block), 0.0)
            query = Query.boolean_query([(Occur.Must, text.query), (Occur.Must, among)])
            found.append(self._read(TextQuery(query, text.most, len(block)), len(block), everything))
        if not found:
            return _no_rows(), np.zeros(0)
        return np.concatenate([rows for rows, _ in found]), np.concatenate([parts for _, parts in found])


def ranked(rows: Rows, text: Floats, static: Floats, weight: float, columns: Columns, k: int) -> Ranked:
    """Return the best `k` of all matching pages, with the total."""
    scores = weight * text + static[rows]
    if len(rows) > k:
        # Sort only the pages that can be among the best.
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
        near = scores >= least
        some, parts, points = rows[near], text[near], scores[near]
    else:
        some, parts, points = rows, text, scores
    order = np.lexsort((columns["id"][some], -points))[:k]
    return Ranked(some[order], parts[order], points[order], len(rows), every=rows)


class _Read(Struct, frozen=True):
    """Matches that were read: those that pass the filters, the number read, and the text part of the last one."""

    rows: Rows
    parts: Floats
    number: int
    end: float


def _without(rows: Rows, others: Rows, size: int) -> Rows:
    """Return the rows that are not in `others`; all rows are below `size`."""
    known = np.zeros(size, np.bool_)
    known[others] = True
    return rows[~known[rows]]


def _no_rows() -> Rows:
    return np.zeros(0, np.int64)


def _known(rows: Rows) -> Rows:
    return rows[rows >= 0]
