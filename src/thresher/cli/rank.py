"""`thresher rank`: the pages that the links of a portal speak for."""

from typing import Annotated, Any

import typer

from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, plain, print_json
from thresher.errors import InputError
from thresher.link_analysis import LinkAnalysis, analyse_links, best
from thresher.store.protocol import Store
from thresher.store.sqlite.store import open_store


@app.command(epilog="Example: thresher rank my-portal --topic Science/Physics")
def rank(
    portal: Portal,
    topic: Annotated[str | None, typer.Option("--topic", metavar="TOPIC", help="Show this topic only.")] = None,
    number: Annotated[int, typer.Option("--number", min=1, help="Pages shown in each list.")] = 10,
    relevance: Annotated[
        bool, typer.Option("--relevance", help="Let pages count by how surely they belong to their topic.")
    ] = False,
    json: Json = False,
) -> None:
    """Score all pages by their links, and show the best: hubs and authorities of each topic, PageRank over all.

    Redirects and duplicates count as the page they stand for. A crawl may run meanwhile.
    """
    store = open_store(portal)
    try:
        analysis = analyse_links(store, by_relevance=relevance)
        summary = _summary(store, analysis, topic, number)
    finally:
        store.close()
    if json:
        print_json({"portal": str(portal), **summary})
    else:
        _show(summary)


def _summary(store: Store, analysis: LinkAnalysis, topic: str | None, number: int) -> dict[str, Any]:
    """Return what `--json` prints of an analysis."""
    names = [scores.topic for scores in analysis.topics if scores.topic is not None]
    if topic is not None and topic not in names:
        known = f"There are: {', '.join(names[:20])}." if names else "No page of this portal has a topic yet."
        raise InputError(f"No page belongs to the topic '{topic}'.", known)
    graph = analysis.links.graph

    def pages(nodes: Any, scores: Any) -> list[dict[str, Any]]:
        return [_page(store, int(graph.ids[nodes[place]]), float(scores[place])) for place in best(scores, number)]

    topics = [
        {
            "topic": scores.topic,
            "pages": int(scores.members.sum()),
            "base_set": len(scores.nodes),
            "authorities": pages(scores.nodes, scores.authorities),
            "hubs": pages(scores.nodes, scores.hubs),
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
        "pagerank": pages(range(graph.nodes), analysis.pagerank),
    }


def _page(store: Store, id_: int, score: float) -> dict[str, Any]:
    page = store.documents.document(id_)
    return {"url": page.url if page else "", "title": page.title if page else "", "score": score}


def _show(summary: dict[str, Any]) -> None:
    out = console()
    out.print(f"{summary['pages']:,} pages, {summary['folded']:,} of them folded, {summary['links']:,} links.")
    for topic in summary["topics"]:
        name = "All pages" if topic["topic"] is None else plain(topic["topic"])
        out.print(f"\n[bold]{name}[/]: {topic['pages']:,} pages, base set {topic['base_set']:,}")
        for kind in ("authorities", "hubs"):
            _list(kind, topic[kind])
    if summary["pagerank"]:
        out.print("\n[bold]Overall[/]")
        _list("PageRank", summary["pagerank"])


def _list(kind: str, pages: list[dict[str, Any]]) -> None:
    out = console()
    out.print(f"  {kind}" if pages else f"  {kind}: none")
    for page in pages:
        out.print(f"    {page['score']:.6f}  {plain(page['url'])}  [dim]{plain(page['title'])}[/]")
