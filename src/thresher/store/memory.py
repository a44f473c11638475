"""The store in memory, for tests and throw-away crawls: dictionaries under the same contract as the embedded one."""

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from operator import attrgetter, itemgetter
from typing import Any

from msgspec.structs import replace

from thresher.errors import PortalError
from thresher.reasons import Reason
from thresher.store.memory_archetypes import MemoryArchetypes
from thresher.store.memory_duplicates import MemoryDuplicates
from thresher.store.memory_link_graph import MemoryLinkGraph, MemoryScores
from thresher.store.memory_tables import Tables, copied, taken, write_crawl, write_pages, write_urls
from thresher.store.page_records import Copied, DocumentRow, KnownPage, PageCount, VisitRow
from thresher.store.presence import is_good
from thresher.store.records import Batch, CrawlKind, CrawlRow, LogEntry, ModelRow
from thresher.store.request_records import Command, Reply, Request
from thresher.store.url_records import HostRow, Letter, RobotsRow, UrlRow, UrlState, Waiting
from thresher.types import Copy, Judgement


class MemoryCrawls:
    """The crawls of a portal."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def start(self, kind: CrawlKind, strategy: str, settings: dict[str, Any], at: float) -> CrawlRow:
        """Add a crawl and return its row."""
        with self._tables.lock:
            self._tables.draw()
            crawl = len(self._tables.crawls) + 1
            row = CrawlRow(
                id=crawl, kind=CrawlKind(kind), strategy=strategy, started=at, settings=copied(settings), updated=at
            )
            self._tables.crawls[crawl] = row
            return row

    def get(self, crawl: int | None = None) -> CrawlRow | None:
        """Return a crawl, the newest one for None; None where there is no such crawl."""
        return self._tables.crawls.get(len(self._tables.crawls) if crawl is None else crawl)

    def strategy_state(self, crawl: int) -> tuple[dict[str, Any], int] | None:
        """Return the saved state of the strategy and the sequence number of its batch, or None where none was saved."""
        return self._tables.strategy_states.get(crawl)

    def shard_memory(self, crawl: int) -> bytes | None:
        """Return what the shard remembered beside its rows when it was last saved, or None where nothing was."""
        return self._tables.shard_memories.get(crawl)


class MemoryUrls:
    """The seen-set and the frontier of each crawl."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def states(self, crawl: int, ids: Sequence[int]) -> dict[int, UrlState]:
        """Return the state of each id the crawl has seen; unseen ids are absent."""
        return {id_: row.state for id_, row in self.rows(crawl, ids).items()}

    def rows(self, crawl: int, ids: Sequence[int]) -> dict[int, UrlRow]:
        """Return the full rows of the ids the crawl has seen; unseen ids are absent."""
        with self._tables.lock:
            seen = self._tables.urls.get(crawl, {})
            return {id_: seen[id_] for id_ in ids if id_ in seen}

    def waiting(self, crawl: int) -> Iterator[Waiting]:
        """Give every waiting URL in the order they were offered."""
        with self._tables.lock:
            rows = [row for row in self._tables.urls.get(crawl, {}).values() if row.state is UrlState.WAITING]
        for row in sorted(rows, key=lambda row: (row.order, row.id)):
            candidate = row.candidate
            yield Waiting(row.id, row.host, candidate.queue, candidate.priority, row.order, row.tries, row.not_before)

    def outbox(self, crawl: int) -> list[Letter]:
        """Return the candidates that have not arrived at their shards, in the order of their ids."""
        with self._tables.lock:
            return [letter for (of, _), letter in sorted(self._tables.outbox.items()) if of == crawl]


class MemoryHosts:
    """What each crawl knows of hosts, and what the portal knows of robots files."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def hosts(self, crawl: int, names: Sequence[str]) -> dict[str, HostRow]:
        """Return the rows of the hosts the crawl has met; others are absent."""
        known = self._tables.hosts
        return {name: known[crawl, name] for name in names if (crawl, name) in known}

    def robots(self, origin: str) -> RobotsRow | None:
        """Return the stored robots file of an origin, fresh or stale, or None."""
        return self._tables.robots.get(origin)


class MemoryDocuments:
    """The pages of the portal."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def document(self, url_id: int) -> DocumentRow | None:
        """Return a page with its text, terms, links and judgement, or None where the portal has no such page."""
        with self._tables.lock:
            if url_id not in self._tables.documents:
                return None
            return replace(self._tables.documents[url_id][1], judgement=self.judgement(url_id))

    def visits(self, url_id: int) -> list[VisitRow]:
        """Return all visits of a URL in all crawls, oldest first."""
        return list(self._tables.visits.get(url_id, ()))

    def terms(self, ids: Sequence[int]) -> dict[int, dict[str, int]]:
        """Return the stems with their counts of the stored pages among some ids."""
        with self._tables.lock:
            documents = self._tables.documents
            return {id_: dict(documents[id_][1].terms) for id_ in ids if id_ in documents}

    def inlinks(self, url_id: int) -> list[tuple[str, str]]:
        """Return (URL of the source page, anchor text) of every stored link to a URL, oldest page first."""
        with self._tables.lock:
            sources = self._tables.sources.get(url_id, ())
            pages = sorted((self._tables.documents[source] for source in sources), key=itemgetter(0))
        return [(page.url, link.anchor) for _, page in pages for link in page.links if link.target == url_id]

    def judgement(self, url_id: int) -> Judgement | None:
        """Return the newest judgement of a page, or None where it was never judged."""
        return self._tables.judgements.get(url_id)

    def urls(self) -> Iterator[str]:
        """Give the URL of every stored page, in the order of the ids."""
        with self._tables.lock:
            found = sorted(self._tables.documents.items())
        return iter([page.url for _, (_, page) in found])

    def counts(self) -> list[PageCount]:
        """Return how many pages there are of each topic and kind, those that are gone left out; the most first."""
        with self._tables.lock:
            judged = self._tables.judgements
            counted = Counter(
                (judged[id_].topic if id_ in judged else None, page.mime, page.archive is not None)
                for id_, (_, page) in self._tables.documents.items()
                if page.gone is None
            )
        rows = [PageCount(*kind, pages) for kind, pages in counted.items()]
        return sorted(rows, key=lambda row: (-row.pages, row.topic is not None, row.topic or "", row.mime, row.member))

    def due(self, before: float, limit: int = 0) -> Iterator[KnownPage]:
        """Give the pages last visited before a wall time, the longest ago first; 0 gives all of them."""
        with self._tables.lock:
            pages = [page for _, page in self._tables.documents.values()]
            found = [(self._known(page), page.url_id) for page in pages]
        late = sorted((known.visited, id_, known) for known, id_ in found if known.visited < before)
        return iter([known for _, _, known in late[: limit or None]])

    def members(self, archive: str) -> list[Copied]:
        """Return the stored members of an archive that are not gone, in the order of the ids."""
        with self._tables.lock:
            pages = [page for _, page in self._tables.documents.values() if page.archive == archive]
            return sorted(Copied(page.url_id, page.url, page.digest) for page in pages if page.gone is None)

    def rejected(self, limit: int) -> Iterator[str]:
        """Give the URLs of at most `limit` pages that every topic rejected when last judged, least confident first."""
        with self._tables.lock:
            judged = [
                (self._tables.judgements[id_], id_) for id_ in self._tables.documents.keys() & self._tables.judgements
            ]
            found = sorted((j.confidence, id_) for j, id_ in judged if j.topic is None and not math.isnan(j.confidence))
            return iter([self._tables.documents[id_][1].url for _, id_ in found[:limit]])

    def _known(self, page: DocumentRow) -> KnownPage:
        visits = [visit for visit in self._tables.visits.get(page.url_id, ()) if visit.url == page.url]
        good = next((visit for visit in reversed(visits) if is_good(visit.outcome, visit.reason)), None)
        copy = Copy(at=page.at)
        if page.gone is None:
            etag, last_modified = (good.etag, good.last_modified) if good else ("", "")
            copy = Copy(etag=etag, last_modified=last_modified, digest=page.digest, at=page.at)
        visited = visits[-1].at if visits else page.at
        return KnownPage(
            url=page.url, visited=visited, copy=copy, depth=page.depth, origin=page.origin, archive=page.archive
        )


class MemoryChanges:
    """What is new since a sequence number."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def last(self) -> int:
        """Return the sequence number of the newest change, 0 for an empty portal."""
        return self._tables.seq

    def entries(self, since: int = 0, crawl: int | None = None) -> Iterator[LogEntry]:
        """Give visits and events with a sequence number above `since`, in order."""
        log = self._tables.log
        place = bisect_right(log, since, key=attrgetter("seq"))
        while place < len(log):
            if crawl in (None, log[place].crawl):
                yield log[place]
            place += 1

    def details(self, crawl: int, reason: Reason) -> dict[str, int]:
        """Return how often visits of a crawl that ended in a reason gave each detail, the most frequent first."""
        with self._tables.lock:
            entries = [entry for entry in self._tables.log if entry.crawl == crawl]
        told = Counter(
            str(entry.detail.get("detail", "")) for entry in entries if entry.detail.get("reason") == reason.value
        )
        return dict(sorted(told.items(), key=lambda item: (-item[1], item[0])))

    def last_archived(self) -> tuple[str, int] | None:
        """Return file and offset of the newest archived answer that a visit names, or None where there is none."""
        return self._tables.archived

    def documents_since(self, since: int) -> Iterator[tuple[int, str]]:
        """Give (sequence number, URL) of pages written or changed after `since`, in order."""
        with self._tables.lock:
            found = [(seq, page.url) for seq, page in self._tables.documents.values() if seq > since]
        return iter(sorted(found))


class MemoryRequests:
    """What others ask of the engine."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def leave(self, command: Command, at: float) -> Request:
        """Add a request."""
        with self._tables.lock:
            self._tables.draw()
            request = Request(id=len(self._tables.requests) + 1, at=at, command=command)
            self._tables.requests[request.id] = request
            return request

    def open(self) -> list[Request]:
        """Return the requests that no batch has replied to, oldest first."""
        with self._tables.lock:
            closed = self._tables.replies
            return [request for id_, request in self._tables.requests.items() if id_ not in closed]

    def replies(self, ids: Sequence[int]) -> dict[int, Reply]:
        """Return the replies to those requests among some ids that have one."""
        with self._tables.lock:
            return {id_: self._tables.replies[id_] for id_ in ids if id_ in self._tables.replies}


class MemoryStartUrls:
    """The pages crawls of this portal start from."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def add(self, urls: Sequence[str], at: float) -> None:
        """Add start pages; those that are there already stay as they are."""
        with self._tables.lock:
            self._tables.draw()
            for url in urls:
                self._tables.start_urls.setdefault(url, at)

    def urls(self) -> list[str]:
        """Return the start pages in the order they were added."""
        return list(self._tables.start_urls)


class MemoryModels:
    """The classifiers of this portal."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def add(self, row: ModelRow) -> None:
        """Add a model."""
        with self._tables.lock:
            self._tables.draw()
            self._tables.models.append(row)

    def newest(self) -> ModelRow | None:
        """Return the model that was added last and not rolled back, or None where there is none."""
        return next((row for row in reversed(self._tables.models) if not row.rolled_back), None)

    def all(self) -> list[ModelRow]:
        """Return all models, oldest first, those rolled back among them."""
        return list(self._tables.models)

    def roll_back(self, files: Sequence[str]) -> None:
        """Mark models as not to be used."""
        with self._tables.lock:
            self._tables.draw()
            models = self._tables.models
            models[:] = [replace(row, rolled_back=row.rolled_back or row.file in files) for row in models]


class MemoryStore:
    """A portal's repository that lives as long as the process.

    >>> store = MemoryStore()
    >>> crawl = store.crawls.start("crawl", "breadth-first", {}, at=0.0)
    >>> store.commit(Batch(crawl=crawl.id, at=1.0))
    2
    """

    def __init__(self) -> None:
        self._tables = Tables()
        self.crawls = MemoryCrawls(self._tables)
        self.urls = MemoryUrls(self._tables)
        self.hosts = MemoryHosts(self._tables)
        self.documents = MemoryDocuments(self._tables)
        self.duplicates = MemoryDuplicates(self._tables)
        self.graph = MemoryLinkGraph(self._tables)
        self.scores = MemoryScores(self._tables)
        self.log = MemoryChanges(self._tables)
        self.requests = MemoryRequests(self._tables)
        self.start_urls = MemoryStartUrls(self._tables)
        self.models = MemoryModels(self._tables)
        self.archetypes = MemoryArchetypes(self._tables)

    def commit(self, batch: Batch) -> int:
        """Write a batch as one change and return its last sequence number."""
        with self._tables.lock:
            if batch.crawl not in self._tables.crawls:
                raise PortalError(
                    f"This portal has no crawl {batch.crawl}.", "Start the crawl before writing its pages."
                )
            batch = taken(batch)
            before = self._tables.seq
            write_urls(self._tables, batch)
            write_pages(self._tables, batch)
            last = self._tables.seq if self._tables.seq > before else self._tables.draw()
            write_crawl(self._tables, batch, last)
            return last

    def check(self) -> list[str]:
        """Return what is wrong with the repository: never anything."""
        return []

    def close(self) -> None:
        """Give the store back; safe to call twice."""
