"""The default scorer: the page classifier's evidence over all links to a URL, and what the crawl has learned.

score = evidence of all links to a URL (`inlink_evidence.py`) + weight · lift of the pages that link to it (`hubs.py`) +
what its words add (`token_model.py`), all log-odds.

Before anything is learned, the last two are 0 and the classifier decides alone. `calibration_watch.py` compares the
score with the fixed scorer `window-40`, which takes over while learning does not pay off. docs/SCORER.md shows what
each part contributes.
"""

from collections.abc import Iterable
from math import inf
from typing import Any, Final

import xxhash
from msgspec.structs import replace

from thresher.protocols import SpanScorer, TermScorer, View
from thresher.strategies.asking import certainty, no_classifier
from thresher.strategies.calibration_watch import CalibrationWatch
from thresher.strategies.children import children
from thresher.strategies.hubs import Hubs
from thresher.strategies.inlink_evidence import InlinkEvidence
from thresher.strategies.link_evidence import BLEND, NARROW, WIDE, LinkEvidence, evidence, spans_of
from thresher.strategies.memos import Memos
from thresher.strategies.token_model import TokenModel
from thresher.strategies.topic_queues import label, queue_below
from thresher.types import Candidate, Judgement, ParsedPage, PriceMeaning, Reading

START: Final = 100.0
"""The score of start pages, which come first."""

AGAIN: Final = 0.5
"""Weight for learning from a link to an already fetched page, since the link did not lead to it."""

LIFTED: Final = 2.0
"""What exploration adds to the log-odds of a link."""

MOST_REMEMBERED: Final = 1_000_000
"""Maximum number of pages remembered, since the state is saved every few hundred pages."""

_MOVED: Final = 0.01
_FADING: Final = 1e-4


class LearnedScorer:
    """Scores links by a model that learns from the judgements of the pages they led to.

    `hubs` is the weight of the linking pages' worth, `share` the factor of delayed credit per click, and `rate` the
    step size of the token model, which also learns from `again` links per page to pages fetched earlier. `explore` is
    the share of URLs, drawn with `seed`, that are raised for exploration. Every `reorder_every` pages, the `reprice`
    best of all queues, equally many from each, are rescored. `tolerance` is how much more, in nats, learning may cost
    than the fixed scorer before that takes over. At most `remember` pages are remembered.
    """

    prices: PriceMeaning = "log-odds"

    def __init__(
        self,
        hubs: float = 0.7,
        share: float = 0.2,
        rate: float = 0.5,
        again: int = 20,
        explore: float = 0.005,
        reprice: int = 2000,
        reorder_every: int = 50,
        tolerance: float = 0.03,
        remember: int = 20_000,
        seed: int = 0,
    ) -> None:
        if not 0 <= hubs < inf or not 0 <= share < 1 or not 0 <= rate < inf or not 0 <= explore <= 1:
            raise ValueError("hubs and rate must not be negative, share must be below 1, and explore between 0 and 1")
        if again < 0 or reprice < 0 or reorder_every < 1 or not 1 <= remember <= MOST_REMEMBERED:
            raise ValueError(
                "reorder_every and remember must be at least 1, again and reprice not negative, "
                f"and remember at most {MOST_REMEMBERED:,}"
            )
        self.hubs = hubs
        self.again = again
        self.reprice = reprice
        self.reorder_every = reorder_every
        self.explore = explore
        self.seed = seed
        self._classifier: TermScorer | None = None
        self._spans: SpanScorer | None = None
        self._topics: tuple[str, ...] = ("",)
        self._hubs = Hubs(remember, share)
        self._words = TokenModel(rate)
        self._watch = CalibrationWatch(tolerance)
        self._memos = Memos(InlinkEvidence)
        self._general = 0.0
        self._links = 0

    def consult(self, classifier: TermScorer) -> None:
        """Set the classifier to use; what was learned from the old one's judgements stays."""
        self._classifier = classifier
        self._spans = spans_of(classifier)
        self._topics = self._spans.subjects()

    def read(self, page: ParsedPage, judgement: Judgement | None) -> list[LinkEvidence]:
        """Return the evidence of each link."""
        if self._classifier is None or self._spans is None:
            raise no_classifier("default")
        return evidence(page, judgement, self._classifier, self._spans)

    def rank(self, reading: Reading[list[LinkEvidence]], view: View) -> Iterable[Candidate]:
        """Score every link; start pages come first, and addresses from lists get the mean score."""
        if not reading.features:
            price = START if reading.candidate.depth < 0 else self._general
            yield from children(reading, ((link, price) for link in reading.links))
            return
        parent = number_of(reading.candidate.url)
        targets = [number_of(link.url) for link in reading.links]
        self._learn_again(parent, reading.features, targets)
        depth, page = reading.candidate.depth + 1, reading.candidate.url
        judgement = reading.judgement
        last = label(judgement.topic) if judgement is not None and judgement.topic else reading.candidate.queue
        queues: dict[int, str] = {}
        for link, said in zip(reading.links, reading.features, strict=True):
            self._count(said.value)
            if said.topic not in queues:
                queues[said.topic] = self._queue(said.topic, last)
            known = InlinkEvidence.of_link(said.value, said.fixed, parent, said.tokens)
            yield Candidate(
                url=link.url,
                priority=(self._price(link.url, known),),
                queue=queues[said.topic],
                depth=depth,
                parent=page,
                anchor=link.anchor,
                memo=self._memos.write(known),
            )

    def merge(self, waiting: Candidate, new: Candidate) -> Candidate:
        """Return the waiting candidate with the evidence of both; start pages keep their score."""
        before, after = self._memos.of(waiting), self._memos.of(new)
        if before is None or after is None:
            best = max(waiting, new, key=lambda candidate: candidate.priority)
            # The evidence of a link to a listed address counts, even if it is below average.
            return best if best.memo or not _is_listed(best) else new if new.memo else waiting
        known = before.joined(after)
        if known is before:
            return waiting
        # The better link determines the queue; the shorter path is recorded.
        better, other = (new, waiting) if after.best > before.best else (waiting, new)
        way = other if other.depth < better.depth else better
        price = self._price(waiting.url, known)
        return replace(way, queue=better.queue, memo=self._memos.write(known), priority=(price,))

    def observe(self, candidate: Candidate, judgement: Judgement | None) -> None:
        """Learn from what a candidate turned out to be; invalid probabilities are ignored."""
        if judgement is None or not 0.0 <= judgement.probability <= 1.0:
            return
        known, target = self._memos.of(candidate), certainty(judgement)
        if known is not None:
            plain = self._plain(known)
            words = self._words.score(known.tokens, known.counted)
            self._watch.observe(plain + words, known.fixed, target)
            self._words.learn(known.tokens, known.counted, plain, target)
        self._hubs.fetched(number_of(candidate.url), known.parents if known else [], target)

    def reorder(self, view: View) -> Iterable[tuple[str, tuple[float, ...]]]:
        """Rescore the best waiting URLs, equally many from each queue."""
        each = self.reprice // max(1, len(view.waiting()))
        for candidate in view.best(max(each, min(self.reprice, 1))):
            known = self._memos.of(candidate)
            if known is not None:
                price = self._price(candidate.url, known)
            elif _is_listed(candidate):
                price = self._general
            else:
                continue
            if abs(price - candidate.priority[0]) > _MOVED:
                yield candidate.url, (price,)

    def state(self) -> dict[str, Any]:
        """Return everything learned."""
        return {
            "hubs": self._hubs.state(),
            "words": self._words.state(),
            "watch": self._watch.state(),
            "general": self._general,
            "links": self._links,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Restore a saved state."""
        self._hubs.restore(state["hubs"])
        self._words.restore(state["words"])
        self._watch.restore(state["watch"])
        self._general, self._links = float(state["general"]), int(state["links"])

    def account(self, candidate: Candidate) -> list[tuple[str, float, float]]:
        """Return the features of a candidate's score, with their values and what each adds to it.

        Scores set by another strategy are not explained.
        """
        if not self._memos.fits(candidate):
            return []
        known = self._memos.of(candidate)
        if known is None:
            start = candidate.priority == (START,)
            mean = ("mean log-odds of all links", self._general, self._general)
            return [("start page", START, START) if start else mean]
        if not self._watch.pays:
            return [
                (
                    f"log-odds of the best window of {WIDE} words, since learning does not pay off",
                    known.fixed,
                    known.fixed,
                )
            ]
        words = self._words.score(known.tokens, known.counted)
        lift = self._hubs.lift(known.parents)
        lifted = LIFTED if self._drawn(candidate.url) else 0.0
        said = known.together(self._general)
        links = "1 link" if known.links == 1 else f"{known.links} links, their mean and best"
        wide, narrow, anchor, page = BLEND
        weights = f"{wide} × {WIDE} words around it + {narrow} × {NARROW} words + {anchor} × anchor + {page} × page"
        return [
            (f"log-odds of {links}, by the page classifier: {weights}", said, said),
            ("log-odds of what the linking pages led to, relative to the mean", lift, self.hubs * lift),
            ("log-odds of the words of its links, learned during the crawl", words, words),
            ("exploration, at random", lifted, lifted),
        ]

    def _price(self, url: str, known: InlinkEvidence) -> float:
        if not self._watch.pays:
            return known.fixed
        lifted = LIFTED if self.explore and self._drawn(url) else 0.0
        return self._plain(known) + self._words.score(known.tokens, known.counted) + lifted

    def _plain(self, known: InlinkEvidence) -> float:
        """Return the score without the words."""
        return known.together(self._general) + self.hubs * self._hubs.lift(known.parents)

    def _learn_again(self, parent: int, links: list[LinkEvidence], targets: list[int]) -> None:
        """Learn from the links of a page to pages fetched earlier; only once, although hubs are read again."""
        if not self._hubs.read(parent):
            return
        known = [place for place, target in enumerate(targets) if self._hubs.judgement(target) is not None]
        for place in known[: self.again]:
            judged = self._hubs.judgement(targets[place]) or 0.0
            self._words.learn(links[place].tokens, 1, links[place].value, judged, AGAIN)
        self._hubs.linked(parent, {targets[place]: None for place in known})

    def _count(self, value: float) -> None:
        self._links += 1
        self._general += (value - self._general) * max(1.0 / self._links, _FADING)

    def _queue(self, topic: int, last: str) -> str:
        """Return the queue of a link by its top-level topic; a single topic without sub-topics needs no name."""
        top = self._topics[topic] if topic < len(self._topics) else ""
        queue = queue_below(top, last) if top else ""
        return "" if queue == top and len(self._topics) == 1 else queue

    def _drawn(self, url: str) -> bool:
        lot = xxhash.xxh3_64_intdigest(url.encode(), seed=self.seed & 0xFFFFFFFF)
        return lot < self.explore * 2**64


def _is_listed(candidate: Candidate) -> bool:
    """Return whether a candidate without evidence came from a list of addresses, unlike start pages and known pages."""
    return candidate.copy is None and candidate.priority < (START,)


def number_of(url: str) -> int:
    """Return the number by which a page is remembered, never 0; JSON keeps it exact.

    >>> 0 < number_of("http://a.test/") < 2**52
    True
    """
    return (xxhash.xxh3_64_intdigest(url.encode()) & ((1 << 51) - 1)) + 1
