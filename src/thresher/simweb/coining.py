"""Coined words: pronounceable, with the sound of a language, and never a real function word."""

from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

import numpy as np


class Sounds(NamedTuple):
    """The building blocks of a language's syllables."""

    onsets: tuple[str, ...]
    vowels: tuple[str, ...]
    codas: tuple[str, ...]


def _sounds(onsets: str, vowels: str, codas: str) -> Sounds:
    """Read sounds separated by spaces; a dash means none, and a repeated sound is twice as frequent."""
    return Sounds(*(tuple(sound.strip("-") for sound in sounds.split()) for sounds in (onsets, vowels, codas)))


SOUNDS: Final = {
    "en": _sounds(
        "b br c ch cl cr d dr f fl g gl gr h j k l m n p pl pr r s sh sl sp st t th tr v w",
        "a e i o u a e i o ai ea ee oa ou",
        "- - n r l m t nd rt st ck ng ld sk",
    ),
    "de": _sounds(
        "b bl br d dr f fl fr g gr h k kl kn kr l m n p pf r s sch schl schw sp st t tr w z zw",
        "a e i o u a e i o ä ö ü ei au eu ie",
        "- n r l m cht ng tz lk rg nk st ßen el er",
    ),
    "fr": _sounds(
        "b bl br c ch cl d f fl g gr j l m n p pl pr qu r s t tr v vr",
        "a e i o u é è a e i o ou oi eau ai",
        "- - n r l s t que gne lle mme tte ble",
    ),
}


@cache
def function_words(language: str) -> tuple[str, ...]:
    """Return the real function words of a language, most frequent first.

    >>> function_words("en")[:3]
    ('the', 'of', 'and')
    """
    text = files("thresher.simweb").joinpath("words", f"{language}.txt").read_text(encoding="utf-8")
    return tuple(dict.fromkeys(text.split()))


def coin(rng: np.random.Generator, language: str, count: int, taken: set[str]) -> list[str]:
    """Return `count` new words of two or three syllables and add them to `taken`.

    >>> words = coin(np.random.default_rng(1), "en", 50, set())
    >>> len(set(words)), min(map(len, words)) >= 4
    (50, True)
    """
    onsets, vowels, codas = SOUNDS[language]
    real = set(function_words(language))
    coined: list[str] = []
    while len(coined) < count:
        draws = rng.integers(0, 2**31, size=(2 * (count - len(coined)) + 16, 8)).tolist()
        for length, a, b, c, d, e, f, g in draws:
            word = onsets[a % len(onsets)] + vowels[b % len(vowels)] + onsets[c % len(onsets)] + vowels[d % len(vowels)]
            if length % 5 < 2:
                word += onsets[e % len(onsets)] + vowels[f % len(vowels)]
            word += codas[g % len(codas)]
            if len(word) >= 4 and word not in taken and word not in real and len(coined) < count:
                taken.add(word)
                coined.append(word)
    return coined


def rare_word(number: int, language: str) -> str:
    """Return the coined word for a number: a word that hardly any other page has.

    >>> rare_word(123456789, "en") == rare_word(123456789, "en")
    True
    """
    onsets, vowels, codas = SOUNDS[language]
    word = ""
    for _ in range(3):
        number, onset = divmod(number, len(onsets))
        number, vowel = divmod(number, len(vowels))
        word += onsets[onset] + vowels[vowel]
    return word + codas[number % len(codas)]
