"""The links between the pages of a web, by page number."""

from collections.abc import Iterable, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Mask = NDArray[np.bool_]


class SparseGraph(Struct, frozen=True, eq=False):
    """Links in rows: page `p` links to `targets[starts[p]:starts[p + 1]]`, each page once and never itself.

    >>> graph = SparseGraph.of([[1, 2], [2], []])
    >>> graph.count, graph.after(0).tolist(), graph.reachable([1]).tolist()
    (3, [1, 2], [False, True, True])
    """

    starts: Numbers
    targets: Numbers

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]]) -> "SparseGraph":
        """Return the graph with the given links of each page."""
        starts = np.zeros(len(rows) + 1, np.int64)
        np.cumsum([len(row) for row in rows], out=starts[1:])
        targets = np.fromiter((page for row in rows for page in row), np.int64, int(starts[-1]))
        return cls(starts, targets)

    @property
    def count(self) -> int:
        """The number of pages."""
        return len(self.starts) - 1

    def after(self, page: int) -> Numbers:
        """Return the pages a page links to, in order."""
        return self.targets[self.starts[page] : self.starts[page + 1]]

    def after_all(self, pages: Numbers) -> Numbers:
        """Return the pages that some pages link to, sorted and without duplicates."""
        lengths = self.starts[pages + 1] - self.starts[pages]
        shift = np.repeat(self.starts[pages] - (np.cumsum(lengths) - lengths), lengths)
        return np.unique(self.targets[shift + np.arange(int(lengths.sum()))])

    def reachable(self, pages: Iterable[int], through: Mask | None = None) -> Mask:
        """Return which pages can be reached from some pages, including these, on paths of pages that are `through`."""
        reached = np.zeros(self.count, bool)
        level = np.array(sorted(set(pages)), np.int64)
        while len(level):
            if through is not None:
                level = level[through[level]]
            reached[level] = True
            found = self.after_all(level)
            level = found[~reached[found]]
        return reached

    def links_into(self, pages: Mask) -> Mask:
        """Return which pages link to at least one of some pages."""
        hits = np.concatenate([[0], np.cumsum(pages[self.targets])])
        linking: Mask = hits[self.starts[1:]] > hits[self.starts[:-1]]
        return linking
