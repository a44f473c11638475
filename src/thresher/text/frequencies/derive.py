"""Derives the lists in this folder: `python -m thresher.text.frequencies.derive WHEEL`.

WHEEL is the file of the package wordfreq 3.1.1 (its data: CC BY-SA 4.0, see README.md). A list has a line for each
frequency level: the level, in decibels below every word, then the words of that level. A word of level 50 is one in
100,000 of running text.
"""

import gzip
import lzma
import sys
from pathlib import Path
from typing import Final
from zipfile import ZipFile

import msgspec

from thresher.text.stems import ALGORITHMS
from thresher.text.stop_words import stop_words
from thresher.text.words import words as split

RAREST: Final = 53
"""Level of the rarest words kept: about one in 200,000."""

_NAMES: Final = {"no": "nb"}
_FOLDER: Final = Path(__file__).parent


def levels(packed: bytes, language: str) -> dict[int, list[str]]:
    """Return the words in a wordfreq file by level, without stop words.

    The file is a list of lists, after a header: the words at each centibel below one.
    """
    cells: list[list[str]] = msgspec.msgpack.decode(gzip.decompress(packed))[1:]
    passed_over = stop_words(language)
    found: dict[int, list[str]] = {}
    for centibels, words in enumerate(cells):
        level = round(centibels / 10)
        if level <= RAREST:
            found.setdefault(level, []).extend(word for word in words if _is_word(word) and word not in passed_over)
    return {level: sorted(words) for level, words in sorted(found.items()) if words}


def _is_word(text: str) -> bool:
    """Return whether a text is one word without digits, as pages are read."""
    return split(text) == [text] and not any(character.isdigit() for character in text)


def main(wheel: Path) -> None:
    """Write the lists of all languages that wordfreq and Snowball have in common."""
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())
        for language in sorted(ALGORITHMS):
            there = [f"wordfreq/data/{size}_{_NAMES.get(language, language)}.msgpack.gz" for size in ("large", "small")]
            name = next((name for name in there if name in names), None)
            if name is not None:
                lines = [f"{level} {' '.join(words)}" for level, words in levels(archive.read(name), language).items()]
                text = "\n".join(lines).encode()
                _FOLDER.joinpath(f"{language}.txt.xz").write_bytes(lzma.compress(text, preset=9))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
