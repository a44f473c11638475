"""The words of a text in pieces, with the number of words at each boundary."""

from collections.abc import Sequence
from itertools import accumulate, chain

from thresher.text.words import BREAK, spaced_out

_BORDER = f" {BREAK} "


def words_of_pieces(pieces: Sequence[str], joined: Sequence[int] = ()) -> tuple[list[str], list[int]]:
    """Return the words of all pieces, and how many have begun before each piece and after the last.

    `joined` are the numbers of pieces, ascending, whose first word continues the last word of the piece before.

    >>> words_of_pieces(["See ", "this", " b", "oat."], joined=[3])
    (['See', 'this', 'boat'], [0, 1, 2, 3, 3])
    """
    found = _each(pieces)
    if joined:
        _join(found, joined)
    return list(chain.from_iterable(found)), [0, *accumulate(map(len, found))]


def _each(pieces: Sequence[str]) -> list[list[str]]:
    """Return the words of each piece."""
    text = _BORDER.join(pieces)
    if text.count(BREAK) >= len(pieces):
        text = _BORDER.join([piece.replace(BREAK, " ") for piece in pieces])
    return list(map(str.split, spaced_out(text).split(BREAK))) if pieces else []


def _join(found: list[list[str]], joined: Sequence[int]) -> None:
    """Append the first word of each joined piece to the word it continues, which may already have many pieces."""
    run: list[str] = []
    home = last = -1
    for number in joined:
        before = found[number - 1]
        if run and (before or last != number - 1):
            found[home][-1] = "".join(run)
            run = []
        if not found[number] or not (run or before):
            continue
        if not run:
            home = number - 1
            run.append(before[-1])
        run.append(found[number].pop(0))
        last = number
    if run:
        found[home][-1] = "".join(run)
