"""`thresher rank`: the top hubs and authorities of a portal."""

import difflib
from typing import Annotated, Any

import numpy as np
import typer

from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, counted, print_json
from thresher.cli.screen import bold, dim
from thresher.errors import InputError
from thresher.link_analysis import Floats, Ids, LinkAnalysis, analyse_links, best
from thresher.linkscores.page_graph import PageGraph
from thresher.linkscores.scoring import TopicScores
from thresher.linkscores.virtual_links import VirtualLinks
from thresher.store.protocol import Store
from thresher.store.repository import open_store


@app.command(epilog="Example: thresher rank my-portal --topic Science/Physics")
def rank(
    portal: Portal,
    topic: Annotated[str | None, typer.Option("--topic", metavar="TOPIC", help="Show this topic only.")] = None,
    number: Annotated[int, typer.Option("--number", min=1, help="Pages shown in each list.")] = 10,
    relevance: Annotated[bool, typer.Option("--relevance", help="Weight pages by their topic confidence.")] = False,
    neighbours: Annotated[
        bool, typer.Option("--neighbours", help="Also list pages near a topic, with their own topics.")
    ] = False,
    virtual: Annotated[
        VirtualLinks,
        typer.Option(
            "--virtual-links",
            help="For topic PageRank, also link pages of a topic that are far apart: its surest pages, or the best "
            "hub of each host.",
        ),
    ] = VirtualLinks.NONE,
    json: Json = False,
) -> None:
    """Score all pages by their links; show the top hubs and authorities of each topic, and PageRank overall.

    Only pages classified into a topic are listed as its hubs and authorities. Redirects and duplicates count as the
    page they stand for. Works while a crawl is running.
    """
    store = open_store(portal)
    try:
        analysis = analyse_links(store, by_relevance=relevance, virtual=virtual)
        summary = _summary(store, analysis, topic, number, neighbours)
    finally:
        store.close()
    if json:
        print_json({"portal": str(portal), **summary})
    else:
        _show(summary)


def _summary(store: Store, analysis: LinkAnalysis, topic: str | None, number: int, neighbours: bool) -> dict[str, Any]:
    """Return what `--json` prints of an analysis."""
    names = [scores.topic for scores in analysis.topics if scores.topic is not None]
    if topic is not None and topic not in names:
        close = difflib.get_close_matches(topic, names, 1, 0.4)
        known = f"Choose one of: {', '.join(names[:20])}." if names else "No page of this portal has a topic yet."
        raise InputError(f"No page belongs to the topic '{topic}'.", f"Did you mean '{close[0]}'?" if close else known)
    graph = analysis.links.graph
    topics = [
        {
            "topic": scores.topic,
            "pages": int(scores.members.sum()),
            "base_set": len(scores.nodes),
            "inside": round(scores.inside, 3),
            "authorities": _pages(store, *_listed(graph, scores, scores.authorities, neighbours), number),
            "hubs": _pages(store, *_listed(graph, scores, scores.hubs, neighbours), number),
        }
        for scores in analysis.topics
        if topic in (None, scores.topic)
    ]
    return {
        "pages": len(analysis.links.stored),
        "folded": len(analysis.links.stored) - graph.nodes,
        "links": int(graph.links.nnz),
        "loading_seconds": round(analysis.loading, 3),
        "scoring_seconds": round(analysis.scoring, 3),
        "topics": topics,
        "pagerank": _pages(store, graph.ids, analysis.pagerank, number),
    }


def _listed(graph: PageGraph, scores: TopicScores, values: Floats, neighbours: bool) -> tuple[Ids, Floats]:
    """Return the ids and scores of a topic's pages, or of its whole base set with `neighbours`."""
    shown = np.ones_like(scores.members) if neighbours else scores.members
    return graph.ids[scores.nodes[shown]], values[shown]


def _pages(store: Store, ids: Ids, scores: Floats, number: int) -> list[dict[str, Any]]:
    return [_page(store, int(ids[place]), float(scores[place])) for place in best(scores, number)]


def _page(store: Store, id_: int, score: float) -> dict[str, Any]:
    page = store.documents.document(id_)
    judgement = page.judgement if page else None
    return {
        "url": page.url if page else "",
        "title": page.title if page else "",
        "topic": judgement.topic if judgement else None,
        "judged": judgement is not None,
        "score": score,
    }


def _show(summary: dict[str, Any]) -> None:
    out = console()
    out.print(
        f"{counted(summary['pages'], 'page')} and {counted(summary['links'], 'link')}; "
        f"redirects and duplicates ({summary['folded']:,}) count as the page they stand for."
    )
    out.print(
        dim("Each topic is scored on its base set: its pages, the pages they link to, and some that link to them.")
    )
    for topic in summary["topics"]:
        name = "All pages" if topic["topic"] is None else topic["topic"]
        out.print()
        out.print(bold(name), f": {counted(topic['pages'], 'page')}, base set {topic['base_set']:,}")
        if topic["inside"]:
            out.print(dim(f"Few links cross hosts, so links within a host count {topic['inside']:.0%}."))
        for kind in ("authorities", "hubs"):
            _list(kind, topic[kind], topic["topic"])
    if summary["pagerank"]:
        out.print()
        out.print(bold("Overall"))
        _list("PageRank", summary["pagerank"], None)


def _list(kind: str, pages: list[dict[str, Any]], topic: str | None) -> None:
    out = console()
    out.print(f"  {kind}" if pages else f"  {kind}: none")
    for page in pages:
        mark = "" if topic is None or page["topic"] == topic else f"  ({_found_to_be(page)})"
        out.print(f"    {page['score']:.6f}  {page['url']}  ", dim(page["title"]), f"{mark}")


def _found_to_be(page: dict[str, Any]) -> str:
    if not page["judged"]:
        return "not classified"
    return f"topic {page['topic']}" if page["topic"] else "no topic"
