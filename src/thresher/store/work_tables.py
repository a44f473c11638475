"""The protocol of the tables for tasks, schedules, report views, and the state of a crawl."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from thresher.store.watch_records import FailedVisit, HeldHost, KeptMark, NewPage, Place, ReadPage, WaitingLinks
from thresher.store.work_records import ScheduleRow, WorkKind, WorkRow


class Works(Protocol):
    """Commands started as separate processes. Everything written is durable at once."""

    def add(self, row: WorkRow, unless: Collection[WorkKind] = ()) -> WorkRow | None:
        """Add work and return it with its number; None if unfinished work is of a kind in `unless`."""

    def begin(self, id_: int, pid: int, host: str, born: float) -> None:
        """Record which process does the work."""

    def stop(self, id_: int, user: str) -> None:
        """Record who told it to stop."""

    def end(self, id_: int, at: float, code: int | None) -> bool:
        """Record that it has ended; return False and change nothing if that was already known."""

    def get(self, id_: int) -> WorkRow | None:
        """Return the work with an id, or None."""

    def open(self) -> list[WorkRow]:
        """Return the work that has not ended, oldest first."""

    def newest(self, limit: int) -> list[WorkRow]:
        """Return the newest work, newest first."""


class Schedules(Protocol):
    """Schedules that start work. Everything written is durable at once."""

    def add(self, row: ScheduleRow) -> int:
        """Add a schedule and return its number."""

    def all(self) -> list[ScheduleRow]:
        """Return the schedules that were not removed, oldest first."""

    def remove(self, id_: int, at: float) -> bool:
        """Remove a schedule; return False if there is none."""

    def restore(self, id_: int, at: float) -> bool:
        """Restore a removed schedule; return False if there is none. Runs due before `at` are not made up for."""

    def fire(self, id_: int, due: float) -> bool:
        """Record that a due time has been handled; return True for the first caller only."""


class Looks(Protocol):
    """When people last viewed the report."""

    def get(self, user: str) -> float | None:
        """Return when a person last viewed it, or None for never."""

    def put(self, user: str, at: float) -> None:
        """Record that a person has viewed it."""


class CrawlWatch(Protocol):
    """The current activity of a crawl."""

    def waiting(self, crawl: int) -> list[WaitingLinks]:
        """Return the number of waiting links by queue and host; reads all URLs of the crawl."""

    def held(self, crawl: int, now: float, delay: float, limit: int) -> list[HeldHost]:
        """Return the hosts that were given up, wait beyond `now`, failed last time, or want more than `delay` seconds.

        The longest waiting come first, those given up last.
        """

    def failures(self, crawl: int, limit: int) -> list[FailedVisit]:
        """Return the newest failed visits among the last few thousand, newest first."""

    def read(self, crawl: int, limit: int) -> list[ReadPage]:
        """Return the pages stored last, newest first; pages that ask not to be listed are left out."""

    def kept(self, crawl: int, since: int = 0) -> list[KeptMark]:
        """Return the stored pages whose visits have a sequence number above `since`, in order."""

    def paused(self, crawl: int) -> float | None:
        """Return since when a crawl has been told to pause, or None if it is not paused."""

    def offline(self, crawl: int) -> float | None:
        """Return since when a crawl cannot reach any host, or None if it can."""

    def arrivals(self, since: float, until: float, limit: int) -> list[NewPage]:
        """Return the accepted pages found from `since` to `until`, newest first."""

    def departed(self, since: float, until: float) -> int:
        """Return the number of accepted pages found gone from `since` to `until`."""


class Places(Protocol):
    """Positions of pages in the picture of the graph."""

    def keep(self, places: Mapping[int, Place]) -> None:
        """Write the positions of pages."""

    def of(self, ids: Sequence[int]) -> dict[int, Place]:
        """Return positions by page id; pages without one are absent."""
