"""The background: general-language documents, used as negatives for every topic in addition to its siblings.

They are drawn word by word from the frequencies of a language (`text/general_language.py`). They have no subject: they
say how common each stem is, and nothing about which pages belong to a topic.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from thresher.text.general_language import frequencies
from thresher.text.language import primary
from thresher.types import ParsedPage

DOCUMENTS: Final = 200
"""Total number of documents; 60 do nearly as well as 400."""

WORDS: Final = 150
"""Number of words in a document without stop words, as in a page of moderate length."""

LANGUAGES: Final = 4
"""Maximum number of languages, most frequent first, that share the documents."""

FALLBACK: Final = "en"
SCHEME: Final = "background:"


def background(pages: Iterable[ParsedPage], number: int = DOCUMENTS) -> list[ParsedPage]:
    """Return documents in the languages of pages, as pages without a URL; in English if no language has a list.

    >>> texts = background([ParsedPage(url="", title="", words=[], links=[], language="de")], 2)
    >>> [(text.url, text.language, sum(text.terms.values())) for text in texts]
    [('background:de/1', 'de', 150), ('background:de/2', 'de', 150)]
    """
    counted = Counter(primary(page.language) for page in pages if page.language and not is_background(page))
    known = [code for code, _ in sorted(counted.items(), key=lambda item: (-item[1], item[0])) if frequencies(code)]
    chosen = known[:LANGUAGES] or [FALLBACK]
    shares = [number // len(chosen) + (place < number % len(chosen)) for place in range(len(chosen))]
    return [page for code, share in zip(chosen, shares, strict=True) for page in _drawn(code, share)]


def is_background(page: ParsedPage) -> bool:
    """Return whether a page is a background document."""
    return page.url.startswith(SCHEME)


@lru_cache(maxsize=2 * LANGUAGES)
def _drawn(language: str, number: int) -> Sequence[ParsedPage]:
    shares = frequencies(language)
    stems = np.array(list(shares))
    weights = np.fromiter(shares.values(), np.float64)
    draws = np.random.default_rng(0).choice(stems, (number, WORDS), p=weights / weights.sum())
    return [
        ParsedPage(
            url=f"{SCHEME}{language}/{place}",
            title="",
            words=[],
            links=[],
            terms=dict(Counter(draw.tolist())),
            language=language,
        )
        for place, draw in enumerate(draws, 1)
    ]
