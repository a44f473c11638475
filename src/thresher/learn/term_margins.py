"""Applies a fitted model to one bag of words: one look-up per term, no matrix.

Both models give the same margins as their arrays would for the rows of `learn/tfidf.py`.
"""

import math
from collections.abc import Mapping, Sequence
from heapq import nlargest
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from thresher.learn.tfidf import LOG_COUNT, log_count

Floats = NDArray[np.float64]
Contributions = list[tuple[str, float]]


def _strength(found: tuple[float, str]) -> float:
    return abs(found[0])


class TermMargins(Protocol):
    """Computes how far a bag of terms is on the side of the topic."""

    def margin(self, bag: Mapping[str, int]) -> float:
        """Return the margin; a bag without known terms has that of a row of zeros."""

    def strongest(self, bag: Mapping[str, int], most: int) -> Contributions:
        """Return the known terms that move the margin most, in either direction, with their contributions."""


class LinearMargins:
    """Margins with one weight per term.

    >>> margins = LinearMargins(["boat", "car"], np.array([1.0, 1.0]), np.array([2.0, -2.0]), -0.5)
    >>> margins.margin({"boat": 3, "ocean": 1}), margins.margin({})
    (1.5, -0.5)
    """

    def __init__(self, terms: Sequence[str], idf: Floats, weights: Floats, bias: float) -> None:
        # The squared idf for the length of the row, and the product of idf and weight for the margin.
        pairs = zip((idf * idf).tolist(), (idf * weights).tolist(), strict=True)
        self._known = dict(zip(terms, pairs, strict=True))
        self._bias = bias

    def margin(self, bag: Mapping[str, int]) -> float:
        """Return the margin; a bag without known terms has the bias."""
        known = self._known.get
        total = square = 0.0
        for term, count in bag.items():
            found = known(term)
            if found is None:
                continue
            if count == 1:
                square += found[0]
                total += found[1]
            else:
                weight = LOG_COUNT[count] if count < 256 else log_count(count)
                square += weight * weight * found[0]
                total += weight * found[1]
        return total / math.sqrt(square) + self._bias if square else self._bias

    def strongest(self, bag: Mapping[str, int], most: int) -> Contributions:
        """Return the known terms that move the margin most, in either direction, with their contributions."""
        known = self._known.get
        square = 0.0
        found: list[tuple[float, str]] = []
        for term, count in bag.items():
            pair = known(term)
            if pair is not None:
                weight = LOG_COUNT[count] if count < 256 else log_count(count)
                square += weight * weight * pair[0]
                found.append((weight * pair[1], term))
        length = math.sqrt(square) or 1.0
        return [(term, weight / length) for weight, term in nlargest(most, found, key=_strength)]


class NetworkMargins:
    """Margins of a network with one hidden layer of tanh units."""

    def __init__(
        self,
        terms: Sequence[str],
        idf: Floats,
        inner: Floats,
        inner_bias: Floats,
        outer: Floats,
        outer_bias: float,
    ) -> None:
        self._known = dict(zip(terms, zip(range(len(terms)), idf.tolist(), strict=True), strict=True))
        self._inner = inner
        self._inner_bias = inner_bias
        self._outer = outer
        self._outer_bias = outer_bias

    def margin(self, bag: Mapping[str, int]) -> float:
        """Return the output before the sigmoid."""
        _, columns, row = self._row(bag)
        return float(np.tanh(row @ self._inner[columns] + self._inner_bias) @ self._outer + self._outer_bias)

    def strongest(self, bag: Mapping[str, int], most: int) -> Contributions:
        """Return the known terms that move the margin most, to first order at this bag."""
        terms, columns, row = self._row(bag)
        cells = np.tanh(row @ self._inner[columns] + self._inner_bias)
        slopes = self._inner[columns] @ ((1.0 - cells * cells) * self._outer)
        found = zip((slopes * row).tolist(), terms, strict=True)
        return [(term, weight) for weight, term in nlargest(most, found, key=_strength)]

    def _row(self, bag: Mapping[str, int]) -> tuple[list[str], list[int], Floats]:
        terms = [term for term in bag if term in self._known]
        columns = [self._known[term][0] for term in terms]
        row = np.array([log_count(bag[term]) * self._known[term][1] for term in terms])
        return terms, columns, row / (np.linalg.norm(row) or 1.0)
