"""Finds the pages that can be reached from the start pages only through certain other pages."""

from collections.abc import Collection, Iterable
from itertools import chain

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from thresher.store.crawl_history import all_crawls
from thresher.store.decisions import DecisionKind, DecisionRow
from thresher.store.page_records import DocumentRow
from thresher.store.protocol import Store
from thresher.store.records import CrawlKind
from thresher.web.urls import url_id

Ids = NDArray[np.int64]


class Removal(Struct, frozen=True):
    """The pages to be removed, and those found only through them, by id.

    `in_topics` counts the ones that belong to a topic. `kept` counts pages that stay because they were reviewed,
    although no other path leads to them.
    """

    pages: list[int]
    brought: list[int]
    in_topics: int
    kept: int


def plan_removal(store: Store, pages: Collection[int], starts: Iterable[str]) -> Removal:
    """Return what is removed with some pages; `starts` are the start URLs of crawls.

    Start URLs are never removed along with other pages, nor are URLs that were added to a running crawl or found in a
    sitemap, a feed or a page that is not stored. Pages that cannot be reached anyway, for example because their start
    page was removed, stay.
    """
    topics = {page.id: page.topic for block in store.graph.pages() for page in block}
    roots = ({url_id(url) for url in starts} | _entries(store)) - set(pages)
    links = _links(store)
    lost = set(_reached(links, roots | set(pages)) - _reached(links, roots, without=pages))
    lost = {id_ for id_ in lost if id_ in topics and id_ not in pages}
    settled = store.decisions.settled(sorted(lost))
    judged = {id_ for id_ in lost if id_ in settled}
    brought = sorted(lost - judged)
    accepted = sum(topics.get(id_) is not None for id_ in chain(pages, brought))
    kept = sum(settled[id_].topic is not None for id_ in judged)
    return Removal(sorted(pages), brought, accepted, kept)


def removal_rows(store: Store, removal: Removal, at: float, user: int | None) -> list[DecisionRow]:
    """Return the decisions that make up a removal: the pages are irrelevant, the others are removed with them."""
    rows = []
    for kind, ids in ((DecisionKind.REMOVED, removal.brought), (DecisionKind.IRRELEVANT, removal.pages)):
        for id_ in ids:
            page = store.documents.document(id_)
            if page is not None:
                shown = _topic(page)
                rows.append(DecisionRow(page=id_, url=page.url, kind=kind, at=at, shown=shown, user=user))
    return rows


def _topic(page: DocumentRow) -> str | None:
    return page.judgement.topic if page.judgement else None


def _entries(store: Store) -> set[int]:
    """Return the ids of URLs that crawls found in other ways than by a link on a stored page or a redirect."""
    # Crawls for queries and refreshes start from stored pages, which says nothing about how those were found.
    crawls = [crawl.id for crawl in all_crawls(store) if crawl.kind not in (CrawlKind.ASK, CrawlKind.REFRESH)]
    redirected = {source for source, _ in store.graph.redirects()}
    return {id_ for id_, found_on in store.graph.entries(crawls) if found_on is None or found_on not in redirected}


def _links(store: Store) -> Ids:
    """Return all links and redirects as rows of source and target, without self-links."""
    blocks = [np.array(block, np.int64).reshape(-1, 2) for block in store.graph.edges()]
    blocks.append(np.array(list(store.graph.redirects()), np.int64).reshape(-1, 2))
    found = np.concatenate(blocks)
    away: Ids = found[found[:, 0] != found[:, 1]]
    return away


def _reached(links: Ids, roots: Collection[int], without: Collection[int] = ()) -> set[int]:
    """Return the ids reachable from the given ones, including them, on paths that avoid others."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order

    avoided = np.array(sorted(without), np.int64)
    open_ = links[~np.isin(links, avoided).any(axis=1)]
    ids = np.unique(np.concatenate([open_.ravel(), np.array(sorted(roots), np.int64)]))
    root = len(ids)
    # An extra node links to all roots, so one search is enough.
    sources = np.concatenate([np.searchsorted(ids, open_[:, 0]), np.full(len(roots), root)])
    targets = np.concatenate(
        [np.searchsorted(ids, open_[:, 1]), np.searchsorted(ids, np.array(sorted(roots), np.int64))]
    )
    graph = csr_array((np.ones(len(sources), np.int8), (sources, targets)), shape=(root + 1, root + 1))
    order = breadth_first_order(graph, root, return_predecessors=False)
    return set(ids[order[order != root]].tolist())
