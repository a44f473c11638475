"""Patterns of one kind: of all that match, the longest counts, whatever their order and shape."""

from itertools import permutations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from thresher.web.path_patterns import PathPatterns


def matches(path: str, pattern: str) -> bool:
    """Match by trying every split: slow and plainly right."""
    if pattern in ("", "$"):
        return not pattern or not path
    if pattern[0] == "*":
        return any(matches(path[start:], pattern[1:]) for start in range(len(path) + 1))
    return path[:1] == pattern[0] and matches(path[1:], pattern[1:])


@pytest.mark.parametrize(
    ("patterns", "path", "longest"),
    [
        ([], "/", 0),
        # Plain patterns of different lengths.
        (["/", "/a", "/a/b"], "/a/b/c", 4),
        (["/", "/a", "/a/b"], "/a/c", 2),
        (["/a/b/c/d"], "/a/b", 0),
        # A path that is exactly as long as a pattern.
        (["/a", "/a/b"], "/a/b", 4),
        # Patterns with stars: the longest that matches, not the first.
        (["/*a", "/*a*b"], "/xaxb", 5),
        (["/*a", "/*a*b"], "/xax", 3),
        (["/*.html", "/*.htm", "/*ml"], "/x.html", 7),
        (["/a*c$", "/a*", "/*$"], "/abc", 5),
        (["/a*c$", "/a*", "/*$"], "/abd", 3),
        # Plain and starred patterns among each other.
        (["/abc", "/*c"], "/abcd", 4),
        (["/ab", "/*b*d"], "/abcd", 5),
        (["/abcd", "/a*cd"], "/abcd", 5),
        # Final stars change nothing but the length that counts.
        (["/a", "/a**"], "/ab", 4),
        (["/a*", "/a"], "/a", 3),
        # Every part between stars needs characters of its own, from the first on.
        (["/*b*b"], "/ab", 0),
        (["/*b*b"], "/abab", 5),
        (["/*ab*ba"], "/aba", 0),
        (["*/a"], "/a", 3),
        (["*a*a"], "/a", 0),
        # A dollar is the end only at the end.
        (["/a$"], "/a", 3),
        (["/a$"], "/ab", 0),
        (["/a$b"], "/a$bc", 4),
        (["/a$*"], "/a$b", 4),
        (["/a$*"], "/ab", 0),
        (["/$"], "/", 2),
        (["/a*b$"], "/ab", 5),
        (["/ab*b$"], "/ab", 0),
        (["/ab*ba$"], "/aba", 0),
    ],
)
def test_the_longest_that_matches(patterns: list[str], path: str, longest: int) -> None:
    for order in permutations(patterns):
        assert PathPatterns((pattern, len(pattern)) for pattern in order).longest(path) == longest, order


def test_the_length_that_counts_is_the_one_that_is_given() -> None:
    assert PathPatterns([("/a", 9), ("/a/b", 4)]).longest("/a/b") == 9
    assert PathPatterns([("/*a", 9), ("/*b", 4)]).longest("/ab") == 9
    for order in permutations([("/a", 5), ("/a", 7), ("/a*", 6)]):
        assert PathPatterns(order).longest("/a") == 7
    assert PathPatterns([("/a", 5), ("/*", 5)]).longest("/a") == 5


@pytest.mark.slow
@given(st.lists(st.text("ab*$", max_size=5), max_size=5), st.text("ab$", max_size=7))
@example(["a*", "ab", "*b$"], "ab")
@settings(max_examples=1000)
def test_it_agrees_with_the_plain_definition(written: list[str], rest: str) -> None:
    patterns, path = [f"/{pattern}" for pattern in written], f"/{rest}"
    expected = max((len(pattern) for pattern in patterns if matches(path, pattern)), default=0)
    assert PathPatterns((pattern, len(pattern)) for pattern in patterns).longest(path) == expected
