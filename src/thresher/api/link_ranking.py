"""Link scores of a portal's pages: hubs and authorities of each topic, and PageRank."""

import difflib
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from thresher.errors import InputError
from thresher.linkscores.virtual_links import VirtualLinks as VirtualLinks
from thresher.store.protocol import Store
from thresher.store.repository import open_store

if TYPE_CHECKING:
    from thresher.link_analysis import Floats, Ids, LinkAnalysis
    from thresher.linkscores.page_graph import PageGraph
    from thresher.linkscores.scoring import TopicScores


class RankedPage(TypedDict):
    """A page with its score; `judged` is false if it was never classified."""

    url: str
    title: str
    topic: str | None
    judged: bool
    score: float


class TopicRanking(TypedDict):
    """The best pages of a topic, null for all pages.

    `base_set` counts its pages, the pages they link to and some that link to them. `inside` is how much a link within a
    host counts, 0 if enough links cross hosts.
    """

    topic: str | None
    pages: int
    base_set: int
    inside: float
    authorities: list[RankedPage]
    hubs: list[RankedPage]


class LinkRanking(TypedDict):
    """Link scores; `folded` counts redirects and duplicates, which count as the page they refer to."""

    portal: str
    pages: int
    folded: int
    links: int
    loading_seconds: float
    scoring_seconds: float
    topics: list[TopicRanking]
    pagerank: list[RankedPage]


def rank_pages(
    path: Path,
    *,
    topic: str | None = None,
    number: int = 10,
    relevance: bool = False,
    neighbours: bool = False,
    virtual: VirtualLinks = VirtualLinks.NONE,
) -> LinkRanking:
    """Score all pages of a portal by their links, store the scores, and return the `number` best of each list.

    `topic` returns the lists of one topic only. `relevance` weights pages by their confidence. `neighbours` also lists
    pages near a topic. `virtual` adds links between pages of a topic that are far apart, for its PageRank. Works while
    a crawl is running.
    """
    from thresher.link_analysis import analyse_links

    with closing(open_store(path)) as store:
        analysis = analyse_links(store, by_relevance=relevance, virtual=virtual)
        _check(analysis, topic)
        graph = analysis.links.graph
        return {
            "portal": str(path),
            "pages": len(analysis.links.stored),
            "folded": len(analysis.links.stored) - graph.nodes,
            "links": int(graph.links.nnz),
            "loading_seconds": round(analysis.loading, 3),
            "scoring_seconds": round(analysis.scoring, 3),
            "topics": [
                _topic(store, graph, scores, number, neighbours)
                for scores in analysis.topics
                if topic in (None, scores.topic)
            ],
            "pagerank": _pages(store, graph.ids, analysis.pagerank, number),
        }


def _check(analysis: "LinkAnalysis", topic: str | None) -> None:
    """Raise InputError unless some page belongs to a topic."""
    names = [scores.topic for scores in analysis.topics if scores.topic is not None]
    if topic is None or topic in names:
        return
    close = difflib.get_close_matches(topic, names, 1, 0.4)
    known = f"Choose one of: {', '.join(names[:20])}." if names else "No page of this portal has a topic yet."
    raise InputError(f"No page belongs to the topic '{topic}'.", f"Did you mean '{close[0]}'?" if close else known)


def _topic(store: Store, graph: "PageGraph", scores: "TopicScores", number: int, neighbours: bool) -> TopicRanking:
    return {
        "topic": scores.topic,
        "pages": int(scores.members.sum()),
        "base_set": len(scores.nodes),
        "inside": round(scores.inside, 3),
        "authorities": _pages(store, *_listed(graph, scores, scores.authorities, neighbours), number),
        "hubs": _pages(store, *_listed(graph, scores, scores.hubs, neighbours), number),
    }


def _listed(graph: "PageGraph", scores: "TopicScores", values: "Floats", neighbours: bool) -> "tuple[Ids, Floats]":
    """Return the ids and scores of a topic's pages, or of its whole base set with `neighbours`."""
    shown = scores.members | neighbours
    return graph.ids[scores.nodes[shown]], values[shown]


def _pages(store: Store, ids: "Ids", scores: "Floats", number: int) -> list[RankedPage]:
    from thresher.link_analysis import best

    return [_page(store, int(ids[place]), float(scores[place])) for place in best(scores, number)]


def _page(store: Store, id_: int, score: float) -> RankedPage:
    page = store.documents.document(id_)
    judgement = page.judgement if page else None
    return {
        "url": page.url if page else "",
        "title": page.title if page else "",
        "topic": judgement.topic if judgement else None,
        "judged": judgement is not None,
        "score": score,
    }
