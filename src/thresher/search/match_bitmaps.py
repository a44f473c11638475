"""Which pages match a query, read from the index as bitmaps.

Reading matches one by one takes half a microsecond each, because every match becomes a Python object. Instead, pages
are numbered, and each has a block and a bit in the index. An aggregation by block adds up the bits of all matches in
it; as all bits of a block differ, the sum is a bitmap.
"""

from functools import cached_property
from typing import Final

import numpy as np
import tantivy
from numpy.typing import NDArray

from thresher.search.columns import Columns, Mask
from thresher.search.page_numbers import WIDTH

Bits = NDArray[np.uint8]
"""One bit per number, eight to a byte."""

MOST_BLOCKS: Final = 60_000
"""Blocks that an aggregation can return; tantivy refuses more than 65,000."""

WORTH: Final = 5.0
"""Matches per block from which bitmaps are faster than reading the matches one by one."""

_BYTES: Final = WIDTH // 8
_AGGREGATION: Final = {
    "blocks": {"terms": {"field": "block", "size": MOST_BLOCKS}, "aggs": {"bits": {"sum": {"field": "bit"}}}}
}


class NumberedRows:
    """The rows of pages by their numbers, for one state of index and columns; `ids` are those of the pages.

    With the rows of an earlier state, only those of new pages are looked up.
    """

    def __init__(self, ids: NDArray[np.int64], columns: Columns, before: "NumberedRows | None" = None) -> None:
        self.ids = ids
        self._columns = columns
        # An earlier state that was never used is no help.
        self._before: NumberedRows | None = before
        if before is not None and not before.is_used:
            self._before = before._before

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """The row of each number, -1 for pages that the columns do not have.

        A page that was removed and came back has two numbers, of which only the last one counts.
        """
        rows = self._looked_up()
        last = np.full(len(self._columns) + 1, -1, np.int64)
        last[rows] = np.arange(len(rows))
        return np.where(last[rows] == np.arange(len(rows)), rows, -1)

    def _looked_up(self) -> NDArray[np.int64]:
        before, self._before = self._before, None
        if before is None or len(before.ids) > len(self.ids):
            return self._columns.rows(self.ids)
        known = before.rows
        if before._columns is not self._columns and len(before._columns):
            moved = self._columns.rows(before._columns["id"])
            known = np.where(known >= 0, moved[known], -1)
        rows = np.concatenate([known, np.full(len(self.ids) - len(known), -1, np.int64)])
        unknown = np.flatnonzero(rows < 0)
        rows[unknown] = self._columns.rows(self.ids[unknown])
        return rows

    @property
    def is_used(self) -> bool:
        """Whether the rows have been looked up."""
        return "rows" in self.__dict__

    def prepare(self) -> None:
        """Look up the rows before they are needed."""
        self.rows  # noqa: B018 - computed on first use

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return -(-len(self.ids) // WIDTH)

    def mask(self, bits: Bits) -> Mask:
        """Return which rows the numbers in a bitmap have."""
        rows = self.rows[np.unpackbits(bits, count=len(self.ids)).view(np.bool_)]
        mask: Mask = np.zeros(len(self._columns), np.bool_)
        mask[rows[rows >= 0]] = True
        return mask

    def pay(self, matches: int) -> bool:
        """Return whether an aggregation is faster than reading up to this many matches one by one."""
        return 0 < WORTH * self.blocks < matches and self.blocks <= MOST_BLOCKS

    def matching(self, searcher: tantivy.Searcher, query: tantivy.Query, most: int) -> Bits | None:
        """Return which pages match a query, at most `most`; None if the numbers do not fit the index."""
        return self._added_up(searcher, query) if self.pay(most) else self._one_by_one(searcher, query, most)

    def _added_up(self, searcher: tantivy.Searcher, query: tantivy.Query) -> Bits | None:
        found = searcher.aggregate(query, _AGGREGATION)["blocks"]["buckets"]
        blocks = np.array([bucket["key"] for bucket in found], np.int64)
        sums = np.array([bucket["bits"]["value"] for bucket in found], np.float64).astype("<i8")
        matches = sum(bucket["doc_count"] for bucket in found)
        if len(blocks) and blocks.max() >= self.blocks:
            return None
        bits = np.zeros((self.blocks, WIDTH), np.bool_)
        bits[blocks] = np.unpackbits(sums.view(np.uint8).reshape(-1, 8)[:, :_BYTES], axis=1, bitorder="little")
        whole = bits.reshape(-1)
        if np.count_nonzero(whole[: len(self.ids)]) != matches:
            return None
        return np.packbits(whole[: len(self.ids)])

    def _one_by_one(self, searcher: tantivy.Searcher, query: tantivy.Query, most: int) -> Bits | None:
        numbers = numbers_of(searcher, query, most)
        bits: Mask = np.zeros(len(self.ids), np.bool_)
        if len(numbers) and numbers.max() >= len(bits):
            return None
        bits[numbers] = True
        return np.packbits(bits)


def numbers_of(searcher: tantivy.Searcher, query: tantivy.Query, most: int) -> NDArray[np.int64]:
    """Return the numbers of the pages that match a query, at most `most`."""
    if not most:
        return np.zeros(0, np.int64)
    hits = searcher.search(query, most, count=False, order_by_field="block").hits
    # The mark of the index is the only document without a block.
    found = [(block, place) for block, place in hits if block is not None]
    bits = searcher.fast_field_values("bit", [place for _, place in found])
    return WIDTH * np.array([block for block, _ in found], np.int64) + np.log2(np.array(bits, np.float64)).astype(
        np.int64
    )
