"""`thresher rank`: the top hubs and authorities of a portal."""

from typing import Annotated

import typer

from thresher.api.link_ranking import LinkRanking, RankedPage, VirtualLinks, rank_pages
from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, counted, print_json
from thresher.cli.screen import bold, dim


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
    ranking = rank_pages(
        portal, topic=topic, number=number, relevance=relevance, neighbours=neighbours, virtual=virtual
    )
    if json:
        print_json(ranking)
    else:
        _show(ranking)


def _show(summary: LinkRanking) -> None:
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
        _list("authorities", topic["authorities"], topic["topic"])
        _list("hubs", topic["hubs"], topic["topic"])
    if summary["pagerank"]:
        out.print()
        out.print(bold("Overall"))
        _list("PageRank", summary["pagerank"], None)


def _list(kind: str, pages: list[RankedPage], topic: str | None) -> None:
    out = console()
    out.print(f"  {kind}" if pages else f"  {kind}: none")
    for page in pages:
        mark = "" if topic is None or page["topic"] == topic else f"  ({_found_to_be(page)})"
        out.print(f"    {page['score']:.6f}  {page['url']}  ", dim(page["title"]), f"{mark}")


def _found_to_be(page: RankedPage) -> str:
    if not page["judged"]:
        return "not classified"
    return f"topic {page['topic']}" if page["topic"] else "no topic"
