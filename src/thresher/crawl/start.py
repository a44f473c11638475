"""Starts a crawl: from seeds, from where it stopped, from another crawl, or from pages to check again."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from itertools import islice
from typing import Final

from msgspec.structs import replace

from thresher.crawl.journal import Journal
from thresher.crawl.phases.hubs import raise_hubs
from thresher.crawl.phases.predecessor import INHERITED, READ
from thresher.crawl.phases.query_start import TakenOver
from thresher.crawl.pricing import ranked
from thresher.protocols import KeepsSites, Learns, Remembers, Strategy, View
from thresher.reading.analysis import Analyser, Analysis
from thresher.reasons import Reason
from thresher.shard.protocol import Shard
from thresher.shard.values import Offer
from thresher.site_types import SiteState
from thresher.store.event_kinds import EventKind
from thresher.store.protocol import Store
from thresher.store.request_records import Reply, RequestResult
from thresher.store.url_records import UrlState
from thresher.types import Candidate, Link, Reading
from thresher.web.urls import canonical

TOGETHER: Final = 64
"""Number of URLs and pages taken over from an earlier crawl between two commits."""


class Start:
    """Fills the queue a crawl starts with, and restores the strategy's state."""

    def __init__(
        self,
        store: Store,
        crawl: int,
        shard: Shard,
        analyser: Analyser,
        strategy: Strategy,
        view: View,
        journal: Journal,
    ) -> None:
        self._store = store
        self._crawl = crawl
        self._shard = shard
        self._analyser = analyser
        self._strategy = strategy
        self._view = view
        self._journal = journal

    def begin(self, seeds: Sequence[Link], known: Sequence[Candidate]) -> None:
        """Start from seeds, which count as links of a virtual page, or restore a stopped crawl."""
        restored = self._shard.restore()
        saved = self._store.crawls.strategy_state(self._crawl)
        if saved is not None and isinstance(self._strategy, Remembers):
            self._strategy.restore(saved[0])
        if isinstance(self._strategy, KeepsSites):
            recall_sites(self._strategy, self._store, self._crawl)
        if isinstance(self._strategy, Learns):
            self._replay(self._strategy, saved[1] if saved else 0)
        if seeds:
            self.plant(seeds)
        self._shard.offer([Offer(known)])
        waiting = self._shard.look().waiting
        started = {"waiting": waiting, "restored": restored, "seeds": len(seeds), "known": len(known)}
        self._journal.event(EventKind.STARTED, started)

    def plant(self, seeds: Sequence[Link]) -> None:
        """Queue the start pages."""
        root = Candidate(url="", priority=(), depth=-1)
        reading: Reading[None] = Reading(candidate=root, links=list(seeds))
        self._shard.offer([Offer(ranked(self._strategy, reading, self._view))])

    def add(self, url: str) -> Reply:
        """Queue a URL as a start page; the reply says whether it will be fetched, and if not, why."""
        known = canonical(url)
        if known is None:
            return Reply(RequestResult.REFUSED, Reason.BAD_URL)
        self.plant([Link(known, "", 0, 0)])
        row = self._shard.look(urls=[known]).urls.get(known)
        if row is not None and row.state in (UrlState.REFUSED, UrlState.CUT):
            return Reply(RequestResult.REFUSED, row.reason)
        return Reply(RequestResult.DONE)

    async def take_over(
        self,
        before: TakenOver,
        seeds: Sequence[Link],
        keep: Callable[[Candidate, Analysis], None],
        commit: Callable[[], Awaitable[None]],
    ) -> None:
        """Mark the URLs that earlier crawls are done with as done, and analyse and keep their pages again.

        URLs waiting behind other pages are scored as links on pages that nobody has read.
        """
        urls = 0
        for urls, row in enumerate(before.urls(self._store), 1):
            self._shard.offer([Offer([row.candidate], row.reason, row.state)])
            if not urls % TOGETHER:
                await commit()
        pages = before.pages(self._store)
        while block := list(islice(pages, TOGETHER)):
            found = await asyncio.gather(*(self._analyser.analyse(page) for _, page in block))
            for (row, _), analysis in zip(block, found, strict=True):
                if isinstance(analysis, Analysis):
                    keep(row.candidate, analysis if before.judges else replace(analysis, judgement=None))
            await commit()
        for number, waiting in enumerate(before.waiting(self._store), 1):
            source = Candidate(url=waiting.parent or "", priority=(), depth=max(0, waiting.depth - 1))
            reading: Reading[None] = Reading(candidate=source, links=[Link(waiting.url, waiting.anchor, 0, 0)])
            self._shard.offer([Offer(ranked(self._strategy, reading, self._view))])
            if not number % TOGETHER:
                await commit()
        self.plant(seeds)
        raised = await self.raise_hubs(before.hubs, before.links)
        self._journal.event(INHERITED, {"crawl": before.crawl, "urls": urls, "raised": raised})

    async def raise_hubs(self, hubs: Sequence[int], links: int) -> int:
        """Put the best links of hubs first; return how many."""
        return await raise_hubs(
            hubs,
            links,
            store=self._store,
            shard=self._shard,
            analyser=self._analyser,
            strategy=self._strategy,
            view=self._view,
        )

    def _replay(self, strategy: Learns, since: int) -> None:
        """Replay to a strategy what it observed after its state was saved."""
        for entry in self._store.log.entries(since, self._crawl):
            known = self._shard.look(urls=[entry.url]).urls if entry.url and entry.kind in READ else {}
            row = known.get(entry.url or "")
            if row is not None:
                url = row.candidate.url
                strategy.observe(row.candidate, self._view.known.judgements([url]).get(url))


def known_candidates(store: Store, before: float, limit: int = 0) -> list[Candidate]:
    """Return the pages of a portal last visited before a wall time; the oldest visits get the best priority.

    At most `limit` are returned, 0 for all. Each carries the stored copy, so the server need not send what has not
    changed. Members of an archive are represented by the archive, once.
    """
    found: dict[str, Candidate] = {}
    for page in store.documents.due(before, limit):
        url, parent, copy = page.url, page.origin, page.copy
        if page.archive is not None:
            url, parent, copy = page.archive, None, replace(copy, digest=b"")
        candidate = Candidate(url=url, priority=(-page.visited,), depth=page.depth, parent=parent, copy=copy)
        found.setdefault(url, candidate)
    return list(found.values())


def recall_sites(strategy: KeepsSites, store: Store, crawl: int) -> None:
    """Let a strategy continue from the stored sites of a crawl."""
    rows = store.sites.of_crawl(crawl)
    pages = {row.site: store.sites.pages(crawl, row.site) for row in rows if row.state is SiteState.OPEN}
    strategy.recall(rows, pages)
