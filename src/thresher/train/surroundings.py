"""What the pages around a page say about it: the texts of links to it, and the words of its neighbours.

Both are options, off by default. They need stored pages, so a page that was just fetched is judged by its own words; it
gets the others when all pages are judged again.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from msgspec.structs import replace

from thresher.classify.sibling_space import SpaceParameters
from thresher.classify.word_pairs import with_pairs
from thresher.store.page_records import DocumentRow
from thresher.store.protocol import Store
from thresher.store.stored_page import page_of
from thresher.text.stems import count_stems
from thresher.text.words import words
from thresher.types import ParsedPage
from thresher.web.urls import host_of, url_id

ANCHORS: Final = 50
"""Maximum number of different link texts of a page that count."""

NEIGHBOURS: Final = 20
"""Maximum number of pages around a page to read."""

FEWEST: Final = 3
"""Minimum number of pages around a page for their words to count."""

SHARE: Final = 0.5
"""Share of these pages that must have a word."""

WORDS: Final = 10
"""Maximum number of words that they may add."""


class Around(Protocol):
    """Knows the pages around a page."""

    def anchors(self, page: ParsedPage) -> Sequence[tuple[str, str]]:
        """Return (URL, text) of the links to a page."""

    def neighbours(self, page: ParsedPage) -> Sequence[Mapping[str, int]]:
        """Return the stems of some pages that link to a page or that it links to."""


class StoredAround:
    """The pages around a page, as a portal has stored them."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def anchors(self, page: ParsedPage) -> Sequence[tuple[str, str]]:
        """Return (URL, text) of the stored links to a page."""
        return self._store.documents.inlinks(url_id(page.url))

    def neighbours(self, page: ParsedPage) -> Sequence[Mapping[str, int]]:
        """Return the stems of stored pages that link to a page or that it links to."""
        sources = [url for url, _ in self._store.documents.inlinks(url_id(page.url))]
        urls = [url for url in dict.fromkeys([*sources, *(link.url for link in page.links)]) if url != page.url]
        found = self._store.documents.terms([url_id(url) for url in urls[: 5 * NEIGHBOURS]])
        return list(found.values())[:NEIGHBOURS]


def seen_page(store: Store, document: DocumentRow, parameters: SpaceParameters | None) -> ParsedPage:
    """Return a stored page with everything that a classifier with these parameters uses."""
    page = page_of(document)
    return page if parameters is None else widened(page, parameters, StoredAround(store))


def widened(page: ParsedPage, parameters: SpaceParameters, around: Around) -> ParsedPage:
    """Return a page with the additional words that the parameters ask for."""
    terms = Counter(page.terms)
    if parameters.anchors:
        terms.update(said_elsewhere(page, around.anchors(page)))
    if parameters.neighbours:
        terms.update(agreed(page, around.neighbours(page)))
    if terms != page.terms:
        page = replace(page, terms=dict(terms))
    return with_pairs(page) if parameters.pairs else page


def said_elsewhere(page: ParsedPage, links: Sequence[tuple[str, str]]) -> dict[str, int]:
    """Return the stems of the texts of links to a page from other hosts, each text once.

    >>> page = ParsedPage(url="http://a.test/", title="", words=[], links=[], language="en")
    >>> said_elsewhere(page, [("http://b.test/", "Boats"), ("http://c.test/", "Boats"), ("http://a.test/2", "Home")])
    {'boat': 1}
    """
    host = host_of(page.url)
    texts = list(dict.fromkeys(text for url, text in links if text and host_of(url) != host))[:ANCHORS]
    return dict(count_stems([word for text in texts for word in words(text)], page.language))


def agreed(page: ParsedPage, neighbours: Sequence[Mapping[str, int]]) -> dict[str, int]:
    """Return the most frequent stems that most neighbours have and the page lacks, each once.

    >>> page = ParsedPage(url="", title="", words=[], links=[], terms={"boat": 1})
    >>> agreed(page, [{"sail": 2, "boat": 1}, {"sail": 1}, {"tax": 1}])
    {'sail': 1}
    """
    if len(neighbours) < FEWEST:
        return {}
    having = Counter(stem for terms in neighbours for stem in terms if stem not in page.terms and " " not in stem)
    most = sorted(having.items(), key=lambda item: (-item[1], item[0]))[:WORDS]
    return {stem: 1 for stem, number in most if number >= SHARE * len(neighbours)}
