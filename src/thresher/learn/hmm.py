"""A hidden Markov model from counts: transitions, observations and forward filtering.

A belief is the probability of each state given all observations so far. It is normalised at every step, so a long path
does not underflow.
"""

from collections.abc import Sequence
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_MANY: Final = 200


class HiddenMarkov:
    """A model with the given numbers of `states` and `observations`; `smoothing` is added to every count.

    Learned: `transitions_` and `emissions_` with a row per state, which sums to 1. Initially all states are equally
    probable.

    >>> model = HiddenMarkov(2, 2).fit([(0, 0), (1, 0), (1, 0)], [(0, 0), (1, 1)])
    >>> belief = model.begin(model.emissions_[:, 1])
    >>> bool(belief[1] > belief[0]), bool(model.predict(belief)[0] > 0.5)
    (True, True)
    """

    def __init__(self, states: int, observations: int, smoothing: float = 0.1) -> None:
        if states < 1 or observations < 1 or smoothing < 0:
            raise ValueError("states and observations must be at least 1, and smoothing not negative")
        self.states = states
        self.observations = observations
        self.smoothing = smoothing
        self.transitions_: Floats = np.full((states, states), 1.0 / states)
        self.emissions_: Floats = np.full((states, observations), 1.0 / observations)

    def fit(self, moves: Sequence[tuple[int, int]], seen: Sequence[tuple[int, int]]) -> Self:
        """Learn from transitions between states and pairs of a state and its observation."""
        self.transitions_ = self._shares(moves, self.states)
        self.emissions_ = self._shares(seen, self.observations)
        return self

    def begin(self, seen: Floats) -> Floats:
        """Return the belief after a first observation, where `seen` has its probability in each state."""
        return self.update(np.full(self.states, 1.0 / self.states), seen)

    def step(self, belief: Floats, seen: Floats) -> Floats:
        """Return the belief after a move and an observation, where `seen` has its probability in each state."""
        return self.update(self.predict(belief), seen)

    def update(self, expected: Floats, seen: Floats) -> Floats:
        """Return the belief after an observation, where `expected` has the probability of each state before it."""
        return self._normal(seen * expected)

    def predict(self, belief: Floats) -> Floats:
        """Return the probability of each state after one step."""
        found: Floats = belief @ self.transitions_
        return found

    def usual(self) -> Floats:
        """Return the probability of each state after many steps without an observation."""
        belief: Floats = np.full(self.states, 1.0 / self.states)
        for _ in range(_MANY):
            # Half of the steps stay, so that states visited in turns settle as well.
            belief = (belief + self.predict(belief)) / 2.0
        return belief

    def _shares(self, pairs: Sequence[tuple[int, int]], columns: int) -> Floats:
        counts = np.full((self.states, columns), float(self.smoothing))
        for row, column in pairs:
            counts[row, column] += 1.0
        totals = counts.sum(axis=1, keepdims=True)
        found: Floats = np.where(totals > 0, counts / np.where(totals > 0, totals, 1.0), 1.0 / columns)
        return found

    def _normal(self, belief: Floats) -> Floats:
        """Return a belief that sums to 1; an impossible one is reset to uniform."""
        total = float(belief.sum())
        found: Floats = belief / total if total > 0 else np.full(self.states, 1.0 / self.states)
        return found
