"""What is indexed of a page: title, stems, words, the anchor texts of links to it, and the words of its URL.

Stems make `boats` find `boat`; the words as written, in lower case and in their order, serve phrases, prefixes and
`exact:`. All fields are texts whose words are separated by blanks, cut by the same rules that read the page.
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
"""Links to a page whose texts are read."""

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
    """Return what is indexed of a page; `anchors` are the texts of links to it with their counts."""
    return PageFields(
        title=stem_text(page.title, page.language),
        body=" ".join([f"{stem} " * count for stem, count in page.terms.items()]),
        anchors=anchor_text(anchors, page.language),
        address=address_words(page.url),
        words=_lower(f"{page.title}\n{page.text}"),
        title_words=plain_words(page.title),
    )


def plain_words(text: str) -> str:
    """Return the words of a text in lower case, with blanks between them.

    >>> plain_words("Don’t: the BOATS.")
    "don't the boats"
    """
    return " ".join(_lower(text).split())


def _lower(text: str) -> str:
    return spaced_out(text).replace(BREAK, " ").lower().replace("’", "'")


def stem_text(text: str, language: str) -> str:
    """Return the stems of a text with blanks between them.

    >>> stem_text("The hand-painted boats", "en")
    'hand paint boat'
    """
    return " ".join(stem for stems in stems_of(words(text), language) for stem in stems)


def anchor_text(anchors: Mapping[str, int], language: str) -> str:
    """Return the stems of the texts of links: of one that occurs often a few times, so that rare changes matter.

    The number of times grows with the logarithm of the count: a page that one site links to from everywhere is not
    about that text a thousand times, and need not be indexed again for every further link.

    >>> anchor_text({"Red boats": 1, "here": 9}, "en")
    'red boat'
    """
    stems = [(stem_text(text[:_LONGEST_ANCHOR], language), count.bit_length()) for text, count in anchors.items()]
    return " ".join(f"{stem} " * times for stem, times in sorted(stems) if stem).strip()


def address_words(url: str) -> str:
    """Return the words of an address in lower case, scheme and `www` left out.

    >>> address_words("https://www.solar-cells.example/Thin%20Film/page_2.html?id=7")
    'solar cells example thin film page 2 html id 7'
    """
    return " ".join(re.split(r"[\W_]+", unquote(_EDGES.sub("", url)).lower())).strip()


def print_of(*parts: object) -> int:
    """Return a number that tells other contents from these, as a signed 64-bit number."""
    value = xxhash.xxh3_64_intdigest("\x00".join(map(str, parts)).encode("utf-8", "surrogatepass"))
    return value - (1 << 64) if value >= 1 << 63 else value
