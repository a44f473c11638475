"""The common base of strategies that use a latent space of words and links.

Every few pages, the fetched pages with their words and links are added to the space, then the waiting pages, of which
only inlinks and anchors are known. Links found between two reorderings get a Shark-Search score, scaled to the scores
of the space.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Protocol, Self

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from thresher.errors import PluginError
from thresher.learn.threads import one_thread
from thresher.protocols import View
from thresher.strategies.asking import no_examples
from thresher.strategies.expanded_matrix import Entries, ExpandedMatrix
from thresher.strategies.shark_search import START, SharkSearch
from thresher.text.stems import stems_of
from thresher.text.words import words as words_of
from thresher.types import Candidate, Judgement, ParsedPage, Reading

Floats = NDArray[np.float64]
Examples = Sequence[tuple[ParsedPage, str | None]]
NewPages = Sequence[tuple[str, Mapping[str, int], Sequence[str]]]
"""URL, stems and links of pages."""

DROPPED: Final = 4
"""The share of pages dropped if there are too many is one in this number."""

SAVED: Final = 50
"""Pages between two saved states, or more if reorderings are farther apart."""

_ANCHOR_WORDS: Final = 20
_ANCHORS: Final = 20_000


class Space(Protocol):
    """A space of fetched pages in which waiting pages are compared with the topic."""

    matrix: ExpandedMatrix

    def add(self, pages: NewPages) -> None:
        """Add fetched pages."""

    def scores(self, waiting: Sequence[Candidate], anchors: Sequence[Entries | None]) -> Floats:
        """Return how near each waiting page is to the topic."""

    def worth(self) -> dict[str, float]:
        """Return how near each fetched page is to the topic."""


class LatentOrder(ABC):
    """Base class; subclasses create the space.

    `reorder_every` is the number of pages between two reorderings. With `anchors`, waiting pages have the words of
    their anchors. The first `hand_over` pages are ordered by Shark-Search, whose share in the score afterwards is
    `shark`. Breadth-first order has a share in every score too, which falls to a half after `breadth` pages and to a
    third after twice as many. The space has at most `fetched` and `waiting` pages, which bounds the cost of a
    reordering.
    """

    name = ""

    def __init__(
        self,
        words: SharkSearch,
        *,
        reorder_every: int,
        anchors: bool,
        hand_over: int,
        shark: float,
        fetched: int,
        waiting: int,
        breadth: int = 0,
    ) -> None:
        if (
            reorder_every < 1
            or min(hand_over, breadth) < 0
            or fetched < 2 * DROPPED
            or waiting < 1
            or not 0 <= shark <= 1
        ):
            raise ValueError(
                f"n and waiting must be at least 1, fetched at least {2 * DROPPED}, hand_over and "
                "breadth not negative, and shark between 0 and 1"
            )
        self.reorder_every = reorder_every
        self.save_every = max(reorder_every, SAVED)
        self.anchors = anchors
        self.hand_over = hand_over
        self.shark = shark
        self.fetched = fetched
        self.waiting = waiting
        self.breadth = breadth
        self._shark = words
        self._examples: Examples = ()
        self._space: Space | None = None
        self._known: dict[str, None] = {}
        self._anchors: dict[str, Entries] = {}
        self._scale = 1.0
        self._breadth_share = 1.0 if breadth else 0.0
        self._breadth_scale = 1.0

    @abstractmethod
    def make_space(self, examples: Examples) -> Space:
        """Return a space without fetched pages."""

    def is_due(self, pages: int) -> bool:
        """Return whether a reordering is due after the given number of pages."""
        return pages >= self.hand_over

    def fit(self, examples: Examples) -> Self:
        """Learn the query; the space is created when it is first needed."""
        try:
            self._shark.fit(examples)
        except PluginError:
            raise no_examples(self.name) from None
        self._examples = examples
        self._space = None
        return self

    def read(self, page: ParsedPage, judgement: Judgement | None) -> float:
        """Return the cosine of the page's words with the query."""
        self._check()
        return self._shark.read(page, judgement)

    def rank(self, reading: Reading[float], view: View) -> Iterable[Candidate]:
        """Score links by Shark-Search until the next reordering; start pages come first."""
        self._check()
        self.observe(reading.candidate, None)
        for candidate in self._shark.rank(reading, view):
            price = candidate.priority[0]
            if price >= START:
                yield candidate
                continue
            price = (1.0 - self._breadth_share) * self._scale * price + self._early(candidate)
            yield replace(candidate, priority=(price,))

    def observe(self, candidate: Candidate, judgement: Judgement | None) -> None:
        """Record a fetched page; after a kill, the engine repeats the pages since the last saved state."""
        if candidate.depth >= 0 and candidate.url:
            self._known[candidate.url] = None

    def merge(self, waiting: Candidate, new: Candidate) -> Candidate:
        """Return the better of two links; the next reordering uses both."""
        return max(waiting, new, key=lambda candidate: candidate.priority)

    def reorder(self, view: View) -> Iterable[tuple[str, tuple[float, ...]]]:
        """Add the new pages to the space, and rescore the best waiting pages."""
        if not self._examples or not self.is_due(view.pages()):
            return
        waiting = [found for found in view.best(self.waiting) if found.priority[0] < START and not found.lists]
        if not waiting:
            return
        with one_thread():
            space = self._up_to_date(view)
            scores = space.scores(waiting, [self._anchor(candidate, space) for candidate in waiting])
        sharks = np.array([self._inherited(candidate) for candidate in waiting])
        if sharks.mean() > 0 and scores.mean() > 0:
            self._scale = float(scores.mean() / sharks.mean())
        prices = (1.0 - self.shark) * scores + self.shark * self._scale * sharks
        if self.breadth:
            self._breadth_share = self.breadth / (self.breadth + view.pages())
            early = float(np.mean([_closeness(candidate) for candidate in waiting]))
            self._breadth_scale = max(float(scores.mean()), 0.0) / early
            prices = (1.0 - self._breadth_share) * prices + [self._early(candidate) for candidate in waiting]
        for candidate, price in zip(waiting, prices.tolist(), strict=True):
            yield candidate.url, (price,)

    def account(self, candidate: Candidate) -> list[tuple[str, float, float]]:
        """Return what the space and the pages on the path contribute to a score; empty for another strategy's score."""
        if not self._shark.accounts_for(candidate):
            return []
        price, inherited = candidate.priority[0], self._inherited(candidate)
        if price >= START:
            return [("start page", price, price)]
        early, rest = self._early(candidate), 1.0 - self._breadth_share
        close = [("closeness to the start pages", _closeness(candidate), early)] if self.breadth else []
        if price == rest * self._scale * inherited + early:
            found = ("inherited from the pages on the path, until the next reordering", inherited, price - early)
            return [found, *close]
        share = rest * self.shark * self._scale * inherited
        near = price - share - early
        told = [("nearness to the topic in the space of words and links", near, near)]
        if self.shark:
            told.append(("inherited from the pages on the path", inherited, share))
        return told + close

    def state(self) -> dict[str, Any]:
        """Return which pages are in the space; their words and links are in the portal."""
        breadth = [self._breadth_share, self._breadth_scale]
        return {"pages": list(self._known), "scale": self._scale, "breadth": breadth}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore a saved state; the pages are added again at the next reordering."""
        self._known = dict.fromkeys(map(str, state["pages"]))
        self._scale = float(state["scale"])
        # Crawls begun by older versions have no share of breadth-first order.
        self._breadth_share, self._breadth_scale = map(float, state.get("breadth", (0.0, 1.0)))
        self._space = None

    def _check(self) -> None:
        if not self._examples:
            raise no_examples(self.name)

    def _up_to_date(self, view: View) -> Space:
        """Return the space with all known pages."""
        if len(self._known) > self.fetched:
            self._drop()
        if self._space is None:
            self._space = self.make_space(self._examples)
        new = [url for url in self._known if url not in self._space.matrix]
        terms, links = view.known.terms(new), view.known.outlinks(new)
        self._space.add([(url, terms[url], links.get(url, ())) for url in new if url in terms])
        return self._space

    def _drop(self) -> None:
        """Forget the pages farthest from the topic, except the newest, and rebuild the space."""
        worth = self._space.worth() if self._space is not None else {}
        newest = set(list(self._known)[-self.fetched // DROPPED :])
        old = sorted((url for url in self._known if url not in newest), key=lambda url: worth.get(url, 0.0))
        for url in old[: len(self._known) - self.fetched + self.fetched // DROPPED]:
            del self._known[url]
        self._space = None

    def _inherited(self, candidate: Candidate) -> float:
        return sum(added for _, _, added in self._shark.account(candidate))

    def _early(self, candidate: Candidate) -> float:
        """Return what breadth-first order adds to a score."""
        return self._breadth_share * self._breadth_scale * _closeness(candidate)

    def _anchor(self, candidate: Candidate, space: Space) -> Entries | None:
        if not self.anchors:
            return None
        known = self._anchors.get(candidate.anchor)
        if known is None:
            found = stems_of(words_of(candidate.anchor)[:_ANCHOR_WORDS], "en")
            stems = [stem for stems in found for stem in stems]
            known = space.matrix.words({stem: stems.count(stem) for stem in stems})
            if len(self._anchors) > _ANCHORS:
                self._anchors.clear()
            self._anchors[candidate.anchor] = known
        return known


def _closeness(candidate: Candidate) -> float:
    """Return the score of a page in breadth-first order."""
    return 1.0 / (candidate.depth + 1)
