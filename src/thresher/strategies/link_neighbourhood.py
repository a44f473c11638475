"""The words of a link's neighbourhood: its anchor, the words around it and its URL, as hashed numbers.

The three fields never share a number, so a word in the anchor is different evidence from the same word next to it.
"""

import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

import xxhash

from thresher.strategies.contexts import PageStems, text_window
from thresher.text.stop_words import stop_words
from thresher.types import Link

AROUND, URL, ANCHOR = range(3)
FIELD: Final = 1 << 15
"""Size of the number range of one field."""

MOST: Final = 100
"""Maximum number of features of a link, to fit into a memo."""

_URL_WORD: Final = re.compile(r"[^\W_]+")


def field_of(feature: int) -> int:
    """Return the field a feature belongs to.

    >>> [field_of(feature) for feature in features(Link("http://a.test/boats", "", 0, 0), 0, PageStems([], "en"))]
    [1]
    """
    return feature // FIELD


def features(link: Link, words: int, stems: PageStems, around: int = 10, language: str = "en") -> list[int]:
    """Return the features of a link in ascending order, each once.

    They represent the stems of its anchor, those of `around` words on either side, and the words of its URL after the
    host; `words` is the number of words on the page.
    """
    first, last = link.position, min(link.position + link.length, words)
    start, end = text_window(link, words, 2 * around)
    found = _hashed(ANCHOR, stems.bag((min(first, words), last)))
    found += _hashed(URL, _url_words(link.url, language))
    found += _hashed(AROUND, (stems.bag((start, min(first, words))) + stems.bag((last, end))))
    return sorted(dict.fromkeys(found[:MOST]))


def _url_words(url: str, language: str) -> list[str]:
    parts = urlsplit(url)
    stop = stop_words(language)
    return [word for word in _URL_WORD.findall(f"{parts.path} {parts.query}".lower()) if word not in stop]


def _hashed(field: int, words: Iterable[str]) -> list[int]:
    return [field * FIELD + xxhash.xxh3_64_intdigest(word.encode()) % FIELD for word in words]
