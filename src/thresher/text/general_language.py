"""Frequencies of stems in general language, that is, in text about no particular subject.

The lists in `frequencies/` contain the words of 25 languages down to one in 200,000.
"""

import lzma
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Final

from thresher.text.language import primary
from thresher.text.stems import ALGORITHMS, count_stems

_FOLDER: Final = resources.files("thresher.text").joinpath("frequencies")


@lru_cache(maxsize=4)
def frequencies(language: str) -> Mapping[str, float]:
    """Return the share of each stem in running text, without stop words; empty for a language without a list.

    >>> english = frequencies("en")
    >>> english["time"] > english["galaxi"] > 0, english.get("sympi"), frequencies("xx")
    (True, None, {})
    """
    code = primary(language)
    file = _FOLDER.joinpath(f"{code}.txt.xz")
    if code not in ALGORITHMS or not file.is_file():
        return {}
    found: dict[str, float] = {}
    for line in lzma.decompress(file.read_bytes()).decode().splitlines():
        level, *words = line.split()
        share = 10.0 ** (-int(level) / 10)
        for stem, number in count_stems(words, code).items():
            found[stem] = found.get(stem, 0.0) + number * share
    return found
