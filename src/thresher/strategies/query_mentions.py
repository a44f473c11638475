"""Counts the words of a query on a page, and finds those near each link.

Sets of words are encoded as integers, bit n for word n: a page has many links, and a query few words.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final
from urllib.parse import unquote

from msgspec import Struct

from thresher.strategies.contexts import text_window
from thresher.text.query_words import QueryWords
from thresher.text.stems import stems_of
from thresher.text.words import words
from thresher.types import Link, ParsedPage

WIDE: Final = 40
NARROW: Final = 10
"""Words of the two windows around a link."""

_LONGEST: Final = 300
"""Maximum number of characters of an address to look at."""

_SCHEME: Final = re.compile(r"^[a-z]+://(www\.)?")


class LinkMentions(Struct, frozen=True, array_like=True, gc=False):
    """The words of a query in the wide and the narrow window around a link, in its anchor and in its address."""

    wide: int = 0
    narrow: int = 0
    anchor: int = 0
    address: int = 0


class PageMentions(Struct, frozen=True, array_like=True, gc=False):
    """How often a page contains each word of a query, and what its links mention, in order."""

    counts: list[int]
    links: list[LinkMentions]


def mentions(page: ParsedPage, query: QueryWords) -> PageMentions:
    """Return where a page mentions a query, by the stems of the page's language."""
    wanted = query.stems(page.language)
    each = enumerate(stems_of(page.words, page.language or query.language))
    found = [(place, wanted[stem]) for place, stems in each for stem in stems if stem in wanted]
    counts = [0] * len(query.words)
    for _, word in found:
        counts[word] += 1
    places = [place for place, _ in found]
    bits = [1 << word for _, word in found]

    def inside(start: int, end: int) -> int:
        mask = 0
        for bit in bits[bisect_left(places, start) : bisect_left(places, end)]:
            mask |= bit
        return mask

    links = [
        LinkMentions(
            inside(*text_window(link, len(page.words), WIDE)),
            inside(*text_window(link, len(page.words), NARROW)),
            inside(link.position, link.position + link.length),
            in_address(link.url, query),
        )
        for link in page.links
    ]
    return PageMentions(counts, links)


def alone(link: Link, query: QueryWords) -> LinkMentions:
    """Return what a link mentions without its page, when its anchor is all that is around it."""
    anchor = _in_words(words(link.anchor), query)
    return LinkMentions(anchor, anchor, anchor, in_address(link.url, query))


def in_address(url: str, query: QueryWords) -> int:
    """Return the words of a query that occur in an address.

    >>> bin(in_address("http://www.boats.test/red%20sails.html", QueryWords("red boats sailing")))
    '0b111'
    """
    return _in_words(words(_SCHEME.sub("", unquote(url[:_LONGEST])).replace("_", " ").replace("-", " ")), query)


def _in_words(found: Sequence[str], query: QueryWords) -> int:
    wanted = query.stems("")
    mask = 0
    for stems in stems_of(found, query.language):
        for stem in stems:
            if stem in wanted:
                mask |= 1 << wanted[stem]
    return mask
