"""Crawls the way people browse: a hidden Markov model estimates how close a path is to the topic.

The model learns from browsing sessions (`sessions/path_model.py`). With every page on a path, the belief about the
number of clicks to the topic is updated by the observation of the page, and a link is scored by where it is expected to
lead: to the topic, to one click before it, and so on.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Literal, Self, get_args

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

DISCOUNT: Final = 0.5
"""Factor by which the score falls for each further click to the topic."""

Order = Literal["nearness", "lexicographic"]

_DIGITS: Final = 5


class Belief(Struct, frozen=True, rename={"states": "s"}):
    """What a page passes on: the probability of each number of clicks to the topic, 0 first."""

    states: tuple[float, ...]


class BrowsingHmm:
    """Scores links by the clicks that a hidden Markov model expects to the topic.

    `paths` is a file of sessions in JSON Lines; without one, the examples and the links between them are the session.
    `states` is the number of distances, `dimensions` that of the latent space, 0 for the plain words. `neighbours` is
    the number of nearest pages that decide the cluster of a page, and `smoothing` is added to all counts. `seen` is the
    observation: the `words` of a page, or its cluster as in the paper. With the order `nearness`, the score halves with
    every click to the topic; with `lexicographic`, as in the paper, the probability of being on topic decides, and the
    next one only breaks ties.
    """

    def __init__(
        self,
        paths: str = "",
        states: int = 4,
        dimensions: int = 50,
        neighbours: int = 5,
        smoothing: float = 0.1,
        seed: int = 0,
        seen: str = "words",
        order: str = "nearness",
    ) -> None:
        if order not in get_args(Order):
            raise ValueError(f"order must be one of {', '.join(get_args(Order))}")
        self.paths = paths
        self.states = states
        self.dimensions = dimensions
        self.neighbours = neighbours
        self.smoothing = smoothing
        self.seed = seed
        self.seen = seen
        self.order = order
        self._model = PathModel(states, dimensions, neighbours, smoothing, seed, seen)
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

    def read(self, page: Page, judgement: Judgement | None) -> list[float]:
        """Return the likelihood of the page at each distance."""
        self._check()
        return [float(share) for share in self._model.observe(page.terms)]

    def rank(self, reading: Reading[list[float]], view: View) -> Iterable[Candidate]:
        """Score all links of a page by where its path is expected to lead next; start pages come first."""
        self._check()
        if reading.features is None:
            # Links from lists have no linking page that was read: like start pages they come first, without a path.
            return children(reading, ((link, self._price([1.0] + [0.0] * (self.states - 1))) for link in reading.links))
        before, seen = self._memos.of(reading.candidate), np.array(reading.features)
        hmm = self._model.hmm_
        belief = hmm.step(np.array(before.states), seen) if before is not None else hmm.begin(seen)
        price = self._price([round(float(share) / STEP) * STEP for share in hmm.predict(belief)])
        memo = self._memos.write(Belief(tuple(round(float(share), _DIGITS) for share in belief)))
        return children(reading, ((link, price) for link in reading.links), memo=memo)

    def account(self, candidate: Candidate) -> list[tuple[str, float, float]]:
        """Return the probability of each number of clicks to the topic; states that only break ties add 0."""
        near = self.order == "nearness"
        if not self._memos.fits(candidate) or len(candidate.priority) != self.states + near:
            return []
        if not candidate.memo:
            return [("start page", candidate.priority[0], candidate.priority[0])]
        told: list[tuple[str, float, float]] = []
        for clicks, share in enumerate(candidate.priority[near : self.states - 1 + near]):
            weight = DISCOUNT**clicks if near else float(clicks == 0)
            where = (
                f"{clicks} click{'s' if clicks > 1 else ''} from it" if clicks else "on the topic, by the path to it"
            )
            told.append((f"probability that it is {where}", share, weight * share))
        return told

    def _price(self, expected: Sequence[float]) -> tuple[float, ...]:
        """Return the score of a link from the probabilities of each number of clicks to the topic."""
        if self.order == "lexicographic":
            return tuple(expected)
        return sum(share * DISCOUNT**clicks for clicks, share in enumerate(expected[:-1])), *expected

    def _check(self) -> None:
        if not self._fitted:
            raise no_examples("hmm")
