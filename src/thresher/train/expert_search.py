"""Expert search: a query becomes a topic, and the pages of the portal that answer it best (Sizov, section 2.5)."""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.store.page_records import DocumentRow
from thresher.store.protocol import Store
from thresher.taxonomy.shelves import tidy
from thresher.taxonomy.topic_tree import Path, Taxonomy, Topic, TrainingPage, distinct, name_of, put
from thresher.text.stems import stems_of
from thresher.train.labelled_urls import page_of_text
from thresher.web.urls import url_id

TRAINING: Final = 7
"""Stored pages that teach a query, the best of them: as many as the source's example had."""

LEAST: Final = 0.5
"""Share of a query's weight that a page must have to teach it."""


class Hit(Struct, frozen=True):
    """A page that answers a query: `score` is how much of the query it has, 0 to 1, less where it is off the topic.

    `lacks` are the words of the query that it does not have.
    """

    url: str
    title: str
    score: float
    confidence: float | None
    lacks: tuple[str, ...] = ()


class SearchResult(Struct, frozen=True):
    """What the stored pages say to a query: the best `answers`, how many `pages` were looked at, the query's `words`.

    `whole` is the number of pages that have all of the words, `missing` are the words that no page has.
    """

    answers: list[Hit]
    pages: int
    words: tuple[str, ...]
    whole: int
    missing: tuple[str, ...]


def topic_path(query: str) -> Path:
    """Return the topic that a query becomes.

    >>> topic_path("  free  ARIES recovery ")
    ('free ARIES recovery',)
    """
    return (name_of(tidy(query)),)


def with_query(taxonomy: Taxonomy, query: str, pages: Iterable[str] = (), starts: Iterable[str] = ()) -> Taxonomy:
    """Return the topics with a query as one of them, taught by its words and by some pages; `starts` teach nothing."""
    path = topic_path(query)
    topic = taxonomy.get(path) or Topic(name=path[-1])
    taught = distinct((*topic.pages, *map(TrainingPage, pages)))
    tree = put(taxonomy, path, replace(topic, pages=taught, query=tidy(query)))
    return replace(tree, seeds=distinct((*tree.seeds, *map(TrainingPage, starts))))


def find_answers(
    store: Store, query: str, language: str, number: int, chance: Callable[[DocumentRow], float] = lambda _: 1.0
) -> SearchResult:
    """Return the stored pages that answer a query best, whole or in part, and what none of them has.

    A page counts by the rarity of the query's stems it has, tempered by how often it has them. The `chance` that it is
    on the topic, 0 to 1, decides over half of that: of a topic known by a few words it says little.
    """
    wanted = _words_of(query, language)
    # Of each page only what an answer tells is kept: a common word may stand on all pages of a large portal.
    found: list[tuple[Hit, dict[str, int]]] = []
    having: dict[str, int] = dict.fromkeys(wanted, 0)
    pages = 0
    for url in store.documents.urls():
        document = store.documents.document(url_id(url))
        if document is None:
            continue
        pages += 1
        counts = {stem: document.terms[stem] for stem in wanted if stem in document.terms}
        for stem in counts:
            having[stem] += 1
        if counts:
            lacks = tuple(word for stem, word in wanted.items() if stem not in counts)
            found.append((_answer(document, (1.0 + chance(document)) / 2, lacks), counts))
    weights = {stem: math.log((1 + pages) / (1 + number)) + 1.0 for stem, number in having.items()}
    answers = [replace(answer, score=answer.score * _share(counts, weights)) for answer, counts in found]
    return SearchResult(
        answers=sorted(answers, key=lambda answer: (-answer.score, answer.url))[:number],
        pages=pages,
        words=tuple(wanted.values()),
        whole=sum(not answer.lacks for answer in answers),
        missing=tuple(word for stem, word in wanted.items() if not having[stem]),
    )


def teaching(answers: Iterable[Hit]) -> list[str]:
    """Return the pages good enough to teach a query: at most seven, each with at least half of the query's weight."""
    return [answer.url for answer in answers if answer.score >= LEAST][:TRAINING]


def starting(answers: Iterable[Hit]) -> list[str]:
    """Return pages to start from where too few can teach a query: the best that have a part of it, seven with those.

    They lead to pages about something near; they are no examples, for the word they lack may be the one that counts.
    """
    found = list(answers)
    taught = teaching(found)
    return [answer.url for answer in found if answer.url not in taught][: TRAINING - len(taught)]


def _words_of(query: str, language: str) -> dict[str, str]:
    """Return the stems of a query, each with the word it was written as."""
    page = page_of_text(query, "query:", language)
    known: dict[str, str] = {}
    for word, found in zip(page.words, stems_of(page.words, page.language), strict=True):
        for stem in found:
            known.setdefault(stem, word)
    return {stem: known.get(stem, stem) for stem in page.terms}


def _share(counts: Mapping[str, int], weights: Mapping[str, float]) -> float:
    """Return how much of the query's weight a page has; a stem that comes once counts for two thirds of itself."""
    total = sum(weights.values()) or 1.0
    return sum(weights[stem] * count / (count + 0.5) for stem, count in counts.items()) / total


def _answer(document: DocumentRow, score: float, lacks: tuple[str, ...]) -> Hit:
    judgement = document.judgement
    return Hit(document.url, document.title, score, judgement.confidence if judgement else None, lacks)


def chance_by(classifier: HierarchicalClassifier, topic: str) -> Callable[[DocumentRow], float]:
    """Return how likely pages are of a topic at the top of a tree; pages that another topic took may answer too."""
    family = classifier.families_[""]
    place = next((place for place, child in enumerate(family.children) if child.name == topic), None)
    if place is None:
        return lambda _: 1.0
    return lambda document: float(family.judge(family.known(document.terms)).probabilities[place])
