"""An online model of the words around links: logistic regression over hashed tokens with AdaGrad.

Its target is the judged probability of the page that a link led to; it learns what the page classifier, trained on a
handful of pages, cannot know: names and words that occur in links to the topic. It only adds to the other log-odds, and
starts at 0.
"""

import math
from array import array
from typing import Any, Final

import numpy as np

from thresher.strategies.link_evidence import TOKENS
from thresher.strategies.packing import packed, unpacked

TYPICAL: Final = 3.0
"""The length of a typical link's row of tokens, by which all rows are divided."""

_LEAST: Final = 1.0


class TokenModel:
    """Weights of tokens; `rate` is the step size, `drift` that of the general offset, which is not part of scores.

    >>> model = TokenModel()
    >>> for _ in range(20):
    ...     model.learn([1, 2], 1, 0.0, 1.0)
    ...     model.learn([2, 3], 1, 0.0, 0.0)
    >>> model.score([1], 1) > 0 > model.score([3], 1)
    True
    """

    def __init__(self, rate: float = 0.5, drift: float = 0.05) -> None:
        self.rate = rate
        self.drift = drift
        self._weights = array("d", bytes(8 * TOKENS))
        self._squares = array("d", [_LEAST]) * TOKENS
        self._offset = 0.0

    def score(self, tokens: list[int], links: int) -> float:
        """Return what the tokens of this many links to one URL add to its log-odds."""
        if not tokens:
            return 0.0
        weights = self._weights
        return sum([weights[token] for token in tokens]) / (TYPICAL * links)

    def learn(self, tokens: list[int], links: int, known: float, target: float, weight: float = 1.0) -> None:
        """Take one step: the URL had `known` log-odds without the tokens, and its page was judged `target`."""
        if not self.rate:
            return
        weights, squares = self._weights, self._squares
        guess = _sigmoid(known + self._offset + self.score(tokens, links))
        error = weight * (guess - target)
        self._offset -= self.drift * error
        counts: dict[int, float] = {}
        for token in tokens:
            counts[token] = counts.get(token, 0.0) + 1.0 / (TYPICAL * links)
        for token, value in counts.items():
            slope = error * value
            squares[token] += slope * slope
            weights[token] -= self.rate * slope / math.sqrt(squares[token])

    def state(self) -> dict[str, Any]:
        """Return the weights in use as JSON data."""
        weights, squares = np.frombuffer(self._weights), np.frombuffer(self._squares)
        used = np.flatnonzero((weights != 0.0) | (squares != _LEAST))
        return {"table": packed(used, weights[used], squares[used]), "offset": self._offset}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore a saved state."""
        self._weights = array("d", bytes(8 * TOKENS))
        self._squares = array("d", [_LEAST]) * TOKENS
        for token, weight, square in zip(*(column.tolist() for column in unpacked(state["table"], 3)), strict=True):
            self._weights[int(token)], self._squares[int(token)] = weight, square
        self._offset = float(state["offset"])


def _sigmoid(value: float) -> float:
    bounded = min(max(value, -30.0), 30.0)
    return 1.0 / (1.0 + math.exp(-bounded))
