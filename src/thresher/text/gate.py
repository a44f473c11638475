"""The language gate (Sizov): only admits pages with enough text in wanted languages.

Every stop word of a wanted language counts +1, every one of another language -1, and a page with a sum below `d_stop`
is rejected: it is in another language, or too short to tell.

Because word lists overlap, there are rules for the signs:

- A word of a wanted language counts +1 even if other languages have it too ("in", "die", "so"). If shared words were
  ignored, a fifth of the English pages we tried would be rejected.
- A stop word of another language that is merely common in a wanted language ("war", "state", "see") does not count; the
  wide lists of `stop_words.py` contain these.
- Single characters and numbers do not count: they are initials and list items in every language.
- The other languages are those with a stemmer; the lists of smaller languages contain names of countries and months.

The language identifier distinguishes languages that the lists cannot (Danish and Norwegian, Slovak and Czech): if it is
sure of an unwanted language, the page is also rejected. It alone decides for wanted languages without a list, or whose
words are read as pairs of characters.
"""

from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import Final

from thresher.text.language import SURE, Identified, primary
from thresher.text.stems import ALGORITHMS
from thresher.text.stop_words import stop_words, wide_stop_words

D_STOP: Final = 3
"""Minimum sum of an admitted page."""

_UNSPACED: Final = frozenset(["ja", "km", "lo", "my", "th", "zh"])


class LanguageGate:
    """Admits pages in the `wanted` languages, given by code; `d_stop` is the minimum sum.

    >>> gate = LanguageGate(["en"], d_stop=2)
    >>> gate.weigh("This is where they live".split()), gate.weigh("Sie wohnen auf der Insel".split())
    (4, -3)
    """

    def __init__(self, wanted: Iterable[str], d_stop: int = D_STOP) -> None:
        self._wanted = frozenset(map(primary, wanted)) - {""}
        self._d_stop = d_stop
        self._unlisted = frozenset(code for code in self._wanted if code in _UNSPACED or not stop_words(code))
        self._weights = _weights(self._wanted - _UNSPACED)

    def passes(self, words: Sequence[str], identified: Identified) -> bool:
        """Return whether a page with these words, identified as `identified`, is in a wanted language."""
        if identified.confidence >= SURE:
            if identified.code not in self._wanted:
                return False
            if identified.code in self._unlisted:
                return True
        return self.weigh(words) >= self._d_stop

    def weigh(self, words: Iterable[str]) -> int:
        """Return the sum of the gate over words, in one pass with one lookup for each."""
        return sum(map(self._weights.get, map(str.lower, words), repeat(0)))


def _weights(wanted: frozenset[str]) -> dict[str, int]:
    """Return the weight of each stop word."""
    others = frozenset(map(primary, ALGORITHMS)) - wanted
    foreign = {word for code in others for word in stop_words(code) if len(word) > 1 and not word.isdigit()}
    common = {word for code in wanted for word in wide_stop_words(code)}
    own = {word for code in wanted for word in stop_words(code)}
    return {**dict.fromkeys(foreign - common, -1), **dict.fromkeys(own, 1)}
