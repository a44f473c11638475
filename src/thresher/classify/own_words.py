"""A page's own words, without those in link lists, which mostly describe other pages.

Front pages, menus and link lists are full of the words of the pages they link to, and would be taken for pages about
them. So a page is judged by all its words, and again by only its own, with a small allowance (`ALLOWED`). A link in
running text is different: its words belong to the sentence.
"""

from collections.abc import Sequence
from itertools import accumulate, compress
from typing import Final

from thresher.text.stems import count_stems
from thresher.types import Link, Page

ALLOWED: Final = 0.5
"""How far below the border a page may be when judged by its own words. With more, front pages of sites about a topic
are taken for pages about it; with less, pages of a manual with half of their words in lists are lost.
"""

RUNNING: Final = 10
"""Minimum number of words outside links for an element to be running text."""

LINKED: Final = 0.5
"""Maximum share of words in links for an element to be running text."""


def own_terms(page: Page) -> dict[str, int]:
    """Return the stems of a page with counts, without words in link lists.

    If there are no such words, this is the same object as the page's terms.

    >>> words = "Boats sail home Cars Trains Planes".split()
    >>> links = [Link("http://a.test/", word, 3 + place, 1, ((3, 6),)) for place, word in enumerate(words[3:])]
    >>> page = Page(url="", title="", words=words, links=links, terms={"boat": 1, "car": 1, "train": 1}, language="en")
    >>> own_terms(page)
    {'boat': 1}
    """
    listed = count_stems(listed_words(page.words, page.links), page.language) if page.links else {}
    if not listed:
        return page.terms
    return {stem: left for stem, count in page.terms.items() if (left := count - listed.get(stem, 0)) > 0}


def listed_words(words: Sequence[str], links: Sequence[Link]) -> list[str]:
    """Return the words of links that are not in running text, in order."""
    places = [_within((link.position, link.position + link.length), len(words)) for link in links]
    inside = _marked(places, len(words))
    before = [0, *accumulate(inside)]
    blocks = [_block(link, len(words)) for link in links]
    lists = {block: _is_list(before[block[1]] - before[block[0]], block[1] - block[0]) for block in set(blocks)}
    listed = _marked([place for place, block in zip(places, blocks, strict=True) if lists[block]], len(words))
    return list(compress(words, listed))


def _marked(places: Sequence[tuple[int, int]], number: int) -> bytearray:
    """Return a flag for each word, 1 for words inside the spans (start, end)."""
    marks = bytearray(number)
    for start, end in places:
        marks[start:end] = b"\1" * (end - start)
    return marks


def _block(link: Link, words: int) -> tuple[int, int]:
    """Return the span of the innermost element around a link that groups text, or the whole page if there is none."""
    for number, span in enumerate(link.spans):
        if not link.presentational >> number & 1:
            return _within(span, words)
    return 0, words


def _within(span: tuple[int, int], words: int) -> tuple[int, int]:
    """Return a span limited to the number of words."""
    return min(span[0], words), min(span[1], words)


def _is_list(linked: int, words: int) -> bool:
    """Return whether an element with this many words, some of them linked, is a list rather than running text."""
    return words - linked < RUNNING or linked > LINKED * words
