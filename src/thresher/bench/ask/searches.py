"""One search for a known item: a new portal with one start page, crawled politely in virtual time."""

import tempfile
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

from msgspec import Struct

from thresher.bench.answering import hosts_of
from thresher.bench.ask.known_items import KnownItem
from thresher.bench.distant_hosts import USUAL
from thresher.bench.page_cache import PageCache
from thresher.bench.promise.scenario import Scenario
from thresher.bench.promise.whole_run import SETTINGS, world_of
from thresher.bench.webs.web import BenchWeb
from thresher.crawl.clock import run_virtual
from thresher.parameters import written
from thresher.portals import create_portal
from thresher.runs.plans import Ask, NewCrawl, Plan
from thresher.runs.run import run
from thresher.search.searcher import Searcher
from thresher.store.repository import open_store

ASK: Final = "ask"
BREADTH_FIRST: Final = "breadth-first"


class Search(Struct, frozen=True, kw_only=True):
    """The result of one search: after how many pages the item was `fetched`, and its `rank` among the answers.

    Both are None if it was not found. `pages` is the number of pages fetched, `virtual_seconds` the duration.
    """

    web: str
    way: str
    split: str
    item: str
    query: str
    start: str
    clicks: int
    fetched: int | None
    rank: int | None
    pages: int
    virtual_seconds: float


def _asked(portal: Path, item: KnownItem, pages: int) -> Plan:
    return Ask(portal, item.query, pages)


def _crawled(strategy: Callable[[KnownItem], str]) -> Callable[[Path, KnownItem, int], Plan]:
    return lambda portal, item, pages: NewCrawl(portal, [f"crawl.strategy={strategy(item)}", f"crawl.pages={pages}"])


WAYS: Final[Mapping[str, Callable[[Path, KnownItem, int], Plan]]] = {
    ASK: _asked,
    "crawl": _crawled(lambda item: written("query", {"text": item.query})),
    "url-keywords": _crawled(lambda item: written("url-keywords", {"keywords": item.query.replace(" ", ",")})),
    BREADTH_FIRST: _crawled(lambda _: BREADTH_FIRST),
}
"""Search methods: the `ask` command, a plain crawl with the same scores, words in URLs only, and no words at all."""


def search(item: KnownItem, way: str, web: BenchWeb, pages: PageCache, budget: int) -> Search:
    """Search for an item and return the result; the portal is deleted afterwards."""
    setting = Scenario(web, pages, dict.fromkeys(sorted(hosts_of(web)), USUAL), b"")
    with tempfile.TemporaryDirectory(prefix="thresher-ask-") as folder:
        portal = Path(folder) / "portal"
        create_portal(portal, item.start, contact="nobody@example.org", settings=SETTINGS)
        outcome = run_virtual(run(WAYS[way](portal, item, budget), world=world_of(setting)))
        with closing(open_store(portal, read_only=True)) as store:
            fetched = [entry.url for entry in store.log.entries() if entry.kind == "fetched" and entry.url]
            urls = [url for url in fetched if url in pages]
        with Searcher(portal) as searcher:
            answers = [hit.url for hit in searcher.answers(item.query, number=budget).answers]
    return Search(
        web=web.name,
        way=way,
        split=item.split,
        item=item.url,
        query=item.query,
        start=item.start,
        clicks=item.clicks,
        fetched=urls.index(item.url) + 1 if item.url in urls else None,
        rank=answers.index(item.url) + 1 if item.url in answers else None,
        pages=outcome.progress.pages,
        virtual_seconds=round(outcome.progress.seconds, 1),
    )
