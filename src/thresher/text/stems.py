"""Stems of words by Snowball, for the languages it knows.

A language is an ISO 639-1 code; a region ("pt-BR") is passed over. Words of other languages are only put into lower
case.
"""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

import Stemmer
import stopwordsiso

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
    "nb": "norwegian",
    "nn": "norwegian",
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
"""Longer words, in characters, are no words (keys, encoded data) and are not counted."""

_MEMO: Final = 1 << 17


class _Language:
    """The stemmer and the stop words of one language, with a memo from words as written to what they count for.

    A stop word counts for no stem, a compound for several, so that counting takes one look-up for each different word.
    """

    def __init__(self, code: str) -> None:
        algorithm = ALGORITHMS.get(code)
        known = algorithm is not None and algorithm in Stemmer.algorithms()
        self._snowball = Stemmer.Stemmer(algorithm, 0) if known else None
        self._stop = stop_words(code)
        self._memo: dict[str, tuple[str, ...]] = {}

    def stem(self, word: str) -> str:
        """Return the stem of a word in lower case."""
        return str(self._snowball.stemWord(word)) if self._snowball else word

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
        """Give for each word the stems it counts for."""
        written = list(words)
        found = list(map(self._memo.get, written))
        return [self._remember(word) if stems is None else stems for word, stems in zip(written, found, strict=True)]

    def _remember(self, word: str) -> tuple[str, ...]:
        plain = word.lower().replace("’", "'")
        counted = self._memo.get(plain) if plain != word else None
        if counted is None:
            parts = plain.split("-") if "-" in plain else [plain]
            if min(map(len, parts)) < 2:
                parts = [plain]
            counted = tuple(self.stem(part) for part in parts if part not in self._stop and len(part) <= MAX_WORD)
        if len(self._memo) >= _MEMO:
            self._memo.clear()
        if len(word) <= MAX_WORD:
            self._memo[word] = counted
        return counted


@lru_cache(maxsize=len(ALGORITHMS) + 32)
def _language(code: str) -> _Language:
    return _Language(code)


def _primary(language: str) -> str:
    return language.replace("_", "-").partition("-")[0].lower()


@lru_cache(maxsize=128)
def stop_words(language: str) -> frozenset[str]:
    """Return the stop words of a language in lower case; none where the language is unknown.

    >>> "the" in stop_words("en"), stop_words("xx")
    (True, frozenset())
    """
    code = _primary(language)
    code = "no" if code in ("nb", "nn") else code
    if not stopwordsiso.has_lang(code):
        return frozenset()
    return frozenset(word.lower() for word in stopwordsiso.stopwords(code))


def stem(word: str, language: str) -> str:
    """Return the stem of a word in lower case, or the word in lower case where the language has no stemmer.

    >>> stem("Crawling", "en"), stem("Häuser", "de"), stem("Crawling", "xx")
    ('crawl', 'haus', 'crawling')
    """
    return _language(_primary(language)).stem(word.lower().replace("’", "'"))


def count_stems(words: Iterable[str], language: str) -> dict[str, int]:
    """Return the stems of words with their counts, stop words left out.

    A compound with hyphens counts by its parts, except where a part is a single character ("e-mail", "x-ray").

    >>> count_stems(["The", "hand-painted", "boats", "boat", "e-mail"], "en")
    {'hand': 1, 'paint': 1, 'boat': 2, 'e-mail': 1}
    """
    return _language(_primary(language)).count(words)


def stems_of(words: Iterable[str], language: str) -> list[tuple[str, ...]]:
    """Return for each word the stems it counts for: none for a stop word, several for a compound.

    Counting the stems of a slice of the words gives the same as `count_stems` of that slice.

    >>> stems_of(["The", "hand-painted", "boats"], "en")
    [(), ('hand', 'paint'), ('boat',)]
    """
    return _language(_primary(language)).each(words)
