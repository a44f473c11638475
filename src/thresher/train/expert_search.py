"""Expert search: a query becomes a topic, and the pages of the portal that answer it best (source 003, section 2.5)."""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from msgspec import Struct

from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.store.protocol import Store
from thresher.store.records import DocumentRow
from thresher.taxonomy.shelves import tidy
from thresher.taxonomy.topic_tree import Path, Taxonomy, Topic, TrainingPage, distinct, name_of, put
from thresher.train.lessons import page_of_text
from thresher.web.urls import url_id

TRAINING: Final = 7
"""Stored pages that teach a query, the best of them: as many as the source's example had."""

LEAST: Final = 0.5
"""Share of a query's weight that a page must have to teach it."""


class Answer(Struct, frozen=True):
    """A page that answers a query: `score` is how much of the query it has, 0 to 1, less where it is off the topic."""

    url: str
    title: str
    score: float
    confidence: float | None


def topic_path(query: str) -> Path:
    """Return the topic that a query becomes.

    >>> topic_path("  free  ARIES recovery ")
    ('free ARIES recovery',)
    """
    return (name_of(tidy(query)),)


def with_query(taxonomy: Taxonomy, query: str, pages: Iterable[str] = ()) -> Taxonomy:
    """Return the topics with a query as one of them, taught by its words and by some pages."""
    path = topic_path(query)
    topic = taxonomy.get(path) or Topic(name=path[-1])
    taught = distinct((*topic.pages, *map(TrainingPage, pages)))
    return put(taxonomy, path, Topic(name=path[-1], pages=taught, query=tidy(query), others=topic.others))


def best_pages(
    store: Store, query: str, language: str, number: int, chance: Callable[[DocumentRow], float] = lambda _: 1.0
) -> list[Answer]:
    """Return the stored pages that answer a query best.

    A page counts by the rarity of the query's stems it has, tempered by how often it has them. The `chance` that it is
    on the topic, 0 to 1, decides over half of that: of a topic known by a few words it says little.
    """
    wanted = list(page_of_text(query, "query:", language).terms)
    found: list[tuple[DocumentRow, dict[str, int]]] = []
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
            found.append((document, counts))
    weights = {stem: math.log((1 + pages) / (1 + number)) + 1.0 for stem, number in having.items()}
    answers = [_answer(document, _share(counts, weights) * (1.0 + chance(document)) / 2) for document, counts in found]
    return sorted(answers, key=lambda answer: (-answer.score, answer.url))[:number]


def teaching(answers: Iterable[Answer]) -> list[str]:
    """Return the pages good enough to teach a query: at most seven, each with at least half of the query's weight."""
    return [answer.url for answer in answers if answer.score >= LEAST][:TRAINING]


def _share(counts: Mapping[str, int], weights: Mapping[str, float]) -> float:
    """Return how much of the query's weight a page has; a stem that comes once counts for two thirds of itself."""
    total = sum(weights.values()) or 1.0
    return sum(weights[stem] * count / (count + 0.5) for stem, count in counts.items()) / total


def _answer(document: DocumentRow, score: float) -> Answer:
    judgement = document.judgement
    return Answer(document.url, document.title, score, judgement.confidence if judgement else None)


def chance_by(classifier: HierarchicalClassifier, topic: str) -> Callable[[DocumentRow], float]:
    """Return how likely pages are of a topic at the top of a tree; pages that another topic took may answer too."""
    family = classifier.families_[""]
    place = next((place for place, child in enumerate(family.children) if child.name == topic), None)
    if place is None:
        return lambda _: 1.0
    return lambda document: float(family.judge(family.known(document.terms)).probabilities[place])
