"""A large portal of synthetic pages: words drawn by Zipf's law; random topics, confidences and link scores."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import numpy as np
from msgspec import Struct

from thresher.store.page_records import DocumentRow, PageScores
from thresher.store.records import Batch, CrawlKind
from thresher.store.repository import open_store
from thresher.types import Judgement
from thresher.web.urls import host_of, url_id

VOCABULARY: Final = 100_000
LENGTH: Final = 120
"""Words per page."""

ACCEPTED: Final = 0.8
TOPICS: Final = 24
HOSTS: Final = 2_000
_BLOCK: Final = 1_000
_SCORES: Final = 100_000
"""Divisor of link scores, so they are about as small as those of a large portal."""

_SYLLABLES: Final = tuple(f"{first}{vowel}" for first in "bdfgklmnprstvz" for vowel in "aeiou")


class MadePage(Struct, frozen=True):
    """A page: its URL, title and text."""

    url: str
    title: str
    text: str


def word(number: int) -> str:
    """Return the word for a number; words are distinct, and stemmers hardly change them.

    >>> word(0), word(70), word(4900)
    ('bax', 'bebax', 'bebabax')
    """
    parts = []
    while True:
        number, rest = divmod(number, len(_SYLLABLES))
        parts.append(_SYLLABLES[rest])
        if not number:
            return "".join(reversed(parts)) + "x"


def made_pages(number: int, seed: int = 0, first: int = 0) -> Iterator[list[MadePage]]:
    """Yield the pages from `first` up to `number`, in blocks; reproducible by seed."""
    names = np.array([word(place) for place in range(VOCABULARY)])
    shares = 1.0 / np.arange(1, VOCABULARY + 1)
    edges = np.cumsum(shares / shares.sum())
    for start in range(first, number, _BLOCK):
        rng = np.random.default_rng([seed, start])
        size = min(_BLOCK, number - start)
        drawn = names[np.minimum(np.searchsorted(edges, rng.random((size, LENGTH))), VOCABULARY - 1)]
        yield [
            MadePage(f"http://site{(start + place) % HOSTS}.test/{start + place}", " ".join(row[:6]), " ".join(row))
            for place, row in enumerate(drawn.tolist())
        ]


def fill(portal: Path, number: int, seed: int = 0, first: int = 0) -> None:
    """Create a portal with generated pages, or add pages `first` to `number` to one that has the others."""
    rng = np.random.default_rng([seed + 1, first])
    with closing(open_store(portal, create=not first)) as store:
        crawl = store.crawls.get() or store.crawls.start(CrawlKind.CRAWL, "breadth-first", {}, at=0.0)
        for block in made_pages(number, seed, first):
            rows = [row_of(page, rng) for page in block]
            store.commit(Batch(crawl=crawl.id, at=0.0, documents=rows))
        ids = [url_id(f"http://site{place % HOSTS}.test/{place}") for place in range(first, number)]
        scores = rng.pareto(1.5, (len(ids), 3)) / _SCORES
        store.scores.keep(PageScores(id_, *row) for id_, row in zip(ids, scores.tolist(), strict=True))


def row_of(page: MadePage, rng: np.random.Generator) -> DocumentRow:
    """Return the row of a page, with a random topic."""
    accepted = rng.random() < ACCEPTED
    confidence = float(rng.exponential()) if accepted else -float(rng.exponential())
    topic = f"topic{int(rng.integers(TOPICS))}" if accepted else None
    terms: dict[str, int] = {}
    for one in page.text.split():
        terms[one] = terms.get(one, 0) + 1
    return DocumentRow(
        url_id=url_id(page.url),
        url=page.url,
        host=host_of(page.url),
        at=float(rng.integers(1_600_000_000, 1_790_000_000)),
        title=page.title,
        text=page.text,
        terms=terms,
        links=[],
        mime="text/html",
        size=len(page.text),
        digest=page.url.encode(),
        judgement=Judgement(topic=topic, confidence=confidence, probability=0.9, model="made"),
    )


def queries(number: int, length: int, seed: int = 0) -> list[str]:
    """Return queries of `length` different words, drawn in proportion to their document frequency."""
    rng = np.random.default_rng(seed + length)
    ranks = np.arange(1, VOCABULARY + 1)
    total = (1.0 / ranks).sum()
    # The share of pages that have a word among LENGTH drawn ones.
    frequency = 1.0 - (1.0 - 1.0 / ranks / total) ** LENGTH
    shares = frequency / frequency.sum()
    return [
        " ".join(word(int(place)) for place in rng.choice(VOCABULARY, length, replace=False, p=shares))
        for _ in range(number)
    ]
