"""Orders links by the confidence of their page (Sizov), with topic queues and tunnelling.

A link inherits the confidence of its page, combined with L, the number of hops from the seeds (Sizov, section 2.2.2):
`classifier` conf, `classifier-breadth` conf / L, `classifier-depth` conf · L, `bookmark` the confidence of the seed the
path began at, over L. Every topic has its own queue; queues are served in turn.
"""

from collections.abc import Iterable
from typing import Final, Literal, get_args

from msgspec import Struct

from thresher.protocols import View
from thresher.strategies.children import children
from thresher.strategies.memos import Memos
from thresher.strategies.topic_queues import label
from thresher.types import Candidate, Judgement, ParsedPage, Reading

Order = Literal["classifier", "classifier-breadth", "classifier-depth", "bookmark"]
Focus = Literal["soft", "sharp"]

SEED: Final = 1.0
"""The score of a start page, as if a page with confidence 1 had led to it."""


class PathState(Struct, frozen=True):
    """What a page passes on to its links about the path that led to it.

    `worth` is the confidence that links inherit, `steps` counts the hops since the last accepted page, and `topic` is
    the last topic on the path, empty if there was none.
    """

    worth: float = SEED
    steps: int = 0
    topic: str = ""


class ConfidenceOrder:
    """Follows the links of accepted pages, and those of rejected ones for a few hops.

    With `soft` focus, pages of any topic are accepted; with `sharp` focus, only pages with the same topic as the page
    that led to them. Links on rejected pages are followed for up to `tunnel` hops (the tunnelling distance); each hop
    multiplies their score by `decay`.
    """

    def __init__(self, order: str = "classifier", focus: str = "soft", tunnel: int = 2, decay: float = 0.5) -> None:
        if order not in get_args(Order) or focus not in get_args(Focus):
            raise ValueError(f"order must be one of {', '.join(get_args(Order))}, focus soft or sharp")
        if tunnel < 0 or not 0 < decay <= 1:
            raise ValueError("tunnel must not be negative, and decay must be above 0 and at most 1")
        self.order = order
        self.focus = focus
        self.tunnel = tunnel
        self.decay = decay
        self._memos = Memos(PathState)

    def read(self, page: ParsedPage, judgement: Judgement | None) -> None:
        """Read nothing: all links of a page get the same score."""

    def rank(self, reading: Reading[None], view: View) -> Iterable[Candidate]:
        """Score the links by the page's confidence, or by what remains of it in a tunnel."""
        way = self._way(reading)
        if way is None:
            return []
        level = max(1, reading.candidate.depth + 1)
        price = way.worth if self.order == "classifier" else way.worth / level
        if self.order == "classifier-depth":
            price = way.worth * level
        priced = ((link, price) for link in reading.links)
        return children(reading, priced, queue=way.topic, memo=self._memos.write(way))

    def _way(self, reading: Reading[None]) -> PathState | None:
        """Return what a page passes on to its links, or None if they are not followed.

        With `bookmark`, it is always the seed's confidence.
        """
        before, judgement = self._memos.of(reading.candidate) or PathState(), reading.judgement
        if reading.candidate.depth < 0:
            return PathState()
        if judgement is not None and self._accepts(judgement, before):
            first = reading.candidate.depth == 0 or self.order != "bookmark"
            return PathState(judgement.confidence if first else before.worth, 0, label(judgement.topic or ""))
        if before.steps >= self.tunnel:
            return None
        return PathState(before.worth * self.decay, before.steps + 1, before.topic)

    def _accepts(self, judgement: Judgement, before: PathState) -> bool:
        if judgement.topic is None:
            return False
        return self.focus == "soft" or before.topic in ("", label(judgement.topic))
