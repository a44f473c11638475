"""The text of a page as written, with one line per visually separate passage."""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from thresher.text.pieces import words_of_pieces
from thresher.text.words import WORD_BORDER, is_unspaced, words, would_merge

_blank_lines: Final = re.compile(r"\n\s*\n").split
_blank: Final = re.compile(r"[ \n]").search
_BLOCK: Final = 1 << 16
_CLOSING: Final = frozenset(",.;:!?…)]}%’”»、。，．！？：；）」』】")
_OPENING: Final = frozenset("([{-/'’“„«（「『【")


def passages(texts: Sequence[str], borders: Iterable[int], joined: Collection[int] = (), *, blanks: bool = True) -> str:
    """Return texts in order as lines; a new passage begins at each of the `borders`, which are numbers of texts.

    Texts of one passage are separated by a space, except before closing and after opening punctuation, in scripts
    without spaces, and if a text is `joined` to the one before it; without `blanks`, texts bring their own spaces. The
    words of the result are those of the texts: if two would merge, a zero-width border keeps them apart.

    >>> passages(["Boats ", "sail", "ors", ". They", "\\n sail.", "Menu"], [5], joined={2})
    'Boats sailors. They sail.\\nMenu'
    """
    first = {border for border in borders if border < len(texts)}
    lines: list[str] = []
    line: list[str] = []
    last = ""
    for number, text in enumerate(texts):
        if number in first:
            lines.append("".join(line))
            line = []
        elif number not in joined:
            if blanks and _stand_apart(last, text[:1]):
                line.append(" ")
            elif would_merge(last, text[:1]):
                line.append(WORD_BORDER)
        line.append(text)
        last = text[-1:]
    lines.append("".join(line))
    return tidy(lines)


def _stand_apart(last: str, first: str) -> bool:
    if first in _CLOSING or last in _OPENING:
        return False
    return not (is_unspaced(last) and is_unspaced(first))


def tidy(lines: Iterable[str]) -> str:
    """Return non-blank lines without soft hyphens and superfluous spaces.

    >>> tidy(["a \\n  boat", " ", "sails"])
    'a boat\\nsails'
    """
    return "\n".join(filter(None, (" ".join(line.replace("\xad", "").split()) for line in lines)))


def plain_passages(text: str) -> str:
    """Return the passages of a plain text, which are separated by blank lines.

    >>> plain_passages("Of boats\\n\\nBoats sail,\\nand they float.")
    'Of boats\\nBoats sail, and they float.'
    """
    return tidy(_blank_lines(text))


def first_texts(texts: list[str], before: Sequence[int], number: int) -> list[str]:
    """Return texts up to `number` words; `before` has the number of words begun before each text and after the last.

    >>> first_texts(["Boats sail", " and float"], [0, 2, 4], 3)
    ['Boats sail', ' and']
    """
    if not texts or before[-1] <= number:
        return texts
    whole = bisect_right(before, number) - 1
    return [*texts[:whole], first_words(texts[whole], number - before[whole])]


def first_words(text: str, number: int) -> str:
    """Return a text up to `number` words.

    >>> first_words("Boats sail\\nand float", 3), first_words("- 東京都", 1)
    ('Boats sail\\nand', '- 東')
    """
    at = 0
    # The text is processed in blocks: the words of a long text take many times its memory.
    while at < len(text):
        blank = _blank(text, at + _BLOCK)
        end = blank.start() if blank else len(text)
        inside = len(words(text[at:end]))
        if inside > number:
            return (text[:at] + _first_of_block(text[at:end], number)).rstrip()
        number -= inside
        at = end
    return text


def _first_of_block(text: str, number: int) -> str:
    """Return the first `number` words of a text that has more."""
    lines = text.split("\n")
    whole, left = _fitting(lines, number)
    runs = lines[whole].split(" ")
    fitting, left = _fitting(runs, left)
    # A run of a script without spaces has nearly as many words as characters.
    part = " ".join([*runs[:fitting], runs[fitting][:left]])
    return "\n".join([*lines[:whole], part]).rstrip()


def _fitting(pieces: Sequence[str], number: int) -> tuple[int, int]:
    """Return how many pieces have at most `number` words together, and how many words remain."""
    _, before = words_of_pieces(pieces)
    fitting = bisect_right(before, number) - 1
    return fitting, number - before[fitting]
