"""Crawling the way people browse: a hidden Markov model says how near to the topic a path has come.

The model learns from browsing sessions (`sessions/path_model.py`). With every page on a path the belief about the
number of clicks to the topic is brought up to date by the cluster of the page, and a link is scored by where it will
lead: first by the probability that it leads to the topic, then that it leads to one click before it, and so on.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Self

import numpy as np
from msgspec import Struct

from thresher.protocols import View
from thresher.sessions.path_model import PathModel
from thresher.sessions.session import Session
from thresher.strategies.asking import no_examples
from thresher.strategies.children import children
from thresher.strategies.memos import Memos
from thresher.strategies.path_sessions import session_for
from thresher.types import Candidate, Judgement, Page, Reading

STEP: Final = 0.001
"""Probabilities that differ by less than this count as equal, and the next state decides."""

_DIGITS: Final = 5


class Belief(Struct, frozen=True, rename={"states": "s"}):
    """What a page hands down: the probability of each number of clicks to the topic, 0 first."""

    states: tuple[float, ...]


class BrowsingHmm:
    """Scores links by the clicks that a hidden Markov model expects to the topic.

    `paths` is a file of sessions in JSON Lines; without one the examples and the links between them are the session.
    `states` is the number of distances that are told apart, `dimensions` that of the latent space, 0 for the plain
    words; `neighbours` are the nearest pages that decide the cluster of a page, and `smoothing` is added to all counts.
    """

    def __init__(
        self,
        paths: str = "",
        states: int = 4,
        dimensions: int = 50,
        neighbours: int = 5,
        smoothing: float = 0.1,
        seed: int = 0,
    ) -> None:
        self.paths = paths
        self.states = states
        self.dimensions = dimensions
        self.neighbours = neighbours
        self.smoothing = smoothing
        self.seed = seed
        self._model = PathModel(states, dimensions, neighbours, smoothing, seed)
        self._memos = Memos(Belief)
        self._fitted = False

    def fit(self, examples: Sequence[tuple[Page, str | None]]) -> Self:
        """Learn from the file of sessions, or from the examples."""
        return self.learn(session_for("hmm", self.paths, examples))

    def learn(self, session: Session) -> Self:
        """Learn from a session."""
        self._model.fit(session)
        self._fitted = True
        return self

    def read(self, page: Page, judgement: Judgement | None) -> int:
        """Return the cluster of the page."""
        self._check()
        return self._model.observe(page.terms)

    def rank(self, reading: Reading[int], view: View) -> Iterable[Candidate]:
        """Score all links of a page by where its path is expected to lead next; start pages come first."""
        self._check()
        if reading.features is None:
            # Nobody has read what lists these: they come first as start pages do, and know nothing of their path.
            return children(reading, ((link, (1.0,) + (0.0,) * (self.states - 1)) for link in reading.links))
        before, seen = self._memos.of(reading.candidate), reading.features
        hmm = self._model.hmm_
        belief = hmm.step(np.array(before.states), seen) if before is not None else hmm.begin(seen)
        expected = tuple(round(float(share) / STEP) * STEP for share in hmm.predict(belief))
        memo = self._memos.write(Belief(tuple(round(float(share), _DIGITS) for share in belief)))
        return children(reading, ((link, expected) for link in reading.links), memo=memo)

    def account(self, candidate: Candidate) -> list[tuple[str, float, float]]:
        """Return the probability that decides first, and those that decide between equals, which add nothing to it."""
        if not self._memos.fits(candidate) or len(candidate.priority) != self.states:
            return []
        if not candidate.memo:
            return [("start page", candidate.priority[0], candidate.priority[0])]
        first, *others = candidate.priority
        told = [("probability that it is on the topic, by the path to it", first, first)]
        for clicks, share in enumerate(others[:-1], start=1):
            told.append((f"probability that it is {clicks} click{'s' if clicks > 1 else ''} from it", share, 0.0))
        return told

    def _check(self) -> None:
        if not self._fitted:
            raise no_examples("hmm")
