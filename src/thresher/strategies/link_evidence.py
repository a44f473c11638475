"""The evidence a page gives for each of its links: log-odds of the surrounding words, the anchor and the page itself.

All windows of a page are judged at once.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, compress
from math import log
from typing import Final

import numpy as np
import xxhash
from msgspec import Struct
from numpy.typing import NDArray

from thresher.protocols import SpanScorer, TermScorer
from thresher.strategies.asking import page_relevance
from thresher.text.stems import stems_of
from thresher.types import Judgement, ParsedPage

Spans = NDArray[np.int64]
"""A row (start, end) per link."""

WIDE: Final = 40
"""Words in the wide window, as in the best of the fixed scorers."""

NARROW: Final = 10
"""Words in the narrow window."""

BLEND: Final = (0.3, 0.5, 0.2, 0.2)
"""Weights of the wide window, the narrow window, the anchor and the page in the evidence of a link."""

TOKENS: Final = 1 << 15
"""Number of tokens; the lower half is for words next to the anchor, the upper half for the anchor."""

IN_ANCHOR: Final = 4
BESIDE: Final = 8
"""Maximum number of tokens of a link."""

_SUREST: Final = 1e-6
_STRONGEST: Final = 30.0


def log_odds(probability: float) -> float:
    """Return the log-odds of a probability, within ±13.8; NaN counts as improbable.

    >>> log_odds(0.5), round(log_odds(1.0), 1), round(log_odds(float("nan")), 1)
    (0.0, 13.8, -13.8)
    """
    # The order matters: given a number and NaN, `min` and `max` return their first argument.
    bounded = max(_SUREST, min(probability, 1.0 - _SUREST))
    return log(bounded / (1.0 - bounded))


class LinkEvidence(Struct, frozen=True, array_like=True, gc=False):
    """What a page says about one of its links.

    `value` is the blended log-odds and `fixed` that of the wide window alone, both for the best topic, whose number is
    `topic`; `tokens` are the hashed stems of the anchor and of the words beside it.
    """

    value: float
    fixed: float
    topic: int
    tokens: list[int]


@lru_cache(maxsize=1 << 16)
def token_beside(stem: str) -> int:
    """Return the number of a stem among the words beside an anchor.

    >>> 0 <= token_beside("boat") < TOKENS // 2
    True
    """
    return xxhash.xxh3_64_intdigest(stem.encode()) % (TOKENS // 2)


@lru_cache(maxsize=1 << 15)
def token_inside(stem: str) -> int:
    """Return the number of a stem in an anchor.

    >>> token_inside("boat") == TOKENS // 2 + token_beside("boat")
    True
    """
    return TOKENS // 2 + token_beside(stem)


class BagByBag:
    """Judges spans bag by bag, for classifiers without a faster way; one unnamed topic."""

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
    """Return a span scorer for a classifier."""
    if isinstance(classifier, SpanScorer) and classifier.subjects():
        return classifier
    return BagByBag(classifier)


def evidence(
    page: ParsedPage, judgement: Judgement | None, classifier: TermScorer, spans: SpanScorer
) -> list[LinkEvidence]:
    """Return what a page says about each of its links."""
    if not page.links:
        return []
    position = np.array([link.position for link in page.links])
    length = np.array([link.length for link in page.links])
    windows = [_windows(position, length, len(page.words), size) for size in (WIDE, NARROW, 0)]
    stems, (wide, narrow, anchor) = _stemmed(page, windows)
    said = spans.log_odds(stems, np.concatenate([wide, narrow, anchor]))
    # A single NaN would spoil the mean of all links, and with it every later score.
    found = np.fmin(np.fmax(said, -_STRONGEST), _STRONGEST)
    count = len(page.links)
    parts = (found[:count], found[count : 2 * count], found[2 * count :])
    whole = log_odds(page_relevance(page, judgement, classifier))
    blended = BLEND[0] * parts[0] + BLEND[1] * parts[1] + BLEND[2] * parts[2] + BLEND[3] * whole
    topic = np.argmax(blended, axis=1)
    rows = np.arange(count)
    columns = zip(
        blended[rows, topic].tolist(),
        parts[0][rows, topic].tolist(),
        topic.tolist(),
        narrow.tolist(),
        anchor.tolist(),
        strict=True,
    )
    return [LinkEvidence(value, fixed, k, _tokens(stems, near, own)) for value, fixed, k, near, own in columns]


def _stemmed(page: ParsedPage, windows: list[Spans]) -> tuple[list[str], list[Spans]]:
    """Return the stems of the words in any of the windows, the widest first, and the windows as spans of them."""
    # A word is covered if more windows have begun than ended.
    size = len(page.words) + 1
    begun, ended = (np.bincount(windows[0][:, side], minlength=size) for side in (0, 1))
    covered = np.cumsum((begun - ended)[:-1]) > 0
    each = stems_of(compress(page.words, covered.tolist()), page.language)
    # For each word: the number of covered words before it, and then of their stems.
    kept, starts = np.zeros(size, np.int64), np.zeros(len(each) + 1, np.int64)
    np.cumsum(covered, out=kept[1:])
    np.cumsum(np.fromiter(map(len, each), np.int64, len(each)), out=starts[1:])
    return list(chain.from_iterable(each)), [starts[kept[window]] for window in windows]


def _windows(position: NDArray[np.int64], length: NDArray[np.int64], words: int, size: int) -> Spans:
    """Return the text windows of all links at once, as `contexts.text_window` does for one link."""
    first = np.minimum(position, words)
    last = np.minimum(first + length, words)
    start = np.maximum(0, first - size // 2)
    end = np.minimum(words, last + size - (first - start))
    return np.stack([np.maximum(0, first - (size - (end - last))), end], axis=1)


def _tokens(stems: list[str], near: list[int], own: list[int]) -> list[int]:
    """Return the tokens of a link: first those of its anchor, then those of the words beside it."""
    start, end = own
    inside = stems[start : min(end, start + IN_ANCHOR)]
    # Copy no more than needed: a compound can have a thousand stems, with ten thousand links next to it.
    before = stems[near[0] : min(start, near[0] + BESIDE)]
    after = stems[end : min(near[1], end + BESIDE - len(before))]
    return [*map(token_inside, inside), *map(token_beside, before), *map(token_beside, after)]
