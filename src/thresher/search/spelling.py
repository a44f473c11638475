"""Finds words of the portal that are close to a misspelled word."""

from collections.abc import Iterable
from typing import Final

import tantivy

MOST: Final = 3
"""Maximum number of suggestions per word."""

_SHORT: Final = 4
_LOOKED_AT: Final = 200_000


def near_words(searcher: tantivy.Searcher, word: str, most: int = MOST) -> list[str]:
    """Return the words of the portal within one or two edits of a word, closest and most frequent first.

    Short words may differ by one edit only. To save time, only words that share the first letter are compared, or that
    begin like the word with its first letter dropped or its first two letters swapped.
    """
    plain = word.lower()
    if len(plain) < 3 or not plain[0].isalpha():
        return []
    allowed = 1 if len(plain) <= _SHORT else 2
    starts = dict.fromkeys([plain[:2], plain[1::-1], plain[1:3], plain[0]])
    letters = set(plain)
    best: dict[str, tuple[int, int]] = {}
    for start in starts:
        for found, number in _vocabulary(searcher, start):
            if abs(len(found) - len(plain)) > allowed or found in best or found == plain:
                continue
            if start == plain[0] and found.startswith(plain[:2]):
                # Compared already.
                continue
            # Each edit removes at most one letter and adds at most one.
            if len(letters.symmetric_difference(found)) > 2 * allowed:
                continue
            far = distance(plain, found, allowed)
            if far <= allowed:
                best[found] = (far, -number)
        if any(far == 1 for far, _ in best.values()):
            break
    return sorted(best, key=lambda found: (*best[found], found))[:most]


def _vocabulary(searcher: tantivy.Searcher, start: str) -> Iterable[tuple[str, int]]:
    return searcher.terms_with_prefix("words", start, limit=_LOOKED_AT)


def distance(one: str, other: str, limit: int) -> int:
    """Return the edit distance with transpositions of two words, or `limit` + 1 if it exceeds `limit`.

    Equal letters at the beginning never need an edit, and after each edit the limit is one lower. With a limit of two
    that is much faster than a table of all distances.

    >>> distance("solra", "solar", 2), distance("cells", "cell", 2), distance("wind", "sun", 2)
    (1, 1, 3)
    """
    short = min(len(one), len(other))
    same = 0
    while same < short and one[same] == other[same]:
        same += 1
    one, other = one[same:], other[same:]
    longer = len(one) - len(other)
    if not one or not other:
        return min(abs(longer), limit + 1)
    if limit < 1 or abs(longer) > limit:
        return limit + 1
    if limit == 1 and longer:
        # The only edit must be where the words begin to differ.
        return 1 if (one[1:] == other if longer > 0 else one == other[1:]) else 2
    found = distance(one[1:], other[1:], limit - 1)
    if one[1:2] == other[0] and other[1:2] == one[0]:
        found = min(found, distance(one[2:], other[2:], limit - 1))
    if limit > 1:
        found = min(found, distance(one[1:], other, limit - 1), distance(one, other[1:], limit - 1))
    return found + 1
