"""Splits a text into words, in order and as written.

A word is a run of letters, digits and combining marks; apostrophes, hyphens and joiners inside it belong to it, and
soft hyphens are ignored. Scripts written without spaces between words (Han, Kana, Thai, Lao, Khmer, Burmese) give
overlapping pairs of characters instead.
"""

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise
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
)
# Beyond the basic plane, wide ranges are good enough; they leave out symbols and pictographs.
_ASTRAL_WORDS: Final = "\U00010000-\U0001cfff\U0001d400-\U0001efff"
_ASTRAL_HAN: Final = "\U00020000-\U0003ffff"


def _is_word(char: str) -> bool:
    return char.isalnum() or unicodedata.category(char)[0] == "M"


def _ranges(points: list[int]) -> str:
    """Return code points as the inside of a character class."""
    out: list[str] = []
    start = previous = points[0]
    for point in [*points[1:], -1]:
        if point != previous + 1:
            out.append(f"{chr(start)}-{chr(previous)}")
            start = point
        previous = point
    return "".join(out)


_UNSPACED: Final = (
    _ranges([p for low, high in _UNSPACED_BLOCKS for p in range(low, high + 1) if _is_word(chr(p))]) + _ASTRAL_HAN
)
_in_unspaced: Final = re.compile(f"[{_UNSPACED}]").search
_unspaced_runs: Final = re.compile(f"[{_UNSPACED}]+").sub
_in_astral_words: Final = re.compile(f"[{_ASTRAL_WORDS}]").search


# A class of all these characters would take a tenth of a second to compile, in every process that starts.
@lru_cache(maxsize=1 << 14)
def _is_spaced(char: str) -> bool:
    """Return whether a character belongs to words with spaces between them; unlike `\\w`, marks do and `_` does not."""
    if ord(char) >= 0x10000:
        return _in_astral_words(char) is not None
    return _is_word(char) and _in_unspaced(char) is None


_JOINERS: Final = "'-’\u200c\u200d"
_SOFT_HYPHEN: Final = "\xad"
_ASCII: Final = bytes(range(128))

WORD_BORDER: Final = "\u200b"
"""A zero-width space: marks where one word ends and another begins with nothing between them."""

BREAK: Final = "\x01"
"""The one character besides those of words that `spaced_out` leaves in a text."""

_KEPT: Final = _JOINERS + BREAK
_LOOSE: Final = _KEPT + " "
_TABLE: Final = bytes(byte if byte >= 128 or chr(byte).isalnum() or chr(byte) in _KEPT else 0x20 for byte in range(256))
# Each kind of other characters costs a pass over the text, so if there are very many, the last ones share a pass.
_MAX_PASSES: Final = 64


def words(text: str) -> list[str]:
    """Return the words of a text in order.

    >>> words("Don't panic: a well-known e-mail, 42 times.")
    ["Don't", 'panic', 'a', 'well-known', 'e-mail', '42', 'times']
    >>> words("東京都 Tokyo")
    ['東京', '京都', 'Tokyo']
    """
    return spaced_out(text).replace(BREAK, " ").split()


def is_unspaced(char: str) -> bool:
    """Return whether a character belongs to a script written without spaces between words.

    >>> is_unspaced("京"), is_unspaced("a"), is_unspaced("")
    (True, False, False)
    """
    return not char.isascii() and _in_unspaced(char) is not None


def is_joinable(last: str, first: str) -> bool:
    """Return whether the last and the first character of two pieces can belong to one word.

    Scripts without spaces have no such words: joining would change the pairs of characters.

    >>> is_joinable("b", "o"), is_joinable("東", "京")
    (True, False)
    """
    pair = last + first
    return len(pair) == 2 and all(map(_is_spaced, pair))


def would_merge(last: str, first: str) -> bool:
    """Return whether joining two pieces with these characters at their border may change their words.

    >>> would_merge("r", "’"), would_merge("東", "京"), would_merge("r", ".")
    (True, True, False)
    """
    pair = last + first
    return len(pair) == 2 and all(
        _is_spaced(char) or char in _JOINERS or char == _SOFT_HYPHEN or is_unspaced(char) for char in pair
    )


def spaced_out(text: str) -> str:
    """Return a text in which everything outside words is replaced by spaces, so `split` returns its words.

    Every step is a pass over the whole text without running Python, so one long text is cheaper than many short ones.

    >>> spaced_out("Don't - a “well-known” case.").split()
    ["Don't", 'a', 'well-known', 'case']
    """
    plain = text.encode().translate(_TABLE).decode() if text.isascii() else _spaced_out_unicode(text)
    for joiner in _JOINERS:
        if joiner in plain:
            plain = _without_loose(plain, joiner)
    return plain


def _spaced_out_unicode(text: str) -> str:
    raw = text.encode("utf-8", "surrogatepass").translate(None, _ASCII)
    kinds = "".join(set(raw.decode("utf-8", "surrogatepass")))
    others = [char for char in kinds if not (_is_spaced(char) or is_unspaced(char) or char in _JOINERS)]
    for char in others[:_MAX_PASSES]:
        text = text.replace(char, "" if char == _SOFT_HYPHEN else " ")
    if len(others) > _MAX_PASSES:
        text = re.sub(f"[{re.escape(''.join(others[_MAX_PASSES:]))}]", _space, text)
    if _in_unspaced(kinds):
        text = _unspaced_runs(_pairs, text)
    return text.encode().translate(_TABLE).decode()


def _space(match: re.Match[str]) -> str:
    return "" if match[0] == _SOFT_HYPHEN else " "


def _pairs(match: re.Match[str]) -> str:
    """Return a run of unspaced characters as overlapping pairs."""
    run = match[0]
    return f" {' '.join([run[i : i + 2] for i in range(len(run) - 1)] or [run])} "


def _without_loose(plain: str, joiner: str) -> str:
    """Replace joiners that join nothing by spaces: two in a row, or one next to a space."""
    parts = plain.split(joiner)
    out = [parts[0]]
    for left, right in pairwise(parts):
        joins = left and right and left[-1] not in _LOOSE and right[0] not in _LOOSE
        out += (joiner if joins else " ", right)
    return "".join(out)
