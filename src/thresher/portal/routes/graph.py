"""The crawl graph as a picture, a list, and data."""

from typing import Annotated, Any, Final

import msgspec
from fastapi import Query
from starlette.responses import Response

from thresher.portal.assets import assets
from thresher.portal.crawl_graph import FEW, MOST, CrawlGraph, crawl_graph, gexf_lines, narrowed
from thresher.portal.doors import Doors, Refused
from thresher.portal.ids import page_id, page_name
from thresher.portal.story import way
from thresher.portal.view import Seen
from thresher.portal.wording import SURE
from thresher.store.portal_records import Role

doors = Doors()

SIZES: Final = (FEW, 1000, 2000, MOST)
_LISTED: Final = 200

Size = Annotated[int, Query(ge=1, le=MOST)]
Branches = Annotated[list[str], Query(max_length=50)]
Sure = Annotated[float, Query(ge=0, le=1, allow_inf_nan=False)]


@doors.page("/graph", needs=Role.REVIEWER)
def graph(view: Seen, n: Size = FEW, as_: Annotated[str, Query(alias="as", max_length=10)] = "") -> Response:
    """Show the best-linked pages and their links, as a list if the picture cannot be drawn."""
    drawable = all(name in assets() for name in ("sigma.min.js", "graphology.umd.min.js"))
    listed = as_ == "list" or not drawable
    found = crawl_graph(view.library, n)
    return view.page(
        "graph.html",
        found=found,
        number=n,
        sizes=SIZES,
        listed=listed,
        drawable=drawable,
        rows=_rows(found) if listed else [],
        sures=[(name, least) for name, least, _ in reversed(SURE)],
    )


@doors.page("/graph.json", needs=Role.REVIEWER)
def graph_data(view: Seen, n: Size = FEW) -> Response:
    """Return the pages and links of the graph."""
    found = crawl_graph(view.library, n)
    told = {"total": found.total, "nodes": found.nodes, "edges": found.edges}
    return Response(msgspec.json.encode(told), media_type="application/json")


@doors.page("/graph.gexf", needs=Role.REVIEWER)
def graph_file(
    view: Seen,
    n: Size = FEW,
    branch: Branches = [],  # noqa: B006 - it is never changed
    sure: Sure = 0.0,
    marked: bool = False,
) -> Response:
    """Return the visible part of the graph as a GEXF file."""
    found = narrowed(crawl_graph(view.library, n), set(branch), sure, marked)
    headers = {"content-disposition": 'attachment; filename="graph.gexf"'}
    return Response(
        "".join(gexf_lines(found)).encode("utf-8", "replace"), media_type="application/xml", headers=headers
    )


@doors.page("/graph/page/{name}", needs=Role.REVIEWER)
def graph_page(view: Seen, name: str) -> Response:
    """Return the details of one page in the graph: its topic, its links, and the path to it."""
    id_ = page_id(name)
    found = view.library.store.documents.document(id_) if id_ is not None else None
    if id_ is None or found is None or "noindex" in found.robots:
        raise Refused(404, "error.document", "error.document_then")
    links = view.library.store.catalogue.links([id_])[id_]
    steps = way(view.library, found)
    return view.page("graph_page.html", page=found, name=page_name(id_), links=links, way=steps)


def _rows(found: CrawlGraph) -> list[tuple[Any, int, int]]:
    """Return the pages of the list with the number of graph links to and from each."""
    cited, leads = [0] * len(found.nodes), [0] * len(found.nodes)
    for a, b in found.edges:
        leads[a] += 1
        cited[b] += 1
    rows = [(node, cited[place], leads[place]) for place, node in enumerate(found.nodes)]
    return sorted(rows, key=lambda row: (-row[0].size, -row[1], row[0].title))[:_LISTED]
