"""Which stored pages have the words of a query, and how much of it each has.

Only the stems of pages are looked at, which takes a fraction of the time that whole pages would.
"""

import heapq
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from thresher.store.protocol import Store
from thresher.text.query_words import QueryWords
from thresher.web.urls import url_id

SAMPLE: Final = 50
"""Stored pages that tell which languages a portal has."""

_BLOCK: Final = 256
_SATURATION: Final = 1.2
_LENGTH: Final = 0.75


class Match(Struct, frozen=True):
    """A page with part of a query: how often it has each word, by the word's number, and its length in stems."""

    url: str
    counts: dict[int, int]
    length: int


class Matches(Struct, frozen=True):
    """The `found` pages among all `pages` of a portal that have words of a query; `having` counts those of each word.

    `length` is the mean length of a page, in stems.
    """

    query: QueryWords
    found: list[Match]
    pages: int
    having: list[int]
    length: float

    def rarity(self) -> list[float]:
        """Return what each word of the query weighs: more, the fewer pages have it."""
        return [math.log((1 + self.pages) / (1 + number)) + 1.0 for number in self.having]

    def share(self, match: Match) -> float:
        """Return how much of the query a page has, 0 to 1: its words by their rarity and by how often it has them."""
        rarity = self.rarity()
        long = 1.0 - _LENGTH + _LENGTH * match.length / max(1.0, self.length)
        had = sum(rarity[word] * count / (count + _SATURATION * long) for word, count in match.counts.items())
        return had / (sum(rarity) or 1.0)

    def is_whole(self, match: Match) -> bool:
        """Return whether a page has every word of the query."""
        return len(match.counts) == len(self.query.words)

    def best(self, number: int) -> list[Match]:
        """Return so many pages: those with more of the words first, and among them those with more of the query."""

        def order(match: Match) -> tuple[bool, float, str]:
            return (not self.is_whole(match), -self.share(match), match.url)

        return heapq.nsmallest(number, self.found, key=order)


def find_matches(store: Store, query: QueryWords) -> Matches:
    """Return the stored pages that have words of a query."""
    urls = list(store.documents.urls())
    stems = _stems(store, urls, query)
    found: list[Match] = []
    having = [0] * len(query.words)
    pages = length = 0
    for url, terms in _terms(store, urls):
        pages += 1
        size = sum(terms.values())
        length += size
        counts: dict[int, int] = {}
        for stem, word in stems:
            if stem in terms:
                counts[word] = max(counts.get(word, 0), terms[stem])
        for word in counts:
            having[word] += 1
        if counts:
            found.append(Match(url, counts, size))
    return Matches(query, found, pages, having, length / max(1, pages))


def _terms(store: Store, urls: Sequence[str]) -> Iterator[tuple[str, Mapping[str, int]]]:
    for first in range(0, len(urls), _BLOCK):
        block = {url_id(url): url for url in urls[first : first + _BLOCK]}
        for ident, terms in store.documents.terms(list(block)).items():
            yield block[ident], terms


def _stems(store: Store, urls: Sequence[str], query: QueryWords) -> list[tuple[str, int]]:
    """Return the stems of a query in its own language and in those of a sample of the stored pages."""
    step = max(1, len(urls) // SAMPLE)
    rows = (store.documents.document(url_id(url)) for url in urls[::step][:SAMPLE])
    languages = {query.language, *(row.language for row in rows if row is not None)}
    return sorted({pair for code in languages for pair in query.stems(code).items()})
