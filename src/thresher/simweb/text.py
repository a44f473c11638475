"""The running text of a page: common words, words of its theme, a few of another theme and some rare ones.

A page uses only a few words of its theme and repeats them, as authors do; two pages of one topic may share little.
"""

from array import array
from collections.abc import Iterable
from random import Random
from typing import Final

from thresher.simweb.coining import rare_word
from thresher.simweb.pages import PageKind
from thresher.simweb.vocabulary import BASE_TABLE, THEME_TABLE
from thresher.simweb.web import Web

_FOCUS: Final = 40
_RARE_WORDS: Final = 5
_CHANGED: Final = 0.02
_MOST: Final = 1024
_EVERY_16_BITS: Final = int.from_bytes(b"\x01\x00" * _MOST, "little")
_MIX: Final = 0x9E3779B97F4A7C15


def randomness(web: Web, page: int) -> Random:
    """Return the page's own source of random choices."""
    return Random((web.parameters.seed * _MIX + int(page) * 2 + 1) % (1 << 64))


def page_words(web: Web, page: int, rng: Random) -> list[str]:
    """Return the words of a page in reading order; a near-duplicate differs from its original in a few of them."""
    pages = web.pages
    original = int(pages.original[page])
    if original >= 0 and pages.kind_of(page) is PageKind.NEAR_DUPLICATE:
        words = page_words(web, original, rng)
        return _changed(words, web.vocabulary.base[_language(web, page)], randomness(web, page))
    count = int(pages.words[page])
    words = base_words(web, _language(web, page), count, rng)
    _scatter(web, words, int(pages.theme[page]), float(pages.strength[page]), rng)
    _scatter(web, words, int(pages.second[page]), float(pages.second_strength[page]), rng)
    for _ in range(_RARE_WORDS if count else 0):
        words[int(rng.random() * count)] = rare_word(rng.getrandbits(40), _language(web, page))
    return words


def base_words(web: Web, language: str, count: int, rng: Random) -> list[str]:
    """Return function and background words of a language."""
    return list(map(web.vocabulary.base[language].__getitem__, _places(rng, count, BASE_TABLE)))


def _places(rng: Random, count: int, size: int) -> Iterable[int]:
    """Draw numbers below `size`, a power of two, with one call for all of them."""
    bits = rng.getrandbits(16 * count) if count else 0
    return array("H", (bits & _EVERY_16_BITS * (size - 1)).to_bytes(2 * _MOST, "little")[: 2 * count])


def _language(web: Web, page: int) -> str:
    return web.hosts[int(web.pages.host[page])].language


def _scatter(web: Web, words: list[str], theme: int, share: float, rng: Random) -> None:
    """Replace a share of the words with words of a theme."""
    count = len(words)
    replaced = int(count * share + 0.5)
    if theme < 0 or not replaced:
        return
    table = web.vocabulary.tables[theme]
    focus = list(map(table.__getitem__, _places(rng, min(_FOCUS, replaced), THEME_TABLE)))
    size = len(focus)
    draws = _places(rng, 3 * replaced, 1 << 16)
    for place, one, two in zip(*[iter(draws)] * 3, strict=True):
        # The product of two draws prefers the first words of the focus: some are repeated often, some said once.
        words[place * count >> 16] = focus[one * two * size >> 32]


def _changed(words: list[str], table: list[str], rng: Random) -> list[str]:
    for _ in range(max(2, int(len(words) * _CHANGED))):
        words[int(rng.random() * len(words))] = table[rng.getrandbits(13)]
    return words
