"""Splits a text into sentences, as written.

Lines end sentences, and within a line, full stops, question and exclamation marks of any script do. A dot after an
initial or a common abbreviation, or before a lower-case letter, does not. Text without an end is cut at a space after
`LONGEST` characters, so lists and menus count no more than a sentence.
"""

import re
from itertools import groupby
from typing import Final

LONGEST: Final = 300
"""Maximum length of a sentence in characters."""

_DOTTED: Final = (
    "abb al approx art bd ca cap cf ch co col corp dept dr ed eds eg etc ex fig figs gen gov hr ie inc jr lt ltd "
    "ma max min mlle mm mme mr mrs ms mt nr op pag pp prof ref rev sec sen sgt sig sr sra st str tel usw vgl "
    "vol vs"
)

ABBREVIATIONS: Final = tuple(_DOTTED.split())
"""Words after which a dot does not end a sentence."""


_CLOSING: Final = "\"'”’»)\\]"


def _spaced_ends() -> re.Pattern[str]:
    """Return the pattern for ends of sentences followed by spaces; group 1 is everything but the spaces.

    It begins with the marks themselves, which are found quickly, and only then looks back.
    """
    # A lookbehind has a fixed width.
    by_length = groupby(sorted(ABBREVIATIONS, key=len), len)
    after_none = "".join(rf"(?<!\b(?i:{'|'.join(words)})\.)" for _, words in by_length)
    small = "".join(char for char in map(chr, [*range(0x250), *range(0x370, 0x590)]) if char.islower())
    return re.compile(rf"([.!?…](?<!\b\w\.){after_none}[{_CLOSING}]*)[^\S\n]++(?![{small}])")


_spaced: Final = _spaced_ends().sub
_unspaced: Final = re.compile(rf"([。！？｡؟۔।॥։።။។][{_CLOSING}」』）]*)[^\S\n]*").sub
_pieces: Final = re.compile(rf".{{1,{LONGEST}}}(?=\s|\Z)|.{{{LONGEST}}}", re.DOTALL).findall


def sentences(text: str) -> list[str]:
    """Return the sentences of a text in order, none of them blank or longer than `LONGEST`.

    >>> sentences("Dr. A. Smith sails. Does he? Yes!\\nHome | News")
    ['Dr. A. Smith sails.', 'Does he?', 'Yes!', 'Home | News']
    >>> sentences("船が走る。海は広い。")
    ['船が走る。', '海は広い。']
    """
    found: list[str] = []
    text = _spaced(r"\1\n", text)
    if not text.isascii():
        text = _unspaced(r"\1\n", text)
    for line in text.split("\n"):
        sentence = line.strip()
        if len(sentence) > LONGEST:
            found += filter(None, map(str.strip, _pieces(sentence)))
        elif sentence:
            found.append(sentence)
    return found
