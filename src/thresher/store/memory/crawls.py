"""The crawl tables in memory: crawls, URLs, hosts, requests, start pages and the change log."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any

from thresher.reasons import Reason
from thresher.store.memory.tables import Tables, copied
from thresher.store.records import CrawlKind, CrawlRow, LogEntry
from thresher.store.request_records import Command, Reply, Request
from thresher.store.url_records import HostRow, Letter, RobotsRow, UrlRow, UrlState, WaitingUrl


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
        """Return a crawl, the newest for None; None if there is no such crawl."""
        return self._tables.crawls.get(len(self._tables.crawls) if crawl is None else crawl)

    def strategy_state(self, crawl: int) -> tuple[dict[str, Any], int] | None:
        """Return the saved strategy state and the sequence number of its batch, or None if none was saved."""
        return self._tables.strategy_states.get(crawl)

    def shard_memory(self, crawl: int) -> bytes | None:
        """Return the shard's saved memory beyond its rows, or None if nothing was saved."""
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

    def waiting(self, crawl: int) -> Iterator[WaitingUrl]:
        """Yield every waiting URL in the order they were offered."""
        with self._tables.lock:
            rows = [row for row in self._tables.urls.get(crawl, {}).values() if row.state is UrlState.WAITING]
        for row in sorted(rows, key=lambda row: (row.order, row.id)):
            candidate = row.candidate
            yield WaitingUrl(
                row.id, row.host, candidate.queue, candidate.priority, row.order, row.tries, row.not_before
            )

    def outbox(self, crawl: int) -> list[Letter]:
        """Return the candidates that have not reached their shards, in order of id."""
        with self._tables.lock:
            return [letter for (of, _), letter in sorted(self._tables.outbox.items()) if of == crawl]


class MemoryHosts:
    """What each crawl knows about hosts, and the portal's robots.txt files."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def hosts(self, crawl: int, names: Sequence[str]) -> dict[str, HostRow]:
        """Return the rows of the hosts the crawl has seen; others are absent."""
        known = self._tables.hosts
        return {name: known[crawl, name] for name in names if (crawl, name) in known}

    def robots(self, origin: str) -> RobotsRow | None:
        """Return the stored robots.txt of an origin, fresh or stale, or None."""
        return self._tables.robots.get(origin)


class MemoryChanges:
    """Changes since a sequence number."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def last(self) -> int:
        """Return the sequence number of the newest change, 0 for an empty portal."""
        return self._tables.seq

    def entries(self, since: int = 0, crawl: int | None = None) -> Iterator[LogEntry]:
        """Yield visits and events with a sequence number above `since`, in order."""
        log = self._tables.log
        place = bisect_right(log, since, key=attrgetter("seq"))
        while place < len(log):
            if crawl in (None, log[place].crawl):
                yield log[place]
            place += 1

    def details(self, crawl: int, reason: Reason) -> dict[str, int]:
        """Return how often visits of a crawl that ended with a reason gave each detail, most frequent first."""
        with self._tables.lock:
            entries = [entry for entry in self._tables.log if entry.crawl == crawl]
        told = Counter(
            str(entry.detail.get("detail", "")) for entry in entries if entry.detail.get("reason") == reason.value
        )
        return dict(sorted(told.items(), key=lambda item: (-item[1], item[0])))

    def last_archived(self) -> tuple[str, int] | None:
        """Return the file and offset of the newest archived answer that a visit names, or None if there is none."""
        return self._tables.last_archived

    def archived(self) -> dict[str, int]:
        """Return for each archive file how many different answers in it visits refer to."""
        with self._tables.lock:
            return {file: len(offsets) for file, offsets in sorted(self._tables.archived.items())}

    def documents_since(self, since: int) -> Iterator[tuple[int, str]]:
        """Yield (sequence number, URL) of pages written or changed after `since`, in order."""
        with self._tables.lock:
            found = [(seq, page.url) for seq, page in self._tables.documents.values() if seq > since]
        return iter(sorted(found))


class MemoryRequests:
    """Requests from others to the engine."""

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
        """Return the requests that no batch has answered yet, oldest first."""
        with self._tables.lock:
            closed = self._tables.replies
            return [request for id_, request in self._tables.requests.items() if id_ not in closed]

    def replies(self, ids: Sequence[int]) -> dict[int, Reply]:
        """Return replies by request id; requests without a reply are absent."""
        with self._tables.lock:
            return {id_: self._tables.replies[id_] for id_ in ids if id_ in self._tables.replies}


class MemoryStartUrls:
    """The start pages of this portal's crawls."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def add(self, urls: Sequence[str], at: float) -> None:
        """Add start pages; existing ones are unchanged."""
        with self._tables.lock:
            self._tables.draw()
            for url in urls:
                self._tables.start_urls.setdefault(url, at)

    def urls(self) -> list[str]:
        """Return the start pages in the order they were added."""
        return list(self._tables.start_urls)
