"""What a page says about each of its links: log-odds of the words around it, of its anchor and of the page itself.

One row per link: the blended log-odds, those of the wide window alone, the number of the topic they speak for, and
tokens, which are the hashed stems of the anchor and of the words beside it. All windows of a page are judged at once.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, chain
from math import log
from typing import Final

import numpy as np
import xxhash
from numpy.typing import NDArray

from thresher.protocols import SpanScorer, TermScorer
from thresher.strategies.asking import page_relevance
from thresher.text.stems import stems_of
from thresher.types import Judgement, Page, Rows

WIDE: Final = 40
"""Words of the wide window, as in the best of the fixed scorers."""

NARROW: Final = 10
"""Words of the narrow window."""

BLEND: Final = (0.3, 0.5, 0.2, 0.2)
"""Shares of the wide window, the narrow one, the anchor and the page in the evidence of a link."""

TOKENS: Final = 1 << 15
"""Numbers that tokens have; the lower half is that of words beside the anchor, the upper that of the anchor."""

IN_ANCHOR: Final = 4
BESIDE: Final = 8
"""Tokens of a link, at most."""

_SUREST: Final = 1e-6


def log_odds(probability: float) -> float:
    """Return the log-odds of a probability, within ±13.8.

    >>> log_odds(0.5), round(log_odds(1.0), 1)
    (0.0, 13.8)
    """
    bounded = min(max(probability, _SUREST), 1.0 - _SUREST)
    return log(bounded / (1.0 - bounded))


@lru_cache(maxsize=1 << 16)
def token(stem: str) -> int:
    """Return the number of a stem among the words beside an anchor.

    >>> 0 <= token("boat") < TOKENS // 2
    True
    """
    return xxhash.xxh3_64_intdigest(stem.encode()) % (TOKENS // 2)


class BagByBag:
    """Spans judged bag by bag, for classifiers that cannot do better; one topic without a name."""

    def __init__(self, classifier: TermScorer) -> None:
        self._classifier = classifier

    def subjects(self) -> tuple[str, ...]:
        """Return the one topic."""
        return ("",)

    def log_odds(self, stems: Sequence[str], spans: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the log-odds of each span, in one column."""
        found = self._classifier.relevance([Counter(stems[start:end]) for start, end in spans.tolist()])
        return np.array([[log_odds(probability)] for probability in found])


def spans_of(classifier: TermScorer) -> SpanScorer:
    """Return a classifier as one that judges spans."""
    if isinstance(classifier, SpanScorer) and classifier.subjects():
        return classifier
    return BagByBag(classifier)


def evidence(page: Page, judgement: Judgement | None, classifier: TermScorer, spans: SpanScorer) -> Rows:
    """Return the row of each link of a page."""
    if not page.links:
        return []
    each = stems_of(page.words, page.language)
    stems = list(chain.from_iterable(each))
    starts = np.array([0, *accumulate(map(len, each))])
    words = len(page.words)
    position = np.array([link.position for link in page.links])
    length = np.array([link.length for link in page.links])
    wide, narrow, anchor = (_windows(position, length, words, size) for size in (WIDE, NARROW, 0))
    found = spans.log_odds(stems, starts[np.concatenate([wide, narrow, anchor])])
    count = len(page.links)
    parts = (found[:count], found[count : 2 * count], found[2 * count :])
    whole = log_odds(page_relevance(page, judgement, classifier))
    blended = sum(share * part for share, part in zip(BLEND[:3], parts, strict=True)) + BLEND[3] * whole
    topic = np.argmax(blended, axis=1)
    rows = np.arange(count)
    tokens = [token(stem) for stem in stems]
    columns = zip(
        blended[rows, topic].tolist(),
        parts[0][rows, topic].tolist(),
        topic.tolist(),
        starts[narrow].tolist(),
        starts[anchor].tolist(),
        strict=True,
    )
    return [(value, fixed, float(k), *_tokens(tokens, near, own)) for value, fixed, k, near, own in columns]


def _windows(position: NDArray[np.int64], length: NDArray[np.int64], words: int, size: int) -> NDArray[np.int64]:
    """Return the text windows of all links at once, as `contexts.text_window` returns that of one."""
    first = np.minimum(position, words)
    last = np.minimum(first + length, words)
    start = np.maximum(0, first - size // 2)
    end = np.minimum(words, last + size - (first - start))
    return np.stack([np.maximum(0, first - (size - (end - last))), end], axis=1)


def _tokens(tokens: list[int], near: list[int], own: list[int]) -> list[float]:
    """Return the tokens of a link: first those of its anchor, then those of the words beside it."""
    inside = [float(TOKENS // 2 + number) for number in tokens[own[0] : own[1]][:IN_ANCHOR]]
    beside = (tokens[near[0] : own[0]] + tokens[own[1] : near[1]])[:BESIDE]
    return inside + [float(number) for number in beside]
