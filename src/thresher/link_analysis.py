"""Link analysis of a portal: reads its links, scores its pages and stores the scores, even while a crawl is running."""

import math
import time
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TypeVar

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from thresher.linkscores.folding import Folding, fold
from thresher.linkscores.page_graph import PageGraph, page_graph
from thresher.linkscores.scoring import (
    PageFacts,
    TopicScores,
    page_ranks,
    topic_page_ranks,
    topic_scores,
    virtual_links,
)
from thresher.linkscores.virtual_links import VirtualLinks
from thresher.store.page_records import DuplicateKind, PageScores
from thresher.store.protocol import Store

T = TypeVar("T")
Ids = NDArray[np.int64]
Floats = NDArray[np.float64]


class LoadedLinks(Struct, frozen=True):
    """The graph of a portal, the properties of its pages, and which page each address represents."""

    graph: PageGraph
    facts: PageFacts
    folding: Folding
    stored: Ids


class LinkAnalysis(Struct, frozen=True):
    """Scores of the nodes of a portal's graph; `loading` and `scoring` are seconds."""

    links: LoadedLinks
    topics: list[TopicScores]
    pagerank: Floats
    topic_pagerank: Floats
    loading: float
    scoring: float


def analyse_links(
    store: Store, *, by_relevance: bool = False, seed: int = 0, virtual: VirtualLinks = VirtualLinks.NONE
) -> LinkAnalysis:
    """Score the pages of a portal by their links, and store the scores.

    `seed` is the random seed for sampling predecessors; `by_relevance` weights pages by their topic confidence.
    `virtual` selects the pages of a topic between which links are added for topic PageRank.
    """
    started = time.perf_counter()
    links = load_links(store)
    loaded = time.perf_counter()
    topics = topic_scores(links.graph, links.facts, np.random.default_rng(seed), by_relevance=by_relevance)
    ranks = page_ranks(links.graph)
    added = virtual_links(links.graph, links.facts, topics, virtual)
    by_topic = topic_page_ranks(links.graph, links.facts, virtual=added)
    analysis = LinkAnalysis(links, topics, ranks, by_topic, loaded - started, time.perf_counter() - loaded)
    store.scores.keep(page_scores(analysis))
    return analysis


def load_links(store: Store) -> LoadedLinks:
    """Return the graph of a portal, redirects and duplicates folded; pages that are gone are left out."""
    hosts: _Numbers[str] = _Numbers()
    topics: _Numbers[str | None] = _Numbers(None)
    ids, host_numbers, topic_numbers = ([np.zeros(0, np.int64)] for _ in range(3))
    confidences = [np.zeros(0)]
    for block in store.graph.page_columns():
        ids.append(np.array(block.ids, np.int64))
        host_numbers.append(hosts.of(block.hosts))
        topic_numbers.append(topics.of(block.topics))
        # None becomes not-a-number.
        confidences.append(np.array(block.confidences, np.float64))
    stored = np.concatenate(ids)
    kinds = (DuplicateKind.DIGEST, DuplicateKind.CANONICAL, DuplicateKind.NEAR)
    duplicates = chain.from_iterable(store.duplicates.pairs(kind) for kind in kinds)
    folding = fold(stored, store.graph.redirects(), duplicates)
    graph = page_graph(folding, store.graph.edges())
    place = np.searchsorted(stored, graph.ids)
    facts = PageFacts(
        np.concatenate(host_numbers)[place],
        np.concatenate(topic_numbers)[place],
        np.concatenate(confidences)[place],
        [topic for topic in topics if topic is not None],
    )
    return LoadedLinks(graph, facts, folding, stored)


class _Numbers(dict[T, int]):
    """Numbers names from 0 in the order of first use; the name `without` a number gets −1.

    >>> numbers = _Numbers(None)
    >>> [numbers[name] for name in ("a", None, "b", "a")]
    [0, -1, 1, 0]
    """

    def __init__(self, *without: T) -> None:
        super().__init__(dict.fromkeys(without, -1))
        self._without = len(without)

    def __missing__(self, name: T) -> int:
        number = self[name] = len(self) - self._without
        return number

    def of(self, names: Sequence[T]) -> Ids:
        """Return the numbers of several names."""
        return np.fromiter(map(self.__getitem__, names), np.int64, len(names))


def page_scores(analysis: LinkAnalysis) -> Iterator[PageScores]:
    """Yield the scores of every stored page for its own topic; a folded page has those of its representative."""
    links = analysis.links
    hubs, authorities = np.full((2, links.graph.nodes), np.nan)
    for topic in analysis.topics:
        own = topic.nodes[topic.members]
        hubs[own], authorities[own] = topic.hubs[topic.members], topic.authorities[topic.members]
    pages = links.folding.pages[np.searchsorted(links.folding.addresses, links.stored)]
    nodes = np.searchsorted(links.graph.ids, pages)
    columns = (_or_none(scores[nodes]) for scores in (hubs, authorities, analysis.pagerank, analysis.topic_pagerank))
    return map(PageScores, links.stored.tolist(), *columns)


def best(scores: Floats, number: int) -> list[int]:
    """Return the positions of the highest scores above 0, highest first; ties in order of position.

    >>> best(np.array([0.1, 0.5, 0.0, 0.5]), 3)
    [1, 3, 0]
    """
    found: list[int] = np.argsort(-scores, kind="stable")[:number].tolist()
    return [place for place in found if scores[place] > 0]


def _or_none(scores: Floats) -> list[float | None]:
    return [None if math.isnan(score) else score for score in scores.tolist()]
