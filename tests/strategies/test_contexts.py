"""Link contexts are slices of a page's words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.documents import read
from thresher.strategies.contexts import PageStems, tag_tree, text_window
from thresher.text.stems import count_stems
from thresher.types import Link


def link_at(position: int, length: int = 1, spans: tuple[tuple[int, int], ...] = (), presentational: int = 0) -> Link:
    return Link("http://a.test/", "", position, length, spans, presentational=presentational)


@pytest.mark.parametrize(
    ("position", "length", "words", "size", "span"),
    [
        (50, 1, 100, 10, (45, 56)),
        (50, 3, 100, 10, (45, 58)),
        (50, 0, 100, 10, (45, 55)),
        (0, 1, 100, 10, (0, 11)),
        (2, 1, 100, 10, (0, 11)),
        (99, 1, 100, 10, (89, 100)),
        (97, 1, 100, 10, (89, 100)),
        (3, 1, 6, 10, (0, 6)),
        (0, 0, 0, 10, (0, 0)),
        (50, 1, 100, 5, (48, 54)),
        (120, 4, 100, 10, (90, 100)),
    ],
)
def test_window(position: int, length: int, words: int, size: int, span: tuple[int, int]) -> None:
    assert text_window(link_at(position, length), words, size) == span


@given(st.integers(0, 300), st.integers(0, 30), st.integers(0, 200), st.integers(1, 60))
def test_window_has_all_the_words_it_can_have(position: int, length: int, words: int, size: int) -> None:
    start, end = text_window(link_at(position, length), words, size)
    first, last = min(position, words), min(position + length, words)
    assert 0 <= start <= first <= last <= end <= words
    assert end - start == min(words, size + last - first)


PAGE = """<table><tr><td>Far away <td>
  <p>We <b>like <a href="/boats">boats</a></b> and <i>very much <a href="/sails">the white sails</a></i>.</p></table>"""


@pytest.mark.parametrize(
    ("url", "least", "plain", "text"),
    [
        ("/boats", 0, False, "boats"),
        ("/boats", 1, False, "like boats"),
        ("/boats", 2, False, "We like boats and very much the white sails"),
        ("/boats", 1, True, "We like boats and very much the white sails"),
        ("/sails", 2, False, "the white sails"),
        ("/sails", 3, False, "very much the white sails"),
        ("/sails", 3, True, "We like boats and very much the white sails"),
        ("/boats", 99, False, "Far away We like boats and very much the white sails"),
    ],
)
def test_tag_tree_climbs_until_there_are_words_enough(url: str, least: int, plain: bool, text: str) -> None:
    page = read(PAGE.encode(), "text/html", "http://a.test/")
    link = next(link for link in page.links if link.url.endswith(url))
    start, end = tag_tree(link, len(page.words), least, 40, plain)
    assert " ".join(page.words[start:end]) == text


def test_paragraph_of_nothing_but_bold_text_is_no_presentational_element() -> None:
    page = read(b"<div>Here <p><b>see <a href='/x'>x</a></b></p></div>", "text/html", "http://a.test/")
    assert page.links[0].presentational == 0
    page = read(b"<div>Here <p>and <b>see <a href='/x'>x</a></b></p></div>", "text/html", "http://a.test/")
    assert page.links[0].presentational == 1


@given(st.integers(0, 100), st.integers(0, 60), st.integers(0, 20), st.integers(0, 20), st.integers(1, 50))
def test_long_context_is_cut_around_its_link(position: int, length: int, before: int, after: int, most: int) -> None:
    outer = (max(0, position - before), position + length + after)
    start, end = tag_tree(link_at(position, length, (outer,)), 10_000, 10_000, most)
    assert outer[0] <= start <= end <= outer[1]
    assert end - start == min(most, outer[1] - outer[0])
    if length <= most:
        assert start <= position
        assert position + length <= end
    else:
        assert start == position


WORDS = st.lists(
    st.sampled_from(["The", "boats", "hand-painted", "e-mail", "and", "Sailing", "œuvre", ""]), max_size=30
)


@given(WORDS, st.integers(0, 30), st.integers(0, 30))
def test_bag_of_a_slice_counts_the_slice(words: list[str], one: int, other: int) -> None:
    start, end = sorted((min(one, len(words)), min(other, len(words))))
    assert dict(PageStems(words, "en").bag((start, end))) == count_stems(words[start:end], "en")
