"""The tables of a crawl: its frontier and hosts, the log of changes, and what other processes ask of it."""

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from thresher.reasons import Reason
from thresher.store.records import CrawlKind, CrawlRow, LogEntry
from thresher.store.request_records import Command, Reply, Request
from thresher.store.url_records import HostRow, Letter, RobotsRow, UrlRow, UrlState, Waiting


class Crawls(Protocol):
    """The crawls of a portal."""

    def start(self, kind: CrawlKind, strategy: str, settings: dict[str, Any], at: float) -> CrawlRow:
        """Add a crawl and return its row; durable at once."""

    def get(self, crawl: int | None = None) -> CrawlRow | None:
        """Return a crawl, the newest one for None; None if there is no such crawl."""

    def strategy_state(self, crawl: int) -> tuple[dict[str, Any], int] | None:
        """Return the saved state of the strategy and the sequence number of its batch, or None if none was saved."""

    def shard_memory(self, crawl: int) -> bytes | None:
        """Return what the shard remembered beside its rows when it was last saved, or None if nothing was."""


class StartUrls(Protocol):
    """The pages crawls of a portal start from."""

    def add(self, urls: Sequence[str], at: float) -> None:
        """Add start pages; those that are there already stay as they are. Durable at once."""

    def urls(self) -> list[str]:
        """Return the start pages in the order they were added."""


class Urls(Protocol):
    """The seen-set and the frontier of each crawl."""

    def states(self, crawl: int, ids: Sequence[int]) -> dict[int, UrlState]:
        """Return the state of each id the crawl has seen; unseen ids are absent."""

    def rows(self, crawl: int, ids: Sequence[int]) -> dict[int, UrlRow]:
        """Return the full rows of the ids the crawl has seen; unseen ids are absent."""

    def waiting(self, crawl: int) -> Iterator[Waiting]:
        """Yield every waiting URL in the order they were offered."""

    def outbox(self, crawl: int) -> list[Letter]:
        """Return the candidates that have not arrived at their shards, in the order of their ids."""


class Hosts(Protocol):
    """What each crawl knows of hosts, and what the portal knows of robots files."""

    def hosts(self, crawl: int, names: Sequence[str]) -> dict[str, HostRow]:
        """Return the rows of the hosts the crawl has seen; others are absent."""

    def robots(self, origin: str) -> RobotsRow | None:
        """Return the stored robots file of an origin, fresh or stale, or None."""


class ChangeLog(Protocol):
    """What is new since a sequence number; every committed change has a higher one than all before."""

    def last(self) -> int:
        """Return the sequence number of the newest change, 0 for an empty portal."""

    def entries(self, since: int = 0, crawl: int | None = None) -> Iterator[LogEntry]:
        """Yield visits and events with a sequence number above `since`, in order."""

    def details(self, crawl: int, reason: Reason) -> dict[str, int]:
        """Return how often visits of a crawl that ended in a reason gave each detail, the most frequent first."""

    def last_archived(self) -> tuple[str, int] | None:
        """Return file and offset of the newest archived answer that a visit names, or None if there is none."""

    def archived(self) -> dict[str, int]:
        """Return how many different answers in each file of the archive visits name."""

    def documents_since(self, since: int) -> Iterator[tuple[int, str]]:
        """Yield (sequence number, URL) of pages written or changed after `since`, in order."""


class Requests(Protocol):
    """What other processes ask of the engine."""

    def leave(self, command: Command, at: float) -> Request:
        """Add a request; once this returns it survives even power loss."""

    def open(self) -> list[Request]:
        """Return the requests that no batch has replied to, oldest first."""

    def replies(self, ids: Sequence[int]) -> dict[int, Reply]:
        """Return the replies to those requests among some ids that have one."""
