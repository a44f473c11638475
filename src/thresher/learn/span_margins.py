"""Applies linear models to many spans of one text with prefix sums: each span costs one subtraction.

A linear model gives a bag of terms the margin Σ a·c / √(Σ q·c²) + bias, where a is the product of weight and idf and q
the squared idf. With the prefix sums of a and q over a text in reading order, the margin of any span is a difference. A
term that is repeated in the span counts each time, whereas a bag takes the logarithm of its count: in spans of a few
dozen words this makes almost no difference.
"""

from collections.abc import Sequence
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

STRONGEST = 30.0
"""Log-odds are clipped to this."""


AT_ONCE = 1 << 22
"""Maximum number of prefix sums in memory."""


class SpanMargins:
    """One or more linear models over the same terms, each with Platt's sigmoid.

    `weights` has a row per term and a column per model; `biases`, `slopes` and `offsets` have one number per model. The
    log-odds of a margin m are slope · m + offset.

    >>> one, none = np.ones(1), np.zeros(1)
    >>> spans = SpanMargins(["boat", "car"], np.ones(2), np.array([[2.0], [-2.0]]), none, one, none)
    >>> spans.log_odds(["a", "boat", "car", "sea"], np.array([[0, 2], [2, 4], [3, 4]])).tolist()
    [[2.0], [-2.0], [0.0]]
    """

    def __init__(
        self, terms: Sequence[str], idf: Floats, weights: Floats, biases: Floats, slopes: Floats, offsets: Floats
    ) -> None:
        self._place = {term: place for place, term in enumerate(terms)}
        # Column 0 holds the squares; the last row is for terms that no model knows.
        table = np.zeros((len(terms) + 1, 1 + weights.shape[1]))
        table[:-1, 0] = idf * idf
        table[:-1, 1:] = idf[:, None] * weights
        self._table = table
        self._slopes = slopes
        self._offsets = slopes * biases + offsets

    def log_odds(self, stems: Sequence[str], spans: NDArray[np.int64]) -> Floats:
        """Return a row for each span (start, end) of the stems, with the log-odds of each model, within ±30."""
        places = np.fromiter(map(self._place.get, stems, repeat(len(self._place))), np.int64, len(stems))
        inside = np.empty((len(spans), self._table.shape[1]))
        # A few models at a time for a long text: the prefix sums of many models would not fit in memory.
        step = max(1, AT_ONCE // (len(stems) + 1))
        for first in range(0, inside.shape[1], step):
            some = slice(first, first + step)
            table = self._table[:, some]
            sums = np.zeros((len(stems) + 1, table.shape[1]))
            np.cumsum(table[places], axis=0, out=sums[1:])
            inside[:, some] = sums[spans[:, 1]] - sums[spans[:, 0]]
        length = np.sqrt(np.maximum(inside[:, :1], 0.0))
        # Differences of prefix sums leave rounding errors if a span has no known term.
        margins = np.divide(inside[:, 1:], length, out=np.zeros_like(inside[:, 1:]), where=length > 1e-6)
        found: Floats = np.clip(margins * self._slopes + self._offsets, -STRONGEST, STRONGEST)
        return found
