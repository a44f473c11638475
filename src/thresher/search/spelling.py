"""Finds words of the portal that are close to a misspelled one."""

from collections.abc import Iterable
from typing import Final

import tantivy

MOST: Final = 3
"""Words that are offered for one."""

_SHORT: Final = 4
_LOOKED_AT: Final = 200_000


def near_words(searcher: tantivy.Searcher, word: str, most: int = MOST) -> list[str]:
    """Return the words of the portal that differ from a word by one or two letters, nearest and most frequent first.

    Short words may differ by one letter only. Only words with the same first letter are compared, and those
    that begin like the rest of the word, or with its second letter.
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
            # Each change takes away one letter and brings another at most.
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
    """Return how many letters must be changed, added, left out or swapped; `limit` + 1 if it is more than `limit`.

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
