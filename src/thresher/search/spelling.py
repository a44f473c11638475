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
            if found == plain or found in best or abs(len(found) - len(plain)) > allowed:
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

    >>> distance("solra", "solar", 2), distance("cells", "cell", 2), distance("wind", "sun", 2)
    (1, 1, 3)
    """
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        following = [i]
        for j, b in enumerate(other, 1):
            cost = min(row[j] + 1, following[j - 1] + 1, row[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            following.append(cost)
        if min(following) > limit:
            return limit + 1
        before, row = row, following
    return min(row[-1], limit + 1)
