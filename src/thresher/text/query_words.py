"""The words of a query, and their stems in the language of a page."""

from collections.abc import Mapping
from functools import cached_property
from typing import Final

from thresher.text.general_language import frequencies
from thresher.text.language import identify
from thresher.text.stems import stems_of
from thresher.text.words import words

MOST: Final = 32
"""Maximum number of words in a query; nobody means all words of a pasted text."""

USUAL: Final = "en"
"""The language assumed for queries too short to identify."""

_RAREST: Final = 5e-6
"""The share assumed for words in no list; the lists end at one in 200,000."""


class QueryWords:
    """The searchable words of a query, each once and without stop words.

    `words` are as written, numbered by position. Without a `language`, it is identified from the words.

    >>> query = QueryWords("The boats and the Boat of Häuser")
    >>> query.words, query.stems("en"), query.stems("de")["haus"]
    (('boats', 'Häuser'), {'boat': 0, 'häuser': 1}, 1)
    """

    def __init__(self, text: str, language: str = "") -> None:
        found = words(text)
        self.language = language or identify(found).code or USUAL
        known: dict[str, str] = {}
        for word, stems in zip(found, stems_of(found, self.language), strict=True):
            if stems and len(known) < MOST:
                known.setdefault(" ".join(stems), word)
        self.words = tuple(known.values())
        self._stems: dict[str, Mapping[str, int]] = {}

    def stems(self, language: str) -> Mapping[str, int]:
        """Return the stems of the words in a language ("" for the query's own), each with the number of its word.

        A compound has several stems. Words without meaning in the language have none.
        """
        code = language or self.language
        if code not in self._stems:
            each = enumerate(stems_of(self.words, code))
            self._stems[code] = {stem: number for number, stems in each for stem in stems}
        return self._stems[code]

    @cached_property
    def general(self) -> tuple[float, ...]:
        """The share of each word in running text of the query's language."""
        known = frequencies(self.language)
        shares = [_RAREST] * len(self.words)
        for stem, number in self.stems(self.language).items():
            shares[number] = max(shares[number], known.get(stem, 0.0))
        return tuple(shares)
