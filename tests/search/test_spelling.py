"""Suggestions for misspelled words: edit distances, and the nearest words of a portal."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from thresher.search.spelling import distance, near_words

words = st.text("abc", max_size=9)


def by_table(one: str, other: str) -> int:
    """Return the distance of two words by a table of the distances of all their beginnings."""
    table = {(i, 0): i for i in range(len(one) + 1)} | {(0, j): j for j in range(len(other) + 1)}
    for i in range(1, len(one) + 1):
        for j in range(1, len(other) + 1):
            table[i, j] = min(
                table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + (one[i - 1] != other[j - 1])
            )
            if i > 1 and j > 1 and one[i - 1] == other[j - 2] and one[i - 2] == other[j - 1]:
                table[i, j] = min(table[i, j], table[i - 2, j - 2] + 1)
    return table[len(one), len(other)]


@given(words, words, st.integers(0, 3))
@example("abcabc", "bacacb", 2)
@example("abc", "", 2)
@example("ca", "abc", 3)
def test_the_distance_is_that_of_the_table_up_to_the_limit(one: str, other: str, limit: int) -> None:
    assert distance(one, other, limit) == min(by_table(one, other), limit + 1)


class Vocabulary:
    """The words of a portal with the number of pages that have them."""

    def __init__(self, **words: int) -> None:
        self._words = words

    def terms_with_prefix(self, _field: str, start: str, limit: int) -> list[tuple[str, int]]:
        return sorted((word, number) for word, number in self._words.items() if word.startswith(start))[:limit]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("solra", ["solar"]),
        ("oslar", ["solar"]),
        ("sxlbr", ["solar"]),
        ("cels", ["cell", "cells"]),
        ("solar", []),
        ("ce", []),
    ],
)
def test_the_nearest_words_come_first_and_then_the_most_frequent(word: str, expected: list[str]) -> None:
    known = Vocabulary(solar=9, cell=5, cells=5, sun=3, wind=40)
    assert near_words(known, word) == expected  # type: ignore[arg-type]
