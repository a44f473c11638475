"""Stop words: function words, which say nothing about a text's topic.

For the most common languages, Thresher has its own strict lists in `stopwords/`: articles, pronouns, prepositions,
conjunctions, auxiliaries and plain adverbs. All others use the lists of the stopwords-iso collection. Those are wide:
the English one has 1,298 entries, among them `computer`, `research` and `system`, the German one `mensch` and `recht`,
which can be topics. A word too many in a list costs a classifier a feature; a missing word only costs time.
"""

from functools import lru_cache
from importlib import resources
from typing import Final

from thresher.text.language import primary

_OWN: Final = frozenset(["de", "en", "es", "fr", "it", "nl", "pt", "ru", "sv"])


@lru_cache(maxsize=128)
def stop_words(language: str) -> frozenset[str]:
    """Return the stop words of a language in lower case; empty if the language is unknown.

    >>> "the" in stop_words("en"), "computer" in stop_words("en"), stop_words("xx")
    (True, False, frozenset())
    """
    code = primary(language)
    if code in _OWN:
        return frozenset(resources.files("thresher.text").joinpath("stopwords", f"{code}.txt").read_text().split())
    return wide_stop_words(code)


@lru_cache(maxsize=128)
def wide_stop_words(language: str) -> frozenset[str]:
    """Return the wide list of stop words of a language, with words that are often but not always insignificant.

    >>> "computer" in wide_stop_words("en")
    True
    """
    # Loading it takes longer than everything else here, and most portals need none of its lists.
    import stopwordsiso

    code = primary(language)
    if not stopwordsiso.has_lang(code):
        return frozenset()
    return frozenset(word.lower() for word in stopwordsiso.stopwords(code))
