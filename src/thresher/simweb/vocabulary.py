"""Vocabularies: the words used for each topic, and the words used for anything.

A *theme* is a subject of pages: first the topics of the tree, in its order, then the off-topic interests of the main
language, then those of each further language. A theme has words of its own, words it shares with its parent topic,
ambiguous words that several themes use, and common words of the language. All are sampled once into tables, so a page
picks a word with one index.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from thresher.simweb.coining import coin, function_words
from thresher.simweb.english import English
from thresher.simweb.parameters import WebParameters
from thresher.simweb.topics import TopicTree

BASE_TABLE: Final = 1 << 13
THEME_TABLE: Final = 1 << 12

_BACKGROUND: Final = 2500
_OWN: Final = 240
_AMBIGUOUS_POOL: Final = 700
_AMBIGUOUS: Final = 80
_COMMON: Final = 40
_FOREIGN_INTERESTS: Final = 4

_SHIFT: Final = 0.8
_EXPONENT: Final = 1.15
_FUNCTION_SHARE: Final = 0.45
_AMBIGUOUS_SHARE: Final = 0.15
_COMMON_SHARE: Final = 0.05
_PARENT_SHARE: Final = 0.38
"""Share of the words about a sub-topic that also belong to its parent topic."""


class Vocabulary:
    """The words of one generated web.

    `tree` has the topics; `base[language]` is a table of `BASE_TABLE` function and background words, `tables[theme]`
    one of `THEME_TABLE` words of a theme, `language[theme]` its language; `interests[language]` are the off-topic
    themes of a language; `brands` are words for the names of hosts. If the words are English, `english` writes with
    them; the tables then have each word of a theme once, and there are no base words or brands.
    """

    def __init__(self, parameters: WebParameters) -> None:
        self.english: English | None = None
        self.brands: list[str] = []
        self.base: dict[str, list[str]] = {}
        self.tables: list[list[str]] = []
        self.language: list[str] = []
        self.interests: dict[str, list[int]] = {}
        if parameters.words == "english":
            self._use_english(parameters)
        else:
            self._coin(parameters)

    def _use_english(self, parameters: WebParameters) -> None:
        self.english = English(parameters.depth, parameters.breadth, parameters.languages)
        names = [theme.name for theme in self.english.themes]
        self.tree = TopicTree(names[: self.english.topics], parameters.breadth)
        self.tables = [self.english.words(theme) for theme in range(len(names))]
        self.language = self.english.language
        self.interests = self.english.interests

    def _coin(self, parameters: WebParameters) -> None:
        rng = np.random.default_rng([parameters.seed, 1])
        main = parameters.languages[0]
        taken: set[str] = set()
        self.tree = TopicTree(coin(rng, main, parameters.topics, taken), parameters.breadth)
        self.brands = coin(rng, "en", parameters.hosts + parameters.hosts // 20 + 40, taken)
        for language in parameters.languages:
            background = coin(rng, language, _BACKGROUND, taken)
            self.base[language] = _base_table(rng, language, background)
            topics = len(self.tree) if language == main else 0
            interests = max(8, topics // 2) if language == main else _FOREIGN_INTERESTS
            first = len(self.tables)
            self._add_themes(rng, language, background, topics, interests, taken)
            self.interests[language] = list(range(first + topics, first + topics + interests))

    def _add_themes(
        self,
        rng: np.random.Generator,
        language: str,
        background: list[str],
        topics: int,
        interests: int,
        taken: set[str],
    ) -> None:
        pool = coin(rng, language, _AMBIGUOUS_POOL, taken)
        for theme in range(topics + interests):
            own = coin(rng, language, _OWN, taken)
            if theme < topics:
                own[-1] = self.tree.names[theme]
            parent = self.tree.parents[theme] if theme < topics else -1
            inherited = _PARENT_SHARE if parent >= 0 else 0.0
            parts = [
                _falling(rng, own, 1.0 - inherited - _AMBIGUOUS_SHARE - _COMMON_SHARE),
                _falling(rng, _some(rng, pool, _AMBIGUOUS), _AMBIGUOUS_SHARE),
                _falling(rng, _some(rng, background, _COMMON), _COMMON_SHARE),
            ]
            if parent >= 0:
                parts.append(_some(rng, self.tables[parent], round(THEME_TABLE * inherited)))
            self.tables.append(_shuffled(rng, parts))
            self.language.append(language)


def zipf(count: int, shift: float, exponent: float) -> NDArray[np.float64]:
    """Return decreasing probabilities of `count` ranks, proportional to (rank + shift) to the power of -exponent.

    >>> zipf(3, 1.0, 1.0).round(3).tolist()
    [0.545, 0.273, 0.182]
    """
    weights = (np.arange(count) + shift) ** -exponent
    return np.asarray(weights / weights.sum())


def _some(rng: np.random.Generator, words: list[str], count: int) -> list[str]:
    return [words[index] for index in rng.choice(len(words), count, replace=False).tolist()]


def _falling(rng: np.random.Generator, words: list[str], share: float, size: int = THEME_TABLE) -> list[str]:
    """Draw a share of a table from words whose frequencies decrease with their rank."""
    chosen = rng.choice(len(words), round(size * share), p=zipf(len(words), _SHIFT, _EXPONENT))
    return [words[index] for index in chosen.tolist()]


def _shuffled(rng: np.random.Generator, parts: list[list[str]], size: int = THEME_TABLE) -> list[str]:
    """Mix the parts of a table, and correct its size if rounding has made it a word too long or too short."""
    table = [word for part in parts for word in part]
    table += table[: size - len(table)]
    return [table[index] for index in rng.permutation(len(table))[:size].tolist()]


def _base_table(rng: np.random.Generator, language: str, background: list[str]) -> list[str]:
    function = _falling(rng, list(function_words(language)), _FUNCTION_SHARE, BASE_TABLE)
    return _shuffled(rng, [function, _falling(rng, background, 1.0 - _FUNCTION_SHARE, BASE_TABLE)], BASE_TABLE)
