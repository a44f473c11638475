"""Checks whether the learned score predicts judgements better than the fixed scorer.

A sigmoid per score, learned during the crawl, turns it into a probability, which is charged the cross-entropy with the
judgement of each fetched page; old charges fade. While the learned score costs clearly more, the fixed one replaces it.
Charging continues, so the learned score returns once it pays off again.
"""

import math
from typing import Any, Final

FADING: Final = 0.99
"""Decay of charges per page: each page counts for about a hundred pages."""

_STEP: Final = 0.3


class _Sigmoid:
    """Turns log-odds of an unknown scale into probabilities, by AdaGrad steps on slope and offset."""

    def __init__(self) -> None:
        self.numbers = [1.0, 0.0, 1.0, 1.0]

    def charge(self, value: float, target: float) -> float:
        """Return the cross-entropy of a value, computed before learning from it."""
        slope, offset, *squares = self.numbers
        logit = min(max(slope * value + offset, -30.0), 30.0)
        error = 1.0 / (1.0 + math.exp(-logit)) - target
        steps = (error * value, error)
        squares = [square + step * step for square, step in zip(squares, steps, strict=True)]
        slope -= _STEP * steps[0] / math.sqrt(squares[0])
        offset -= _STEP * steps[1] / math.sqrt(squares[1])
        # A score that points the wrong way must not be inverted here, because it has to be detected.
        self.numbers = [max(slope, 0.0), offset, *squares]
        return math.log1p(math.exp(logit)) - target * logit


class CalibrationWatch:
    """Compares a learned score with a fixed one; `tolerance` is the excess charge, in nats, that is tolerated.

    `pays` says whether to use the learned score; it is used for the first `patience` pages, because a cold start is not
    a failure.

    >>> watch = CalibrationWatch(patience=10)
    >>> for number in range(60):
    ...     watch.observe(learned=-3.0 if number % 2 else 3.0, fixed=3.0 if number % 2 else -3.0, target=number % 2)
    >>> watch.pays
    False
    """

    def __init__(self, tolerance: float = 0.03, patience: int = 100) -> None:
        self.tolerance = tolerance
        self.patience = patience
        self._sigmoids = (_Sigmoid(), _Sigmoid())
        self._charges = [0.0, 0.0]
        self._pages = 0
        self.pays = True

    def observe(self, learned: float, fixed: float, target: float) -> None:
        """Charge both scores, log-odds on any scale, for a page that was judged `target`, a probability."""
        self._pages += 1
        for place, value in enumerate((learned, fixed)):
            self._charges[place] = FADING * self._charges[place] + self._sigmoids[place].charge(value, target)
        self.pays = self._pays()

    def state(self) -> dict[str, Any]:
        """Return everything as JSON data."""
        sigmoids = [list(sigmoid.numbers) for sigmoid in self._sigmoids]
        return {"charges": list(self._charges), "pages": self._pages, "sigmoids": sigmoids}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore a saved state."""
        self._charges = [float(charge) for charge in state["charges"]]
        self._pages = int(state["pages"])
        for sigmoid, numbers in zip(self._sigmoids, state["sigmoids"], strict=True):
            sigmoid.numbers = [float(number) for number in numbers]
        self.pays = self._pays()

    def _pays(self) -> bool:
        if self._pages < self.patience:
            return True
        weight = (1.0 - FADING**self._pages) / (1.0 - FADING)
        return (self._charges[0] - self._charges[1]) / weight <= self.tolerance
