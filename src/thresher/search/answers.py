"""The stored pages that answer a query best.

A page with all words of the query comes before one that lacks some. Next come how much of the query a page has, and
whether it has the words close together and in its title.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from thresher.search.matches import Match, Matches, find_matches
from thresher.store.page_records import DocumentRow
from thresher.store.protocol import Store
from thresher.text.query_words import QueryWords
from thresher.text.stems import stems_of
from thresher.text.words import words
from thresher.web.urls import url_id

NEAR: Final = 0.1
"""Share of a score that is for words near each other."""

IN_TITLE: Final = 0.1
"""Share of a score that is for words in the title."""

LOOKED_AT: Final = 50
"""Pages that are looked at as a whole, at least: those that have most of the query."""


class Hit(Struct, frozen=True):
    """A page that answers a query: `score` says how well, 0 to 1; a page with all words has at least .5.

    `lacks` are the words of the query that it does not have.
    """

    url: str
    title: str
    score: float
    confidence: float | None
    lacks: tuple[str, ...] = ()


class SearchResult(Struct, frozen=True):
    """The answer to a query: the best `answers`, how many `pages` were looked at, the query's `words`.

    `whole` is the number of pages that have all of the words, `missing` are the words that no page has.
    """

    answers: list[Hit]
    pages: int
    words: tuple[str, ...]
    whole: int
    missing: tuple[str, ...]


def find_answers(store: Store, query: QueryWords, number: int) -> SearchResult:
    """Return the stored pages that answer a query best, whole or in part, and what none of them has."""
    matches = find_matches(store, query)
    rows = ((match, store.documents.document(url_id(match.url))) for match in matches.best(max(number, LOOKED_AT)))
    hits = [_hit(matches, match, row) for match, row in rows if row is not None]
    return SearchResult(
        answers=sorted(hits, key=lambda hit: (-hit.score, hit.url))[:number],
        pages=matches.pages,
        words=query.words,
        whole=sum(map(matches.is_whole, matches.found)),
        missing=tuple(word for word, having in zip(query.words, matches.having, strict=True) if not having),
    )


def _hit(matches: Matches, match: Match, page: DocumentRow) -> Hit:
    named = matches.query.words
    rarity = matches.rarity()
    title = _words_in(page.title, page.language, matches.query)
    in_title = sum(rarity[word] for word in {word for _, word in title}) / (sum(rarity) or 1.0)
    near = nearness(_words_in(page.text, page.language, matches.query)) * len(match.counts) / len(named)
    score = (1.0 - NEAR - IN_TITLE) * matches.share(match) + NEAR * near + IN_TITLE * in_title
    return Hit(
        url=page.url,
        title=page.title,
        score=(score + matches.is_whole(match)) / 2.0,
        confidence=page.judgement.confidence if page.judgement else None,
        lacks=tuple(word for number, word in enumerate(named) if number not in match.counts),
    )


def _words_in(text: str, language: str, query: QueryWords) -> list[tuple[int, int]]:
    """Return the places of a query's words in a text, each with the word's number."""
    wanted = query.stems(language)
    each = stems_of(words(text), language or query.language)
    return [(place, wanted[stem]) for place, stems in enumerate(each) for stem in stems if stem in wanted]


def nearness(places: Sequence[tuple[int, int]]) -> float:
    """Return how near each other a text has words, 0 to 1, by their places and numbers: 1 where it has them in a row.

    >>> nearness([(3, 0), (9, 1), (10, 0)]), nearness([(3, 0), (12, 1)]), nearness([(3, 0)]), nearness([])
    (1.0, 0.2, 1.0, 0.0)
    """
    wanted = len({word for _, word in places})
    inside: Counter[int] = Counter()
    first = 0
    shortest = float("inf")
    for place, word in places:
        inside[word] += 1
        while inside[places[first][1]] > 1:
            inside[places[first][1]] -= 1
            first += 1
        if len(inside) == wanted:
            shortest = min(shortest, place - places[first][0] + 1)
    return min(1.0, wanted / shortest) if places else 0.0
