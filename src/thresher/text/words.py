"""Words of a text, in order and as written.

A word is a run of letters, digits and combining marks; apostrophes, hyphens and joiners inside it belong to it, soft
hyphens do not count. Scripts written without spaces between words (Han, Kana, Thai, Lao, Khmer, Burmese) give
overlapping pairs of characters instead.
"""

import re
import unicodedata
from typing import Final

_UNSPACED_BLOCKS: Final = (
    (0x0E01, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Burmese
    (0x1780, 0x17FF),  # Khmer
    (0x2E80, 0x2FDF),  # Han radicals
    (0x3005, 0x3007),  # Han iteration mark, closing mark, zero
    (0x3041, 0x312F),  # Hiragana, Katakana, Bopomofo
    (0x31A0, 0x31FF),  # Bopomofo and Katakana extensions
    (0x3400, 0x4DBF),  # Han
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFF9F),  # Katakana of half width
    (0x20000, 0x3FFFF),
)
# Beyond the basic plane one wide range is good enough; it leaves out symbols and pictographs.
_ASTRAL_WORDS: Final = "\U00010000-\U0001cfff\U0001d400-\U0001efff"


def _is_word(char: str) -> bool:
    return char.isalnum() or unicodedata.category(char)[0] == "M"


def _ranges(points: list[int]) -> str:
    """Write code points as the inside of a character class."""
    out: list[str] = []
    start = previous = points[0]
    for point in [*points[1:], -1]:
        if point != previous + 1:
            out.append(f"{chr(start)}-{chr(previous)}")
            start = point
        previous = point
    return "".join(out)


def _classes() -> tuple[str, str]:
    """Return the class of spaced word characters and that of unspaced ones.

    A class spelled out is faster than `\\w`, which knows no combining marks and takes the underscore for a letter.
    """
    unspaced = {p for low, high in _UNSPACED_BLOCKS for p in range(low, high + 1) if _is_word(chr(p))}
    spaced = [p for p in range(0x10000) if p not in unspaced and _is_word(chr(p))]
    return _ranges(spaced) + _ASTRAL_WORDS, _ranges(sorted(unspaced))


_SPACED, _UNSPACED = _classes()
_WORD: Final = f"[{_SPACED}]++(?:['’\u200c\u200d-][{_SPACED}]++)*+"
_spaced: Final = re.compile(_WORD).findall
_mixed: Final = re.compile(f"{_WORD}|[{_UNSPACED}]+").findall
_unspaced: Final = re.compile(f"[{_UNSPACED}]")
_JOINERS: Final = "'-’"
_LATIN: Final = "cp1252"
_SHORT: Final = 40


def _latin_table() -> bytes:
    """Return a table that keeps letters, digits and joiners of the Latin code page and puts spaces for all else."""
    chars = [bytes([byte]).decode(_LATIN, "replace") for byte in range(256)]
    keep = [char in _JOINERS or (char != "\ufffd" and _is_word(char)) for char in chars]
    return bytes(byte if keep[byte] else 0x20 for byte in range(256))


_LATIN_TABLE: Final = _latin_table()
_NOT_JOINING: Final = tuple(a + b for a in _JOINERS + " " for b in _JOINERS + " " if a + b != "  ")


def words(text: str) -> list[str]:
    """Return the words of a text in order.

    >>> words("Don't panic: a well-known e-mail, 42 times.")
    ["Don't", 'panic', 'a', 'well-known', 'e-mail', '42', 'times']
    >>> words("東京都 Tokyo")
    ['東京', '京都', 'Tokyo']
    """
    return _find(text) if len(text) < _SHORT else _split(text)


def _find(text: str) -> list[str]:
    """Find words by their pattern, in any script."""
    if text.isascii():
        return _spaced(text)
    text = text.replace("\xad", "")
    if not _unspaced.search(text):
        return _spaced(text)
    return [word for run in _mixed(text) for word in (_pairs(run) if _unspaced.match(run) else (run,))]


def _split(text: str) -> list[str]:
    """Find the same words in a longer Latin text in less time: put spaces for all else and split."""
    try:
        latin = text.encode("ascii" if text.isascii() else _LATIN)
    except UnicodeEncodeError:
        return _find(text)
    plain = latin.translate(_LATIN_TABLE, b"\xad").decode(_LATIN)
    if "'" in plain or "-" in plain or "’" in plain:
        plain = f" {plain} "
        # Of two joiners in a row and of one beside a space, none joins.
        for outside in _NOT_JOINING:
            if outside in plain:
                plain = plain.replace(outside, "  ")
    return plain.split()


def _pairs(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]
