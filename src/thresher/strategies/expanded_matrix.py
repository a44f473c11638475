"""The expanded matrix of terms and links: a column for each page, a row for each term and for each fetched page.

A page's column has the normalised weights of its words and an entry in the row of every fetched page that links to it.
A waiting page is known only by its linking pages and its anchor words. With the diagonal, a fetched page also has an
entry in its own row, which connects its words with the pages it links to.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np
import xxhash
from numpy.typing import NDArray

from thresher.learn.tfidf import TfIdf

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix

LinkWeights = Literal["plain", "scaled"]

Entries = tuple[NDArray[np.int64], NDArray[np.float64]]
"""Rows and values of a column."""


class ExpandedMatrix:
    """The fetched pages, in the order in which they were added; the rows of terms come first.

    With `links` plain, every link weighs 1 and all columns have length one, as in the paper. A page with many links
    then makes a long row, which soon becomes a meaningless dimension of its own. With scaled, one of n links of a page
    weighs 1/√n and short columns stay short, so no row is longer than that of one text.
    """

    def __init__(self, weighing: TfIdf, links: LinkWeights = "plain", diagonal: bool = True) -> None:
        self._weighing = weighing
        self._links = links
        self._diagonal = diagonal
        self.terms = len(weighing.terms_)
        self.urls: list[str] = []
        self._text: list[Entries] = []
        self._targets: list[list[int]] = []
        self._weights: list[float] = []
        self._lengths: list[float] = []
        self._places: dict[int, int] = {}
        self._linking: dict[int, list[int]] = {}

    def __len__(self) -> int:
        """Return the number of fetched pages."""
        return len(self.urls)

    def __contains__(self, url: str) -> bool:
        """Return whether a page is in the matrix."""
        return _number(url) in self._places

    def add(self, url: str, terms: Mapping[str, int], targets: Iterable[str]) -> None:
        """Add a fetched page with its stems and link targets; its columns are built later."""
        place, number = len(self.urls), _number(url)
        linked = list(dict.fromkeys(found for target in targets if (found := _number(target)) != number))
        self.urls.append(url)
        self._places[number] = place
        self._text.append(self.words(terms))
        self._targets.append(linked)
        self._weights.append(1.0 / max(1, len(linked)) ** 0.5 if self._links == "scaled" else 1.0)
        for target in linked:
            self._linking.setdefault(target, []).append(place)

    def words(self, terms: Mapping[str, int]) -> Entries:
        """Return the matrix entries for some stems."""
        row = self._weighing.transform([terms])
        return row.indices.astype(np.int64), row.data

    def links_to(self, url: str) -> int:
        """Return how many of the pages link to a URL."""
        return len(self._linking.get(_number(url), ()))

    def pages(self, first: int) -> "csc_matrix":
        """Return the columns of the pages from number `first` on, with all links known by now."""
        columns, lengths = [], []
        for place in range(first, len(self)):
            rows, values = self._column(self._text[place], _number(self.urls[place]), place)
            length = self._length(values)
            lengths.append(length)
            columns.append((rows, values / length))
        self._lengths[first:] = lengths
        return _columns(columns, self.terms + len(self))

    def new_rows(self, first: int, before: int) -> "csc_matrix":
        """Return the rows of the pages from `first` on, over `before` columns of texts and those of earlier pages.

        A new page may link to a known one, whose column keeps its length.
        """
        from scipy.sparse import csc_matrix

        rows, columns, values = [], [], []
        for place in range(first, len(self)):
            for target in self._targets[place]:
                old = self._places.get(target)
                if old is not None and old < first:
                    rows.append(place - first)
                    columns.append(before + old)
                    values.append(self._weights[place] / self._lengths[old])
        return csc_matrix((values, (rows, columns)), (len(self) - first, before + first))

    def waiting(self, urls: Sequence[str], anchors: Sequence[Entries | None]) -> "csc_matrix":
        """Return the columns of waiting pages, with the words of their anchors if given."""
        columns = []
        for url, anchor in zip(urls, anchors, strict=True):
            rows, values = self._column(anchor, _number(url), None)
            columns.append((rows, values / self._length(values)))
        return _columns(columns, self.terms + len(self))

    def _length(self, values: NDArray[np.float64]) -> float:
        """Return what a column is divided by."""
        length = float(np.linalg.norm(values)) or 1.0
        return max(length, 1.0) if self._links == "scaled" else length

    def _column(self, text: Entries | None, number: int, place: int | None) -> Entries:
        linking = self._linking.get(number, [])
        rows = [self.terms + page for page in linking]
        values = [self._weights[page] for page in linking]
        if place is not None and self._diagonal:
            rows.append(self.terms + place)
            values.append(1.0)
        if text is None:
            return np.array(rows, np.int64), np.array(values)
        return np.concatenate([text[0], np.array(rows, np.int64)]), np.concatenate([text[1], values])


def _columns(columns: Sequence[Entries], rows: int) -> "csc_matrix":
    from scipy.sparse import csc_matrix

    starts = np.cumsum([0, *(len(column[0]) for column in columns)])
    if not columns:
        return csc_matrix((rows, 0))
    indices, values = (np.concatenate([column[side] for column in columns]) for side in (0, 1))
    return csc_matrix((values, indices, starts), (rows, len(columns)))


def _number(url: str) -> int:
    return xxhash.xxh3_64_intdigest(url.encode())
