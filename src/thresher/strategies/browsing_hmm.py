"""Crawls the way people browse: a hidden Markov model estimates how close a path is to the topic.

The model learns from browsing sessions (`sessions/path_model.py`). With every page on a path, the belief about the
number of clicks to the topic is updated by the observation of the page, and a link is scored by where it is expected to
lead: to the topic, to one click before it, and so on. If several pages link to a URL, each is further evidence of where
it leads.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Literal, Self, get_args

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from thresher.protocols import View
from thresher.sessions.path_model import PathModel
from thresher.sessions.session import Session
from thresher.strategies.asking import no_examples
from thresher.strategies.children import children, each_once
from thresher.strategies.memos import Memos
from thresher.strategies.path_sessions import session_for
from thresher.types import Candidate, Judgement, ParsedPage, Reading

Floats = NDArray[np.float64]

STEP: Final = 0.001
"""Probabilities that differ by less than this count as equal, and the next state decides."""

DISCOUNT: Final = 0.5
"""Factor by which the score falls for each further click to the topic."""

RAREST: Final = 1e-6
"""Minimum probability of a number of clicks, as logarithms need one."""

Order = Literal["nearness", "lexicographic"]
Parents = Literal["all", "best"]

_DIGITS: Final = 5


class PathEvidence(Struct, frozen=True, rename={"ratios": "r", "pages": "n"}):
    """What linking pages say of a URL: the sum of their log-ratios for each number of clicks, and how many there are.

    A log-ratio compares the probability that a page predicts with the usual one; 0 says nothing.
    """

    ratios: tuple[float, ...]
    pages: int = 1


class BrowsingHmm:
    """Scores links by the clicks that a hidden Markov model expects to the topic.

    `paths` is a file of sessions in JSON Lines; without one, the examples and the links between them are the session.
    `states` is the number of distances, `dimensions` that of the latent space, 0 for the plain words. `neighbours` is
    the number of nearest pages that decide the cluster of a page, and `smoothing` is added to all counts. `seen` is the
    observation: the `words` of a page, or its cluster as in the paper. With the order `nearness`, the score halves with
    every click to the topic; with `lexicographic`, as in the paper, the probability of being on topic decides, and the
    next one only breaks ties. `parents` says which of the pages that link to a URL count: `all`, or as in the paper the
    `best`.
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
        parents: str = "all",
    ) -> None:
        for key, value, known in (("order", order, Order), ("parents", parents, Parents)):
            if value not in get_args(known):
                raise ValueError(f"{key} must be one of {', '.join(get_args(known))}")
        self.paths = paths
        self.states = states
        self.dimensions = dimensions
        self.neighbours = neighbours
        self.smoothing = smoothing
        self.seed = seed
        self.seen = seen
        self.order = order
        self.parents = parents
        self._model = PathModel(states, dimensions, neighbours, smoothing, seed, seen)
        self._memos = Memos(PathEvidence)
        self._usual: Floats = np.full(states, 1.0 / max(1, states))
        self._fitted = False

    def fit(self, examples: Sequence[tuple[ParsedPage, str | None]]) -> Self:
        """Learn from the file of sessions, or from the examples."""
        return self.learn(session_for("hmm", self.paths, examples))

    def learn(self, session: Session) -> Self:
        """Learn from a session."""
        self._model.fit(session)
        self._usual = self._model.hmm_.usual().clip(RAREST)
        self._fitted = True
        return self

    def read(self, page: ParsedPage, judgement: Judgement | None) -> list[float]:
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
        # Linking pages often resemble each other: on average they say less than their sum, which only sets the order.
        belief = hmm.begin(seen) if before is None else hmm.update(self._expected(before, 1.0 / before.pages), seen)
        ratios = np.log(hmm.predict(belief).clip(RAREST) / self._usual)
        evidence = PathEvidence(tuple(round(float(ratio), _DIGITS) for ratio in ratios))
        price, memo = self._price(self._expected(evidence).tolist()), self._memos.write(evidence)
        return children(reading, ((link, price) for link in each_once(reading.links)), memo=memo)

    def merge(self, waiting: Candidate, new: Candidate) -> Candidate:
        """Return a candidate with the evidence of both pages, or the better of two; start pages keep their score."""
        before, after = self._memos.of(waiting), self._memos.of(new)
        better = max(waiting, new, key=lambda candidate: candidate.priority)
        if self.parents == "best" or before is None or after is None:
            return better
        ratios = (round(one + other, _DIGITS) for one, other in zip(before.ratios, after.ratios, strict=True))
        both = PathEvidence(tuple(ratios), before.pages + after.pages)
        return replace(better, priority=self._price(self._expected(both).tolist()), memo=self._memos.write(both))

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
                f"{clicks} click{'s' if clicks > 1 else ''} from it" if clicks else "on the topic, by the paths to it"
            )
            told.append((f"probability that it is {where}", share, weight * share))
        return told

    def _expected(self, evidence: PathEvidence, weight: float = 1.0) -> Floats:
        """Return the probability of each number of clicks, given weighted evidence."""
        logs = np.log(self._usual) + weight * np.array(evidence.ratios)
        shares = np.exp(logs - logs.max())
        found: Floats = shares / shares.sum()
        return found

    def _price(self, expected: Sequence[float]) -> tuple[float, ...]:
        """Return the score of a link from the probabilities of each number of clicks to the topic."""
        if self.order == "lexicographic":
            return tuple(round(share / STEP) * STEP for share in expected)
        shares = [round(share, _DIGITS) for share in expected]
        return sum(share * DISCOUNT**clicks for clicks, share in enumerate(shares[:-1])), *shares

    def _check(self) -> None:
        if not self._fitted:
            raise no_examples("hmm")
