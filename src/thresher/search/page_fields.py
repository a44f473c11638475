"""The indexed text of a page: title, stems, words, anchor texts of its inlinks, and the words of its URL.

With stems, `boats` finds `boat`; the words as written, lowercased and in order, serve phrases, prefixes and `exact:`.
Every field is a text of words separated by spaces, tokenized by the same rules as the page itself.
"""

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import unquote

import xxhash
from msgspec import Struct

from thresher.store.search_records import PageText
from thresher.text.stems import stems_of
from thresher.text.words import BREAK, spaced_out, words

MOST_ANCHORS: Final = 1_000
"""Maximum number of inlinks whose anchor texts are read."""

_LONGEST_ANCHOR: Final = 200
_EDGES: Final = re.compile(r"^[a-z]+://(www\.)?")


class PageFields(Struct, frozen=True):
    """The texts of a page by field."""

    title: str
    body: str
    anchors: str
    address: str
    words: str
    title_words: str


def page_fields(page: PageText, anchors: Mapping[str, int]) -> PageFields:
    """Return the indexed fields of a page; `anchors` maps the anchor texts of its inlinks to their counts."""
    return PageFields(
        title=stem_text(page.title, page.language),
        body=" ".join([f"{stem} " * count for stem, count in page.terms.items()]),
        anchors=anchor_text(anchors, page.language),
        address=address_words(page.url),
        words=_lower(f"{page.title}\n{page.text}"),
        title_words=plain_words(page.title),
    )


def plain_words(text: str) -> str:
    """Return the words of a text in lower case, separated by spaces.

    >>> plain_words("Don’t: the BOATS.")
    "don't the boats"
    """
    return " ".join(lower_words(text))


def lower_words(text: str) -> list[str]:
    """Return the words of a text in lower case.

    >>> lower_words("Don’t: the BOATS.")
    ["don't", 'the', 'boats']
    """
    return _lower(text).split()


def _lower(text: str) -> str:
    return spaced_out(text).replace(BREAK, " ").lower().replace("’", "'")


def stem_text(text: str, language: str) -> str:
    """Return the stems of a text, separated by spaces.

    >>> stem_text("The hand-painted boats", "en")
    'hand paint boat'
    """
    return " ".join(stem for stems in stems_of(words(text), language) for stem in stems)


def anchor_text(anchors: Mapping[str, int], language: str) -> str:
    """Return the stems of anchor texts, each repeated according to the logarithm of its count.

    A page that one site links to from everywhere is not a thousand times more about that text, and need not be
    reindexed for every further link.

    >>> anchor_text({"Red boats": 1, "here": 9}, "en")
    'red boat'
    """
    stems = [(stem_text(text[:_LONGEST_ANCHOR], language), count.bit_length()) for text, count in anchors.items()]
    return " ".join(f"{stem} " * times for stem, times in sorted(stems) if stem).strip()


def address_words(url: str) -> str:
    """Return the words of a URL in lower case, without the scheme and `www`.

    >>> address_words("https://www.solar-cells.example/Thin%20Film/page_2.html?id=7")
    'solar cells example thin film page 2 html id 7'
    """
    return " ".join(re.split(r"[\W_]+", unquote(_EDGES.sub("", url)).lower())).strip()


def print_of(*parts: object) -> int:
    """Return a hash of some values as a signed 64-bit integer."""
    value = xxhash.xxh3_64_intdigest("\x00".join(map(str, parts)).encode("utf-8", "surrogatepass"))
    return value - (1 << 64) if value >= 1 << 63 else value
