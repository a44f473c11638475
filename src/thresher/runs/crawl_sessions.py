"""Sessions from an earlier crawl: the paths from its start pages to pages of the topics."""

from itertools import pairwise
from typing import Final

from thresher.errors import InputError
from thresher.store.browsing import BrowsedPage, BrowsingRow
from thresher.store.crawl_history import all_crawls
from thresher.store.protocol import Store
from thresher.store.records import CrawlKind
from thresher.store.url_records import UrlRow
from thresher.web.urls import url_id

MOST: Final = 2000
"""Maximum number of accepted pages whose paths are used, most confident first."""

LONGEST: Final = 50
"""Maximum number of pages on a path."""

_KINDS: Final = (CrawlKind.CRAWL, CrawlKind.LEARN, CrawlKind.HARVEST)


def crawl_sessions(store: Store, crawl: int = 0, topic: str | None = None, at: float = 0.0) -> list[BrowsingRow]:
    """Return a session for each start page from which a crawl reached accepted pages; those are the useful ones.

    By default this is the latest crawl that followed links. Raises InputError if there is no such crawl, or if it
    reached no accepted page.
    """
    chosen = [row for row in all_crawls(store) if row.kind in _KINDS and crawl in (0, row.id)]
    if not chosen:
        raise InputError("There is no such crawl.", "Leave out --crawl to use the latest, or crawl first.")
    number = chosen[-1].id
    ways: dict[str, dict[str, bool]] = {}
    links: dict[str, dict[tuple[str, str], None]] = {}
    for page in store.documents.accepted(topic, limit=MOST):
        way = _way(store, number, page.url_id)
        if not way:
            continue
        pages = ways.setdefault(way[0], {})
        for url in way:
            pages.setdefault(url, False)
        pages[page.url] = True
        links.setdefault(way[0], {}).update(dict.fromkeys(pairwise(way)))
    if not ways:
        raise InputError(f"Crawl {number} reached no page of a topic.", "Choose another with --crawl.")
    return [_row(pages, links[start], f"crawl {number}", at) for start, pages in ways.items()]


def _row(pages: dict[str, bool], links: dict[tuple[str, str], None], label: str, at: float) -> BrowsingRow:
    place = {url: number for number, url in enumerate(pages)}
    return BrowsingRow(
        source="crawl",
        label=label,
        taken=at,
        pages=[BrowsedPage(url=url, useful=useful) for url, useful in pages.items()],
        links=[(place[source], place[target]) for source, target in links],
    )


def _way(store: Store, crawl: int, ident: int) -> list[str]:
    """Return the URLs from a start page to a page without redirects; empty if the crawl never saw it."""
    way: list[str] = []
    redirected = False
    row: UrlRow | None = store.urls.rows(crawl, [ident]).get(ident)
    while row is not None and row.candidate.url not in way and len(way) < LONGEST:
        if not redirected:
            way.append(row.candidate.url)
        redirected = row.candidate.hops > 0
        parent = row.candidate.parent
        row = store.urls.rows(crawl, [url_id(parent)]).get(url_id(parent)) if parent is not None else None
    return way[::-1]
