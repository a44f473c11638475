"""Identifies the language of a text offline, with CLD2, from a sample of its words.

CLD2 looks at sequences of four letters, or at single characters in scripts without spaces; it knows far more languages
than there are stemmers. It gives no probability, only the share of the text assigned to a language and whether it is
sure; the confidence here combines both.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import pycld2

SAMPLE: Final = 160
"""Number of words in the sample."""

SURE: Final = 0.5
"""Confidence above which the text's own claim is ignored."""

_PIECES: Final = 8
_LONGEST: Final = 24
# Old codes, and variants of one language that its stemmer does not distinguish.
_NAMES: Final = {"iw": "he", "jw": "jv", "in": "id", "ji": "yi", "mo": "ro", "nb": "no", "nn": "no", "un": "", "xx": ""}
# The identifier reads a few bytes ahead.
_PADDING: Final = " " * 8


class Identified(NamedTuple):
    """A language as an ISO 639 code, "" if it is unknown, and a confidence from 0 to 1."""

    code: str
    confidence: float


UNKNOWN: Final = Identified("", 0.0)


def identify(words: Sequence[str], claim: str = "") -> Identified:
    """Return the language of the words of a text, in order.

    `claim` is the language the text says it is in, as in `de` or `pt-BR`; it decides only if the words leave doubt,
    because many pages claim the language of the program that created them. `SAMPLE` words from all over the text are
    used, since pages often begin with a menu in another language.

    >>> identify("Ich weiß nicht, wann der Zug kommt, aber ich warte hier bis zum Abend".split(), claim="en").code
    'de'
    >>> identify(["OK"], claim="fr-CA"), identify(["42"])
    (Identified(code='fr', confidence=0.0), Identified(code='', confidence=0.0))
    """
    found = _by_words(words)
    if found.confidence >= SURE:
        return found
    claimed = primary(claim)
    return Identified(claimed, found.confidence if claimed == found.code else 0.0) if claimed else found


def primary(code: str) -> str:
    """Return the language of a code without region and script, "" if it is not a language code.

    >>> primary("pt-BR"), primary("nb_NO"), primary("english")
    ('pt', 'no', '')
    """
    language = code.replace("_", "-").partition("-")[0].strip().lower()
    if not (2 <= len(language) <= 3 and language.isascii() and language.isalpha()):
        return ""
    return _NAMES.get(language, language)


def _by_words(words: Sequence[str]) -> Identified:
    """Return the identifier's result for a sample; half the confidence if it is not sure."""
    text = " ".join(word[:_LONGEST] for word in _sample(words)) + _PADDING
    try:
        sure, _, found = pycld2.detect(text)
    except (pycld2.error, UnicodeEncodeError):
        # Noncharacters, or half of a surrogate pair.
        return UNKNOWN
    _, code, percent, _ = found[0]
    language = primary(code)
    return Identified(language, percent / 100 if sure else percent / 200) if language else UNKNOWN


def _sample(words: Sequence[str]) -> Sequence[str]:
    """Return pieces from all over the text."""
    if len(words) <= SAMPLE:
        return words
    length = SAMPLE // _PIECES
    step = (len(words) - length) // (_PIECES - 1)
    return [word for piece in range(_PIECES) for word in words[piece * step : piece * step + length]]
