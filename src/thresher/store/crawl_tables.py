"""The tables of a crawl: its frontier and hosts, the change log, and requests from other processes."""

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from thresher.reasons import Reason
from thresher.store.records import CrawlKind, CrawlRow, LogEntry
from thresher.store.request_records import Command, Reply, Request
from thresher.store.url_records import HostRow, Letter, RobotsRow, UrlRow, UrlState, WaitingUrl


class Crawls(Protocol):
    """The crawls of a portal."""

    def start(self, kind: CrawlKind, strategy: str, settings: dict[str, Any], at: float) -> CrawlRow:
        """Add a crawl and return its row; durable at once."""

    def get(self, crawl: int | None = None) -> CrawlRow | None:
        """Return a crawl, the newest for None; None if there is no such crawl."""

    def strategy_state(self, crawl: int) -> tuple[dict[str, Any], int] | None:
        """Return the saved strategy state and the sequence number of its batch, or None if none was saved."""

    def shard_memory(self, crawl: int) -> bytes | None:
        """Return the shard's saved memory beyond its rows, or None if nothing was saved."""


class StartUrls(Protocol):
    """The start pages of a portal's crawls."""

    def add(self, urls: Sequence[str], at: float) -> None:
        """Add start pages; existing ones are unchanged. Durable at once."""

    def urls(self) -> list[str]:
        """Return the start pages in the order they were added."""


class Urls(Protocol):
    """The seen-set and the frontier of each crawl."""

    def states(self, crawl: int, ids: Sequence[int]) -> dict[int, UrlState]:
        """Return the state of each id the crawl has seen; unseen ids are absent."""

    def rows(self, crawl: int, ids: Sequence[int]) -> dict[int, UrlRow]:
        """Return the full rows of the ids the crawl has seen; unseen ids are absent."""

    def waiting(self, crawl: int) -> Iterator[WaitingUrl]:
        """Yield every waiting URL in the order they were offered."""

    def outbox(self, crawl: int) -> list[Letter]:
        """Return the candidates that have not reached their shards, in order of id."""


class Hosts(Protocol):
    """What each crawl knows about hosts, and the portal's robots.txt files."""

    def hosts(self, crawl: int, names: Sequence[str]) -> dict[str, HostRow]:
        """Return the rows of the hosts the crawl has seen; others are absent."""

    def robots(self, origin: str) -> RobotsRow | None:
        """Return the stored robots.txt of an origin, fresh or stale, or None."""


class ChangeLog(Protocol):
    """Changes since a sequence number; each committed change has a higher number than all before it."""

    def last(self) -> int:
        """Return the sequence number of the newest change, 0 for an empty portal."""

    def entries(self, since: int = 0, crawl: int | None = None) -> Iterator[LogEntry]:
        """Yield visits and events with a sequence number above `since`, in order."""

    def details(self, crawl: int, reason: Reason) -> dict[str, int]:
        """Return how often visits of a crawl that ended with a reason gave each detail, most frequent first."""

    def last_archived(self) -> tuple[str, int] | None:
        """Return the file and offset of the newest archived answer that a visit names, or None if there is none."""

    def archived(self) -> dict[str, int]:
        """Return for each archive file how many different answers in it visits refer to."""

    def documents_since(self, since: int) -> Iterator[tuple[int, str]]:
        """Yield (sequence number, URL) of pages written or changed after `since`, in order."""


class Requests(Protocol):
    """Requests from other processes to the engine."""

    def leave(self, command: Command, at: float) -> Request:
        """Add a request; once this returns, it survives even power loss."""

    def open(self) -> list[Request]:
        """Return the requests that no batch has answered yet, oldest first."""

    def replies(self, ids: Sequence[int]) -> dict[int, Reply]:
        """Return replies by request id; requests without a reply are absent."""
