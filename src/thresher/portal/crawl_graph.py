"""The crawl graph: the best-linked pages of the portal and the links between them, also as a GEXF file."""

import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Final
from xml.sax.saxutils import quoteattr

from msgspec import Struct

from thresher.portal.graph_layout import laid_out
from thresher.portal.ids import page_name
from thresher.portal.library import Library
from thresher.store.portal_records import ListOrder, PageSelection
from thresher.store.search_records import PageHead
from thresher.store.watch_records import Place
from thresher.web.urls import host_of

FEW: Final = 500
MOST: Final = 5000
_ON_THE_WAY: Final = 10
"""Pages without a topic make up at most one in this many."""

_SMALL, _LARGE = 2.0, 12.0
_HUBS: Final = 0.05
_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Node(Struct, frozen=True, kw_only=True):
    """A page in the graph; `branch` is its top-level topic, None for a page without a topic that links to others.

    `marked` is True for the most cited pages and the best link lists.
    """

    id: str
    title: str
    host: str
    topic: str | None
    branch: str | None
    colour: int
    sure: float | None
    size: float
    marked: bool
    x: float
    y: float


class CrawlGraph(Struct, frozen=True):
    """Pages, links as pairs of their positions in the list, and the total number of pages."""

    nodes: list[Node]
    edges: list[tuple[int, int]]
    total: int

    @property
    def accepted(self) -> int:
        """Number of pages that belong to a topic."""
        return sum(node.topic is not None for node in self.nodes)

    def branches(self) -> list[tuple[str | None, int]]:
        """Return the top-level topics with their page counts, largest first and pages without a topic last."""
        counted = Counter(node.branch for node in self.nodes)
        return sorted(counted.items(), key=lambda found: (found[0] is None, -found[1]))


def crawl_graph(library: Library, number: int) -> CrawlGraph:
    """Return the graph of the best-linked pages; new positions are stored for next time."""
    store, told = library.store, library.overview()
    ids = store.catalogue.ids(PageSelection(), ListOrder.CITED, number)
    if len(ids) < number:
        ids = list(dict.fromkeys([*ids, *store.catalogue.ids(PageSelection(), ListOrder.BEST, number)]))[:number]
    pages = {page.id: page for page in library.pages(ids)}
    ids = [id_ for id_ in ids if id_ in pages]
    others = _on_the_way(library, ids, max(1, number // _ON_THE_WAY)) if ids else {}
    everything = [*ids, *others]
    index = {id_: place for place, id_ in enumerate(everything)}
    targets = store.search_feed.targets(everything)
    edges = [(index[a], index[b]) for a in everything for b in targets.get(a, ()) if b in index and a != b]
    scores = store.scores.of(everything)
    authority = [(scores[id_].authority or 0.0) if id_ in scores else 0.0 for id_ in everything]
    hub = [(scores[id_].hub or 0.0) if id_ in scores else 0.0 for id_ in everything]
    branches = [pages[id_].topic.partition("/")[0] if id_ in pages else None for id_ in everything]
    colours = {branch: node.colour for branch, node in told.nodes.items()}
    numbers = {branch: place for place, branch in enumerate(sorted({b for b in branches if b}), 1)}
    kept = store.places.of(everything)
    known = {index[id_]: (place.x, place.y) for id_, place in kept.items()}
    places = laid_out([numbers.get(branch or "", 0) for branch in branches], edges, known)
    if len(kept) < len(everything):
        fresh = {id_: Place(*map(float, places[index[id_]])) for id_ in everything if id_ not in kept}
        store.places.keep(fresh)
    best, border = max(authority, default=0.0) or 1.0, _border(hub)
    cited = _border(authority)
    nodes = [
        Node(
            id=page_name(id_),
            title=(pages[id_].title or pages[id_].url) if id_ in pages else others[id_].title or others[id_].url,
            host=pages[id_].host if id_ in pages else host_of(others[id_].url),
            topic=pages[id_].topic if id_ in pages else None,
            branch=branches[place],
            colour=colours.get(branches[place] or "", 0),
            sure=_known(pages[id_].probability) if id_ in pages else None,
            size=_SMALL + (_LARGE - _SMALL) * math.sqrt(authority[place] / best),
            marked=hub[place] >= border or authority[place] >= cited,
            x=round(float(places[place][0]), 3),
            y=round(float(places[place][1]), 3),
        )
        for place, id_ in enumerate(everything)
    ]
    return CrawlGraph(nodes, edges, told.pages)


def narrowed(graph: CrawlGraph, branches: set[str], sure: float, marked: bool) -> CrawlGraph:
    """Return the visible part of a graph.

    `branches` limits it to some branches (empty for all; "" stands for no topic), `sure` to a minimum probability, and
    `marked` to marked pages.
    """
    kept = [
        place
        for place, node in enumerate(graph.nodes)
        if (not branches or (node.branch or "") in branches)
        and (node.sure is None or node.sure >= sure)
        and (node.marked or not marked)
    ]
    index = {place: number for number, place in enumerate(kept)}
    edges = [(index[a], index[b]) for a, b in graph.edges if a in index and b in index]
    return CrawlGraph([graph.nodes[place] for place in kept], edges, graph.total)


def gexf_lines(graph: CrawlGraph) -> Iterator[str]:
    """Yield the lines of a GEXF file, for Gephi and similar programs."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield '<gexf xmlns="http://gexf.net/1.3" xmlns:viz="http://gexf.net/1.3/viz" version="1.3">\n'
    yield '<graph defaultedgetype="directed"><attributes class="node">'
    yield '<attribute id="topic" title="topic" type="string"/><attribute id="host" title="host" type="string"/>'
    yield '<attribute id="sure" title="probability" type="double"/></attributes>\n<nodes>\n'
    for node in graph.nodes:
        sure = f'<attvalue for="sure" value="{node.sure:.4f}"/>' if node.sure is not None else ""
        yield (
            f"<node id={_attribute(node.id)} label={_attribute(node.title)}><attvalues>"
            f'<attvalue for="topic" value={_attribute(node.topic or "")}/>'
            f'<attvalue for="host" value={_attribute(node.host)}/>{sure}</attvalues>'
            f'<viz:size value="{node.size:.2f}"/><viz:position x="{node.x}" y="{node.y}"/></node>\n'
        )
    yield "</nodes>\n<edges>\n"
    for number, (a, b) in enumerate(graph.edges):
        yield f'<edge id="{number}" source="{graph.nodes[a].id}" target="{graph.nodes[b].id}"/>\n'
    yield "</edges></graph></gexf>\n"


def _on_the_way(library: Library, ids: list[int], most: int) -> dict[int, PageHead]:
    """Return pages without a topic that link to several of some pages and so led to them."""
    found: Counter[tuple[int, str]] = Counter()
    for sources in library.store.graph.inlinks(ids, 20).values():
        found.update(sources)
    accepted = library.store.catalogue.pages([id_ for id_, _ in found])
    others = [(pair, links) for pair, links in found.most_common() if pair[0] not in accepted and links > 1]
    heads = library.store.search_feed.heads([id_ for (id_, _), _ in others[:most]])
    return {id_: head for id_, head in heads.items() if "noindex" not in head.robots}


def _border(scores: list[float]) -> float:
    """Return the score from which a page is among the best twentieth."""
    ranked = sorted((score for score in scores if score > 0), reverse=True)
    return ranked[int(_HUBS * len(ranked))] if ranked else math.inf


def _known(probability: float) -> float | None:
    return None if math.isnan(probability) else round(probability, 4)


def _attribute(text: str) -> str:
    return quoteattr(_NOT_XML.sub("?", text))
