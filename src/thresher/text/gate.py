"""The language gate (Sizov): only pages in wanted languages, and with enough of them, are let in.

Every stop word of a wanted language counts +1, every one of another language -1, and a page whose sum is below `d_stop`
is turned away: it is in another language, or too short to say anything.

Word lists overlap, so that the signs need rules:

- A word of a wanted language counts +1 even where other languages have it too ("in", "die", "so"). Were shared words
  passed over, a fifth of the English pages we tried would lose more than they have.
- A word that is a stop word elsewhere but merely common in a wanted language ("war", "state", "see") counts nothing;
  the wide lists of `stop_words.py` tell which those are.
- Words of one character and numbers count nothing: they are initials and items of lists in every language.
- The other languages are those with a stemmer; in smaller lists there are names of countries and months.

What the lists cannot part (Danish from Norwegian, Slovak from Czech) the language identifier does: if it is sure of a
language that is not wanted, the page is turned away too. It alone decides for wanted languages that have no list, or
whose words are read as pairs of characters.
"""

from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import Final

from thresher.text.language import SURE, Identified, primary
from thresher.text.stems import ALGORITHMS
from thresher.text.stop_words import stop_words, wide_stop_words

D_STOP: Final = 3
"""Least sum of a page that is let in."""

_UNSPACED: Final = frozenset(["ja", "km", "lo", "my", "th", "zh"])


class LanguageGate:
    """Lets pages in `wanted` languages pass, named by their codes; `d_stop` is the least sum.

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
        """Return whether a page of these words, of which the identifier says `identified`, is in a wanted language."""
        if identified.confidence >= SURE:
            if identified.code not in self._wanted:
                return False
            if identified.code in self._unlisted:
                return True
        return self.weigh(words) >= self._d_stop

    def weigh(self, words: Iterable[str]) -> int:
        """Return the sum of the gate over words, in one pass with one look-up for each."""
        return sum(map(self._weights.get, map(str.lower, words), repeat(0)))


def _weights(wanted: frozenset[str]) -> dict[str, int]:
    """Return what each stop word counts."""
    others = frozenset(map(primary, ALGORITHMS)) - wanted
    foreign = {word for code in others for word in stop_words(code) if len(word) > 1 and not word.isdigit()}
    common = {word for code in wanted for word in wide_stop_words(code)}
    own = {word for code in wanted for word in stop_words(code)}
    return {**dict.fromkeys(foreign - common, -1), **dict.fromkeys(own, 1)}
