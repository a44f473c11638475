"""Hubs and authorities of each topic, and the PageRank of all pages."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from thresher.graph.hits import hits
from thresher.graph.pagerank import pagerank
from thresher.linkscores.base_set import PREDECESSORS, base_set, inner_edges
from thresher.linkscores.page_graph import PageGraph
from thresher.linkscores.virtual_links import VirtualLinks, chosen_hubs, chosen_pages, far_apart

Ids = NDArray[np.int64]
Floats = NDArray[np.float64]


INSIDE: Final = 0.2
"""Weight of a link inside a host if there are no links between hosts."""


class TopicScores(Struct, frozen=True):
    """Hubs and authorities of a topic: `nodes` are its base set, `members` a mask of its own pages.

    `topic` is None if the portal has no topics and all its pages are one base set. `inside` is the weight of links
    inside a host, 0 if links between hosts are enough.
    """

    topic: str | None
    nodes: Ids
    members: NDArray[np.bool_]
    hubs: Floats
    authorities: Floats
    inside: float = 0.0


class PageFacts(Struct, frozen=True):
    """What is known about the page of each node: its host number, topic number (−1 for none) and confidence.

    `topics` are the topic names by number; `confidences` are NaN for pages that were never judged.
    """

    hosts: Ids
    topic_numbers: Ids
    confidences: Floats
    topics: list[str]


def topic_scores(
    graph: PageGraph,
    facts: PageFacts,
    generator: np.random.Generator,
    *,
    predecessors: int = PREDECESSORS,
    iterations: int = 30,
    by_relevance: bool = False,
) -> list[TopicScores]:
    """Return the scores of each topic that has pages, in order of name; of all pages if there are no topics.

    With `by_relevance`, a page of the topic is weighted by its confidence, any other page by the lowest of these.
    """
    if not facts.topics:
        everything = np.arange(graph.nodes)
        return [_scores(None, graph, facts, everything, everything, iterations, by_relevance)] if graph.nodes else []
    found: list[TopicScores] = []
    for topic, members in sorted(_members(facts).items()):
        nodes = base_set(graph, members, generator, predecessors=predecessors)
        found.append(_scores(topic, graph, facts, members, nodes, iterations, by_relevance))
    return found


def page_ranks(graph: PageGraph, *, jump: float = 0.15) -> Floats:
    """Return the PageRank of every node; `jump` is δ."""
    sources = np.repeat(np.arange(graph.nodes), np.diff(graph.links.indptr))
    return pagerank(sources, graph.links.indices, graph.nodes, jump=jump)


def topic_page_ranks(
    graph: PageGraph,
    facts: PageFacts,
    *,
    jump: float = 0.15,
    virtual: tuple[Ids, Ids] | None = None,
    by_relevance: bool = True,
) -> Floats:
    """Return the PageRank of every node for a reader who prefers pages that surely belong to a topic.

    `virtual` are sources and targets of additional links. Without `by_relevance`, the reader has no preference.
    """
    sources, targets = np.repeat(np.arange(graph.nodes), np.diff(graph.links.indptr)), graph.links.indices
    if virtual is not None:
        sources, targets = np.concatenate([sources, virtual[0]]), np.concatenate([targets, virtual[1]])
    sure = np.where(facts.topic_numbers >= 0, facts.confidences, 0.0) if by_relevance else None
    return pagerank(sources, targets, graph.nodes, jump=jump, relevance=sure)


def virtual_links(
    graph: PageGraph, facts: PageFacts, topics: Sequence[TopicScores], kind: VirtualLinks
) -> tuple[Ids, Ids] | None:
    """Return the sources and targets of the virtual links inside all topics, or None if none are wanted."""
    if kind is VirtualLinks.NONE:
        return None
    found = [(np.zeros(0, np.int64), np.zeros(0, np.int64))]
    for scores in topics:
        members = scores.nodes[scores.members]
        if kind is VirtualLinks.HUBS:
            chosen = chosen_hubs(members, facts.hosts[members], scores.hubs[scores.members])
        else:
            chosen = chosen_pages(members, facts.confidences[members])
        found.append(far_apart(graph, chosen))
    return np.concatenate([sources for sources, _ in found]), np.concatenate([targets for _, targets in found])


def _members(facts: PageFacts) -> Mapping[str, Ids]:
    order = np.argsort(facts.topic_numbers, kind="stable")
    bounds = np.searchsorted(facts.topic_numbers[order], np.arange(len(facts.topics) + 1))
    parts = {topic: order[bounds[n] : bounds[n + 1]] for n, topic in enumerate(facts.topics)}
    return {topic: members for topic, members in parts.items() if len(members)}


def _scores(
    topic: str | None,
    graph: PageGraph,
    facts: PageFacts,
    members: Ids,
    nodes: Ids,
    iterations: int,
    by_relevance: bool,
) -> TopicScores:
    own = np.isin(nodes, members)
    sources, targets = inner_edges(graph, nodes)
    hosts = facts.hosts[nodes]
    inside = weight_inside(int((hosts[sources] != hosts[targets]).sum()), len(nodes))
    relevance = _relevance(facts.confidences[nodes], own) if by_relevance else None
    found = hits(sources, targets, len(nodes), hosts, inside=inside, relevance=relevance, iterations=iterations)
    return TopicScores(topic, nodes, own, found.hubs, found.authorities, inside)


def weight_inside(between: int, pages: int) -> float:
    """Return the weight of a link inside a host, given the number of links between hosts and of pages.

    A host says little by linking to itself: its links only count while there is less than one link between hosts per
    page.

    >>> [weight_inside(between, 100) for between in (0, 50, 100, 500)]
    [0.2, 0.1, 0.0, 0.0]
    """
    return INSIDE * max(0.0, 1.0 - between / max(1, pages))


def _relevance(confidences: Floats, own: NDArray[np.bool_]) -> Floats | None:
    """Return the weight of each page, or None if no page of the topic has a confidence above 0."""
    sure = own & (confidences > 0)
    if not sure.any():
        return None
    weights: Floats = np.where(sure, confidences, confidences[sure].min())
    return weights
