"""A strategy's read-only view of the crawl, up to date with the last page."""

from collections.abc import Callable, Iterator, Sequence

from thresher.crawl.progress import Counters
from thresher.protocols import KnownPages
from thresher.shard.protocol import Shard
from thresher.store.page_records import DocumentRow
from thresher.store.protocol import Store
from thresher.store.records import Batch
from thresher.types import Candidate, Judgement, Memo
from thresher.web.urls import url_id


class CrawlView:
    """Answers a strategy's questions from the shard and the counters; `known` are the stored pages."""

    def __init__(self, shard: Shard, known: KnownPages, counters: Counters) -> None:
        self._shard = shard
        self._counters = counters
        self.known = known

    def memo(self, url: str) -> Memo | None:
        """Return the memo of a URL of this crawl, or None if the URL is unknown."""
        row = self._shard.look(urls=[url]).urls.get(url)
        return row.candidate.memo if row else None

    def yields(self, host: str) -> tuple[int, int]:
        """Return how many pages of a host were stored and how many of them were accepted by a topic."""
        return self._shard.look(hosts=[host]).hosts[host]

    def waiting(self) -> dict[str, int]:
        """Return the number of waiting candidates, by queue."""
        return dict(self._shard.look(queues=True).queues)

    def under_way(self) -> dict[str, int]:
        """Return the number of candidates being fetched or waiting for another try, by queue."""
        return dict(self._shard.look(queues=True).under_way)

    def pages(self) -> int:
        """Return the number of pages stored by this crawl so far."""
        return self._counters.pages

    def best(self, limit: int) -> list[Candidate]:
        """Return at most `limit` waiting candidates of each queue, highest priority first."""
        return list(self._shard.look(best=limit).best)


class CrawlPages:
    """The known pages, by `protocols.KnownPages`: those in the store, overlaid with what the journal still holds.

    `unwritten` returns the uncommitted batches, oldest first. Their pages are indexed when a strategy asks, so a
    strategy that never asks pays nothing.
    """

    def __init__(self, store: Store, unwritten: Callable[[], Sequence[Batch]] = tuple) -> None:
        self._store = store
        self._unwritten = unwritten
        self._indexes: list[_Index] = []

    def urls(self) -> Iterator[str]:
        """Yield the URL of every page, in the order in which they were last written or judged."""
        newest: dict[int, None] = {}
        for index in self._levels():
            for ident in index.changed():
                newest.pop(ident, None)
                newest[ident] = None
        known: dict[int, str] = {}
        for _, url in self._store.log.documents_since(0):
            ident = url_id(url)
            if ident in newest:
                known[ident] = url
            else:
                yield url
        for ident in newest:
            row = self._row(ident)
            if row is not None or ident in known:
                yield row.url if row is not None else known[ident]

    def judgements(self, urls: Sequence[str]) -> dict[str, Judgement]:
        """Return the newest judgement of each page that was judged."""
        levels = self._levels()
        found = {url: self._judgement(levels, url_id(url)) for url in urls}
        return {url: judgement for url, judgement in found.items() if judgement is not None}

    def terms(self, urls: Sequence[str]) -> dict[str, dict[str, int]]:
        """Return the stems of each page with their counts."""
        rows, asked = self._parted(urls)
        stored = self._store.documents.terms(list(asked)) if asked else {}
        found = {**{ident: row.terms for ident, row in rows.items()}, **stored}
        return {url: found[ident] for url in urls if (ident := url_id(url)) in found}

    def outlinks(self, urls: Sequence[str]) -> dict[str, list[str]]:
        """Return the link targets of each page, each target once, in page order."""
        rows, asked = self._parted(urls)
        stored = self._store.graph.outlinks(list(asked)) if asked else {}
        new = {ident: list(dict.fromkeys(link.target_url for link in row.links)) for ident, row in rows.items()}
        found = {**new, **stored}
        return {url: found[ident] for url in urls if (ident := url_id(url)) in found}

    def inlinks(self, urls: Sequence[str], most: int = 100) -> dict[str, list[str]]:
        """Return at most `most` pages that link to each URL, known or not, always the same ones; no URL is omitted."""
        ids = {url: url_id(url) for url in urls}
        levels = self._levels()
        # A page that is written again may no longer have a stored link.
        spare = sum(len(index.rows) for index in levels)
        stored = self._store.graph.inlinks(list(ids.values()), most + spare)
        found: dict[str, list[str]] = {}
        for url, ident in ids.items():
            sources = {source: address for source, address in stored[ident] if self._row(source) is None}
            sources |= {source: row.url for source, row in self._linking(levels, ident)}
            found[url] = [sources[source] for source in sorted(sources)[:most]]
        return found

    def _levels(self) -> "list[_Index]":
        """Return the indexes of the unwritten batches, brought up to date, oldest first."""
        batches = self._unwritten()
        known = {id(index.batch): index for index in self._indexes}
        self._indexes = [known.get(id(batch)) or _Index(batch) for batch in batches]
        for index in self._indexes:
            index.grow()
        return self._indexes

    def _row(self, ident: int) -> DocumentRow | None:
        """Return a page as it was last read, if that is not written yet."""
        rows = (index.rows.get(ident) for index in reversed(self._indexes))
        return next((row for row in rows if row is not None), None)

    def _parted(self, urls: Sequence[str]) -> tuple[dict[int, DocumentRow], dict[int, None]]:
        """Return the pages among some URLs that are not written yet, and the ids of all others."""
        self._levels()
        found = {ident: self._row(ident) for ident in map(url_id, urls)}
        rows = {ident: row for ident, row in found.items() if row is not None}
        return rows, {ident: None for ident in found if ident not in rows}

    def _judgement(self, levels: "Sequence[_Index]", ident: int) -> Judgement | None:
        for index in reversed(levels):
            found = index.judgement(ident)
            if found is not None:
                return found
        return self._store.documents.judgement(ident)

    def _linking(self, levels: "Sequence[_Index]", ident: int) -> Iterator[tuple[int, DocumentRow]]:
        """Yield the pages that are not written yet and link to a URL, as they were last read."""
        for index in levels:
            for source in index.sources.get(ident, ()):
                row = index.rows[source]
                if self._row(source) is row:
                    yield source, row


class _Index:
    """The pages of one batch by id and by the ids of their link targets; it grows with its batch."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.rows: dict[int, DocumentRow] = {}
        self.sources: dict[int, dict[int, None]] = {}
        self._judged: dict[int, Judgement] = {}
        self._read = 0

    def grow(self) -> None:
        """Add the pages that have come since the last call."""
        for row in self.batch.documents[self._read :]:
            before = self.rows.pop(row.url_id, None)
            for link in before.links if before is not None else ():
                self.sources[link.target].pop(row.url_id, None)
            self.rows[row.url_id] = row
            if row.judgement is not None:
                self._judged[row.url_id] = row.judgement
            for link in row.links:
                self.sources.setdefault(link.target, {})[row.url_id] = None
        self._read = len(self.batch.documents)

    def judgement(self, ident: int) -> Judgement | None:
        """Return the batch's judgement of a page, or None if it has none."""
        return self.batch.judgements.get(ident) or self._judged.get(ident)

    def changed(self) -> Iterator[int]:
        """Yield the pages that the batch writes or judges, in batch order."""
        yield from self.rows
        yield from self.batch.judgements
