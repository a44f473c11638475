"""A page's own words, without those in link lists, which mostly describe other pages.

Front pages, menus and link lists are full of the words of the pages they link to, and would be taken for pages about
them. So a page is judged by all its words, and again by only its own, with a small allowance (`ALLOWED`). A link in
running text is different: its words belong to the sentence.
"""

from collections.abc import Sequence
from itertools import compress
from typing import Final

from thresher.text.stems import count_stems
from thresher.types import Link, ParsedPage

ALLOWED: Final = 0.5
"""How far below the border a page may be when judged by its own words. With more, front pages of sites about a topic
are taken for pages about it; with less, pages of a manual with half of their words in lists are lost.
"""

RUNNING: Final = 10
"""Minimum number of words outside links for an element to be running text."""

LINKED: Final = 0.5
"""Maximum share of words in links for an element to be running text."""


def own_terms(page: ParsedPage) -> dict[str, int]:
    """Return the stems of a page with counts, without words in link lists.

    If there are no such words, this is the same object as the page's terms.

    >>> words = "Boats sail home Cars Trains Planes".split()
    >>> links = [Link("http://a.test/", word, 3 + place, 1, ((3, 6),)) for place, word in enumerate(words[3:])]
    >>> terms = {"boat": 1, "car": 1, "train": 1}
    >>> page = ParsedPage(url="", title="", words=words, links=links, terms=terms, language="en")
    >>> own_terms(page)
    {'boat': 1}
    """
    listed = count_stems(listed_words(page.words, page.links), page.language) if page.links else {}
    if not listed:
        return page.terms
    own = dict(page.terms)
    for stem, count in listed.items():
        left = own.get(stem, 0) - count
        if left > 0:
            own[stem] = left
        else:
            own.pop(stem, None)
    return own


def listed_words(words: Sequence[str], links: Sequence[Link]) -> list[str]:
    """Return the words of links that are not in running text, in order."""
    number = len(words)
    inside = bytearray(number)
    blocks: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for link in links:
        start, end = link.position, link.position + link.length
        if end > number:
            start, end = min(start, number), number
        inside[start:end] = b"\1" * (end - start)
        blocks.setdefault(_block(link, number), []).append((start, end))
    listed = bytearray(number)
    for (start, end), places in blocks.items():
        if _is_list(inside.count(1, start, end), end - start):
            for first, last in places:
                listed[first:last] = b"\1" * (last - first)
    return list(compress(words, listed))


def _block(link: Link, words: int) -> tuple[int, int]:
    """Return the span of the innermost element around a link that groups text, or the whole page if there is none.

    Spans are limited to the number of words.
    """
    for number, span in enumerate(link.spans):
        if not link.presentational >> number & 1:
            return span if span[1] <= words else (min(span[0], words), words)
    return 0, words


def _is_list(linked: int, words: int) -> bool:
    """Return whether an element with this many words, some of them linked, is a list rather than running text."""
    return words - linked < RUNNING or linked > LINKED * words
