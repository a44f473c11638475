"""A fixed linear model over words, to measure the cost of classifying and scoring independently of training."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final, Self

import xxhash

from thresher.analysers import analyser_from
from thresher.protocols import View
from thresher.reading.analysis import PageAnalyser
from thresher.strategies.children import children
from thresher.text.stems import stems_of
from thresher.types import Candidate, Judgement, Link, ParsedPage, Reading

TOPIC: Final = "fixed"
_AROUND: Final = 10


@lru_cache(maxsize=1 << 17)
def _weight(stem: str) -> float:
    """Return the weight of a stem, between -1 and 1 and the same in every process."""
    return xxhash.xxh3_64_intdigest(stem.encode()) / 2**63 - 1.0


class FixedLinear:
    """Judges pages and bags of stems with weights derived from the stems themselves.

    >>> FixedLinear().relevance([{"boat": 2}, {}])[1]
    0.5
    """

    def fit(self, examples: Sequence[tuple[ParsedPage, str | None]]) -> Self:
        """Learn nothing; the weights are fixed."""
        return self

    def classify(self, page: ParsedPage) -> Judgement:
        """Return a judgement by the sign of the score, with the strongest words for and against."""
        terms = {stem: _weight(stem) * (1 + math.log(count)) for stem, count in page.terms.items()}
        score = _scaled(sum(terms.values()), page.terms)
        evidence = sorted(terms.items(), key=lambda term: -abs(term[1]))[:5]
        return Judgement(
            topic=TOPIC if score > 0 else None,
            confidence=score,
            probability=_probability(score),
            path=(TOPIC,) if score > 0 else (),
            evidence=tuple(evidence),
            model="fixed-1",
        )

    def relevance(self, bags: Sequence[Mapping[str, int]]) -> list[float]:
        """Return the probability of each bag."""
        return [
            _probability(_scaled(sum(_weight(stem) * (1 + math.log(bag[stem])) for stem in bag), bag)) for bag in bags
        ]


class FixedScores:
    """Scores each link by the words around it and by its page, both judged by the fixed model."""

    def __init__(self) -> None:
        self._model = FixedLinear()

    def read(self, page: ParsedPage, judgement: Judgement | None) -> list[float]:
        """Return the relevance of the words around each link."""
        stems = stems_of(page.words, page.language)
        return self._model.relevance([_around(stems, link) for link in page.links])

    def rank(self, reading: Reading[list[float]], view: View) -> Iterable[Candidate]:
        """Score every link by the mean of its words' and its page's relevance."""
        page = reading.judgement.probability if reading.judgement else 0.5
        words = reading.features or [0.5] * len(reading.links)
        return children(reading, [(link, (page + own) / 2) for link, own in zip(reading.links, words, strict=True)])


def judging_analyser(recipe: bytes) -> PageAnalyser:
    """Return an analyser with the fixed model as classifier; workers call it with the recipe as JSON."""
    return analyser_from(recipe, FixedLinear())


def _around(stems: Sequence[tuple[str, ...]], link: Link) -> Counter[str]:
    return Counter(chain.from_iterable(stems[max(0, link.position - _AROUND) : link.position + link.length + _AROUND]))


def _scaled(score: float, bag: Mapping[str, int]) -> float:
    return score / math.sqrt(len(bag)) if bag else 0.0


def _probability(score: float) -> float:
    return 1 / (1 + math.exp(-score))
