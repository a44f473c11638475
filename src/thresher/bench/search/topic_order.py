"""Compares orders for a topic's pages: confidence, PageRank, virtual links, indicators.

The first pages of each topic are compared with their labels, as in tables 2.3 and 2.8 of Sizov. Training pages of the
classifier are left out.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Final

import numpy as np
from numpy.typing import NDArray

from thresher.bench.page_cache import PageCache
from thresher.bench.search.quality import RankingQuality
from thresher.bench.webs.web import BenchWeb
from thresher.link_analysis import LoadedLinks, load_links
from thresher.linkscores.scoring import page_ranks, topic_page_ranks, topic_scores, virtual_links
from thresher.linkscores.virtual_links import VirtualLinks
from thresher.search.columns import Columns
from thresher.store.protocol import Store
from thresher.web.urls import url_id

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

TOPS: Final = (10, 20)
MOST_CONFIDENT: Final = 1_000
INDICATORS: Final = 5
"""Indicator words per topic, of which a page must have one: those that best distinguish its examples."""


def measure(
    columns: Columns, store: Store, web: BenchWeb, pages: PageCache, topics: Sequence[str], taught: set[str]
) -> Iterator[RankingQuality]:
    """Yield the precision of each order among the first pages of the topics, and with and without indicators."""
    own = {topic: _accepted(columns, topic, taught) for topic in topics}
    right = {topic: _labelled(columns, web, topic) for topic in topics}
    for name, scores in _orders(columns, store).items():
        for top in TOPS:
            yield RankingQuality(
                data=web.name, task=f"topic top {top}", ranking=name, value=_precision(own, right, scores, top)
            )
    marked = _with_indicators(columns, store, web, pages, own, taught)
    confidences: Floats = np.nan_to_num(columns["confidence"], nan=-np.inf)
    for name, rows in (("without indicators", own), ("with indicators", marked)):
        precision = _precision(rows, right, confidences, TOPS[-1])
        yield RankingQuality(data=web.name, task=f"topic top {TOPS[-1]}", ranking=name, value=precision)
        yield RankingQuality(
            data=web.name, task="most confident", ranking=name, value=_share_of_best(rows, right, confidences)
        )


def _accepted(columns: Columns, topic: str, taught: set[str]) -> Rows:
    """Return the pages that the classifier assigned to a topic, without its training pages."""
    if topic not in columns.names["topic"]:
        return np.zeros(0, np.int64)
    rows = np.flatnonzero(columns["topic"] == columns.names["topic"].index(topic))
    return rows[~np.isin(rows, columns.rows([url_id(url) for url in taught]))]


def _labelled(columns: Columns, web: BenchWeb, topic: str) -> NDArray[np.bool_]:
    found = np.zeros(len(columns), np.bool_)
    rows = columns.rows([url_id(url) for url, labels in web.labels.items() if topic in labels])
    found[rows[rows >= 0]] = True
    return found


def _orders(columns: Columns, store: Store) -> dict[str, Floats]:
    """Return the scores of all pages in each order, by name."""
    links = load_links(store)
    topics = topic_scores(links.graph, links.facts, np.random.default_rng(0))
    found = {
        "confidence": np.nan_to_num(columns["confidence"], nan=-np.inf),
        "PageRank": _by_row(columns, links, page_ranks(links.graph)),
    }
    for kind in VirtualLinks:
        virtual = virtual_links(links.graph, links.facts, topics, kind)
        for name, by_relevance in (("topic PageRank", True), ("PageRank", False)):
            if kind is VirtualLinks.NONE and not by_relevance:
                continue
            ranks = topic_page_ranks(links.graph, links.facts, virtual=virtual, by_relevance=by_relevance)
            added = "" if kind is VirtualLinks.NONE else f", virtual {kind.value}"
            found[f"{name}{added}"] = _by_row(columns, links, ranks)
    return found


def _by_row(columns: Columns, links: LoadedLinks, scores: Floats) -> Floats:
    values = np.zeros(len(columns))
    rows = columns.rows(links.graph.ids)
    values[rows[rows >= 0]] = scores[rows >= 0]
    return values


def _precision(own: Mapping[str, Rows], right: Mapping[str, NDArray[np.bool_]], scores: Floats, top: int) -> float:
    """Return the mean share of right pages among the first ones of the topics."""
    shares = [right[topic][_best(rows, scores, top)].mean() for topic, rows in own.items() if len(rows)]
    return round(fmean(shares), 4) if shares else 0.0


def _share_of_best(own: Mapping[str, Rows], right: Mapping[str, NDArray[np.bool_]], scores: Floats) -> float:
    """Return the share of right pages among the most confident ones of all topics together."""
    verdicts = {int(row): bool(right[topic][row]) for topic, rows in own.items() for row in rows.tolist()}
    best = _best(np.array(sorted(verdicts), np.int64), scores, MOST_CONFIDENT)
    return round(fmean(verdicts[int(row)] for row in best), 4) if len(best) else 0.0


def _best(rows: Rows, scores: Floats, top: int) -> Rows:
    return rows[np.argsort(-scores[rows], kind="stable")[:top]]


def _with_indicators(
    columns: Columns, store: Store, web: BenchWeb, pages: PageCache, own: Mapping[str, Rows], taught: set[str]
) -> dict[str, Rows]:
    """Return the pages of each topic that have one of its indicator words."""
    kept: dict[str, Rows] = {}
    for topic, rows in own.items():
        wanted = set(indicators(web, pages, topic, taught))
        terms = store.documents.terms(columns["id"][rows].tolist())
        having = [row for row in rows.tolist() if wanted & terms.get(int(columns["id"][row]), {}).keys()]
        kept[topic] = np.array(having, np.int64)
    return kept


def indicators(web: BenchWeb, pages: PageCache, topic: str, taught: set[str]) -> list[str]:
    """Return the stems that best distinguish the examples of a topic, by the difference in document frequency."""
    inside: Counter[str] = Counter()
    outside: Counter[str] = Counter()
    sizes = Counter(topic in web.labels.get(url, ()) for url in taught)
    for url in sorted(taught):
        page = pages.page(url)
        if page is not None:
            (inside if topic in web.labels.get(url, ()) else outside).update(page.terms.keys())
    return sorted(
        inside, key=lambda stem: (outside[stem] / max(1, sizes[False]) - inside[stem] / max(1, sizes[True]), stem)
    )[:INDICATORS]
