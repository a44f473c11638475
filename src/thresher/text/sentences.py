"""Sentences of a text, as written.

Lines end sentences; within a line full stops, question and exclamation marks of any script do. A dot behind an initial,
a common abbreviation or before a small letter does not. Whatever has no end is cut at a blank after `LONGEST`
characters, so that lists and menus weigh no more than a sentence.
"""

import re
from typing import Final

LONGEST: Final = 300
"""Characters of a sentence."""

_CLOSING: Final = "\"'”’»)\\]"
_ends: Final = re.compile(
    rf"[.!?…]+[{_CLOSING}]*\s+"  # the scripts that set blanks between sentences
    rf"|[。！？｡]+[{_CLOSING}」』）]*\s*"  # and those that set none
    rf"|[؟۔।॥։።။។]+[{_CLOSING}]*\s*"
).finditer
_last_word: Final = re.compile(r"[^\W\d_]+(?:\.[^\W\d_]+)*\Z").search
_pieces: Final = re.compile(rf".{{1,{LONGEST}}}(?=\s|\Z)|.{{{LONGEST}}}", re.DOTALL).findall
_LOOK_BACK: Final = 12

_DOTTED: Final = (
    "abb al approx art bd ca cap cf ch co col corp dept dr ed eds eg etc ex fig figs gen gov hr ie inc jr lt "
    "ltd ma max min mlle mm mme mr mrs ms mt no nr op pag pp prof ref rev sec sen sgt sig sr sra st str tel "
    "usw vgl vol vs"
)

ABBREVIATIONS: Final = frozenset(_DOTTED.split())
"""Words that a dot behind does not end a sentence."""


def sentences(text: str) -> list[str]:
    """Return the sentences of a text in order, none of them blank or longer than `LONGEST`.

    >>> sentences("Dr. A. Smith sails. Does he? Yes!\\nHome | News")
    ['Dr. A. Smith sails.', 'Does he?', 'Yes!', 'Home | News']
    >>> sentences("船が走る。海は広い。")
    ['船が走る。', '海は広い。']
    """
    return [piece for line in text.split("\n") for whole in _of_line(line) for piece in _bounded(whole)]


def _of_line(line: str) -> list[str]:
    found, start = [], 0
    for end in _ends(line):
        if _is_end(line, end):
            found.append(line[start : end.end()].strip())
            start = end.end()
    return [*found, line[start:].strip()]


def _is_end(line: str, end: re.Match[str]) -> bool:
    after = line[end.end() : end.end() + 1]
    if after.islower():
        return False
    if end[0].rstrip() != ".":
        return True
    before = _last_word(line[max(0, end.start() - _LOOK_BACK) : end.start()])
    word = before[0] if before else ""
    return len(word) != 1 and word.replace(".", "").lower() not in ABBREVIATIONS


def _bounded(sentence: str) -> list[str]:
    if len(sentence) <= LONGEST:
        return [sentence] if sentence else []
    return [stripped for piece in _pieces(sentence) if (stripped := piece.strip())]
