"""Wishes of pages: who they are meant for, and which of several wins."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.web.robots_tag import MAX_DIRECTIVES, merge, robots_directives


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ([], ()),
        ([""], ()),
        (["noindex"], ("noindex",)),
        (["NoIndex, NOFOLLOW"], ("noindex", "nofollow")),
        (["none"], ("noindex", "nofollow")),
        (["all, index, follow"], ()),
        (["noindex", "index, nofollow"], ("noindex", "nofollow")),
        (["thresher: nofollow"], ("nofollow",)),
        (["Thresher : nofollow"], ("nofollow",)),
        (["otherbot: none"], ()),
        (["otherbot: noindex, nofollow"], ()),
        (["otherbot: noindex, thresher: nofollow"], ("nofollow",)),
        (["noarchive, otherbot: noindex"], ("noarchive",)),
        (["*: noindex"], ("noindex",)),
        (["noindex", "thresher: all"], ("noindex",)),
        (["thresher:noai", "noimageai"], ("noai", "noimageai")),
        (["max-snippet:20", "max-snippet: 5"], ("max-snippet:5",)),
        (["max-snippet:-1, max-snippet:0"], ("max-snippet:0",)),
        (["max-snippet:-1"], ("max-snippet:-1",)),
        (["max-snippet:many, max-snippet:-7"], ()),
        (
            ["max-image-preview:large, max-image-preview:none", "max-image-preview:standard"],
            ("max-image-preview:none",),
        ),
        (["otherbot: noindex, max-snippet:3"], ()),
        (["unavailable_after: 25 Jun 2010 15:00:00 GMT"], ("unavailable_after:25 jun 2010 15:00:00 gmt",)),
        (
            ["unavailable_after: Friday, 25-Jun-10 15:00:00 GMT, noindex"],
            ("noindex", "unavailable_after:friday, 25-jun-10 15:00:00 gmt"),
        ),
        (
            ["unavailable_after: 2031-01-01", "unavailable_after: Mon, 01 Jan 2029 00:00:00 GMT"],
            ("unavailable_after:mon, 01 jan 2029 00:00:00 gmt",),
        ),
        (["unavailable_after: one day"], ()),
        (["noindex nofollow"], ("noindex", "nofollow")),
        (["noindex;nofollow"], ("noindex", "nofollow")),
        (["NOINDEX ; NoFollow\tnoarchive\nnosnippet"], ("noindex", "nofollow", "noarchive", "nosnippet")),
        (
            ["noindex nofollow max-snippet: 5 max-image-preview:none"],
            ("noindex", "nofollow", "max-snippet:5", "max-image-preview:none"),
        ),
        (["otherbot: noindex nofollow"], ()),
        (["otherbot: noindex; nofollow, thresher: noarchive nosnippet"], ("noarchive", "nosnippet")),
        (["noindex thresher : nofollow otherbot: noarchive"], ("noindex", "nofollow")),
        (["thresher:", "noindex"], ("noindex",)),
        (
            ["noindex unavailable_after: Friday, 25-Jun-10 15:00:00 GMT; nofollow"],
            ("noindex", "nofollow", "unavailable_after:friday, 25-jun-10 15:00:00 gmt"),
        ),
        (["'noindex'"], ("noindex",)),
        (["noindex/nofollow."], ("noindex", "nofollow")),
        (
            ["unavailable_after: 2010-06-25T15:00:00+02:00 | noindex"],
            ("noindex", "unavailable_after:2010-06-25t15:00:00+02:00"),
        ),
        (
            ["unavailable_after: 25 Jun 2010 15:00:00 GMT; noindex"],
            ("noindex", "unavailable_after:25 jun 2010 15:00:00 gmt"),
        ),
    ],
)
def test_the_most_restrictive_wish_for_this_crawler_wins(fields: list[str], expected: tuple[str, ...]) -> None:
    assert robots_directives(fields) == expected


@given(
    st.lists(st.sampled_from(["noindex", "nofollow", "noarchive", "max-snippet:5", "all"]), min_size=1),
    st.sampled_from([",", ", ", ";", " ; ", " ", "\t", "  ", "|", " | ", "+", "&", " / ", "，", "、"]),
)
def test_wishes_mean_the_same_however_they_are_parted(wishes: list[str], between: str) -> None:
    assert robots_directives([between.join(wishes)]) == robots_directives(wishes)


def test_the_name_of_the_crawler_can_be_another() -> None:
    assert robots_directives(["otherbot: none"], "OtherBot") == ("noindex", "nofollow")


def test_endless_fields_are_cut() -> None:
    assert len(robots_directives([",".join(f"d{i}" for i in range(10_000))] * 100)) == MAX_DIRECTIVES
    assert max(map(len, robots_directives(["x" * 10_000]))) <= 100


@given(st.lists(st.text(max_size=80), max_size=6))
def test_any_fields_can_be_read_and_merging_again_changes_nothing(fields: list[str]) -> None:
    found = robots_directives(fields)
    assert set(merge(found)) == set(found)


@given(st.permutations(["none", "index", "max-snippet:5", "max-snippet:-1", "max-video-preview:3", "noai", "all"]))
def test_the_order_of_wishes_does_not_matter(wishes: list[str]) -> None:
    expected = {"noindex", "nofollow", "max-snippet:5", "max-video-preview:3", "noai"}
    assert set(merge(wishes)) == expected
    assert set(robots_directives(wishes)) == expected
