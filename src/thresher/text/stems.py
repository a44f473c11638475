"""Stems words with Snowball, for the languages it supports.

A language is an ISO 639-1 code; a region ("pt-BR") is ignored. Words of other languages are only lower-cased. Scripts
without spaces are read as pairs of characters (`words.py`), which are not stemmed either.
"""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

import Stemmer

from thresher.text.language import primary
from thresher.text.stop_words import stop_words

ALGORITHMS: Final = {
    "ar": "arabic",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "eo": "esperanto",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "ne": "nepali",
    "nl": "dutch",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "st": "sesotho",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}
"""Language codes and the Snowball algorithm of each."""

MAX_WORD: Final = 64
"""Longer words, in characters, are not words (keys, encoded data) and are not counted."""

MAX_PARTS: Final = 64
"""Maximum number of parts counted of a compound, so that no word counts like a whole text."""

_MEMO: Final = 1 << 16
_LANGUAGES: Final = 8

# Articles and pronouns that are written together with the next word, up to the apostrophe.
_ELIDED: Final = {
    "ca": frozenset(["d", "l", "m", "n", "s", "t"]),
    "fr": frozenset(["c", "d", "j", "jusqu", "l", "lorsqu", "m", "n", "puisqu", "qu", "quoiqu", "s", "t"]),
    "it": frozenset(["all", "c", "d", "dall", "dell", "l", "nell", "quell", "sull", "un"]),
}


class _Language:
    """The stemmer and stop words of one language, with a cache from written words to their stems.

    A stop word has no stem and a compound several, so counting takes one lookup for each different word.
    """

    def __init__(self, code: str) -> None:
        algorithm = ALGORITHMS.get(code)
        known = algorithm is not None and algorithm in Stemmer.algorithms()
        self._snowball = Stemmer.Stemmer(algorithm, 0) if known else None
        self._stop = stop_words(code)
        self._elided = _ELIDED.get(code, frozenset())
        self._memo: dict[str, tuple[str, ...]] = {}

    def stem(self, word: str) -> str:
        """Return the stem of a word in lower case."""
        # Some words are all ending, like the Dutch "'s", and Snowball leaves nothing of them.
        return str(self._snowball.stemWord(word)) or word if self._snowball else word

    def count(self, words: Iterable[str]) -> dict[str, int]:
        """Count the stems of words."""
        stems: dict[str, int] = {}
        get, known = stems.get, self._memo.get
        for word, number in Counter(words).items():
            counted = known(word)
            if counted is None:
                counted = self._remember(word)
            for stem in counted:
                stems[stem] = get(stem, 0) + number
        return stems

    def each(self, words: Iterable[str]) -> list[tuple[str, ...]]:
        """Return the stems of each word."""
        written = list(words)
        known = self._memo.get
        # The cache may be emptied while a page is read, so the words of the page are kept separately.
        counted = {word: self._remember(word) if (stems := known(word)) is None else stems for word in set(written)}
        return [counted[word] for word in written]

    def _parts(self, plain: str) -> list[str]:
        """Return the words of a compound, without stop words and elided articles."""
        parts = plain.split("-", MAX_PARTS)[:MAX_PARTS] if "-" in plain else [plain]
        if min(map(len, parts)) < 2:
            parts = [plain]
        if self._elided and "'" in plain:
            parts = [self._without_elision(part) for part in parts]
        return [part for part in parts if part not in self._stop]

    def _without_elision(self, word: str) -> str:
        first, apostrophe, rest = word.partition("'")
        return rest if apostrophe and rest and first in self._elided else word

    def _remember(self, word: str) -> tuple[str, ...]:
        plain = word.lower().replace("’", "'")
        counted = self._memo.get(plain) if plain != word else None
        if counted is None:
            counted = tuple(self.stem(part) for part in self._parts(plain) if len(part) <= MAX_WORD)
        if len(self._memo) >= _MEMO:
            self._memo.clear()
        if len(word) <= MAX_WORD:
            self._memo[word] = counted
        return counted


# Few languages are common; keeping the caches of all would take too much memory.
@lru_cache(maxsize=_LANGUAGES)
def _language(code: str) -> _Language:
    return _Language(code)


def stem(word: str, language: str) -> str:
    """Return the stem of a word in lower case, or the word in lower case if the language has no stemmer.

    >>> stem("Crawling", "en"), stem("Häuser", "de"), stem("Crawling", "xx")
    ('crawl', 'haus', 'crawling')
    """
    return _language(primary(language)).stem(word.lower().replace("’", "'"))


def count_stems(words: Iterable[str], language: str) -> dict[str, int]:
    """Return the stems of words with their counts, without stop words.

    A compound with hyphens counts by its parts, unless a part is a single character ("e-mail", "x-ray"). Elided
    articles and pronouns in French, Italian and Catalan do not belong to the word.

    >>> count_stems(["The", "hand-painted", "boats", "boat", "e-mail"], "en")
    {'hand': 1, 'paint': 1, 'boat': 2, 'e-mail': 1}
    """
    return _language(primary(language)).count(words)


def stems_of(words: Iterable[str], language: str) -> list[tuple[str, ...]]:
    """Return the stems of each word: none for a stop word, several for a compound.

    Counting the stems of a slice of the words gives the same as `count_stems` of that slice.

    >>> stems_of(["The", "hand-painted", "boats"], "en")
    [(), ('hand', 'paint'), ('boat',)]
    """
    return _language(primary(language)).each(words)
