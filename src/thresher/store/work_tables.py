"""The protocol of the tables for tasks, schedules, report views, and the state of a crawl."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from thresher.store.watch_records import Arrival, FailedVisit, HeldHost, KeptMark, Place, ReadPage, WaitingLinks
from thresher.store.work_records import ScheduleRow, WorkKind, WorkRow


class Works(Protocol):
    """Commands that were started as processes of their own. Everything written is durable at once."""

    def add(self, row: WorkRow, unless: Collection[WorkKind] = ()) -> WorkRow | None:
        """Add work and return it with its number; None if work of one of the kinds in `unless` has not ended."""

    def begin(self, id_: int, pid: int, host: str, born: float) -> None:
        """Record which process does the work."""

    def stop(self, id_: int, user: str) -> None:
        """Note who told it to stop."""

    def end(self, id_: int, at: float, code: int | None) -> bool:
        """Record that it has ended; False if that was known already, and then nothing changes."""

    def get(self, id_: int) -> WorkRow | None:
        """Return one, or None."""

    def open(self) -> list[WorkRow]:
        """Return the work that has not ended, oldest first."""

    def newest(self, limit: int) -> list[WorkRow]:
        """Return the newest work first."""


class Schedules(Protocol):
    """When work is started by itself. Everything written is durable at once."""

    def add(self, row: ScheduleRow) -> int:
        """Add a schedule and return its number."""

    def all(self) -> list[ScheduleRow]:
        """Return the schedules that were not removed, oldest first."""

    def remove(self, id_: int, at: float) -> bool:
        """Remove a schedule; False if there is none."""

    def restore(self, id_: int, at: float) -> bool:
        """Bring a removed schedule back; False if there is none. What was due before `at` is not made up for."""

    def fire(self, id_: int, due: float) -> bool:
        """Record that a time at which it was due has been dealt with; True for the first to do so."""


class Looks(Protocol):
    """When people last looked at the report."""

    def get(self, user: str) -> float | None:
        """Return when a person last looked, None for never."""

    def put(self, user: str, at: float) -> None:
        """Record that a person has looked."""


class CrawlWatch(Protocol):
    """What a crawl is doing, for whoever watches."""

    def waiting(self, crawl: int) -> list[WaitingLinks]:
        """Return how many links wait, by queue and host; reads all URLs of the crawl."""

    def held(self, crawl: int, now: float, delay: float, limit: int) -> list[HeldHost]:
        """Return the hosts that are given up, wait beyond `now`, failed last time, or want more than `delay` seconds.

        Those that wait longest come first, those given up last.
        """

    def failures(self, crawl: int, limit: int) -> list[FailedVisit]:
        """Return the newest visits without a page among the last few thousand, newest first."""

    def read(self, crawl: int, limit: int) -> list[ReadPage]:
        """Return the pages that were stored last, newest first; those that ask not to be listed are left out."""

    def kept(self, crawl: int, since: int = 0) -> list[KeptMark]:
        """Return the stored pages whose visits have a sequence number above `since`, in order."""

    def paused(self, crawl: int) -> float | None:
        """Return since when a crawl is told to pause, None if it is not."""

    def offline(self, crawl: int) -> float | None:
        """Return since when a crawl cannot reach any host, None if it can."""

    def arrivals(self, since: float, until: float, limit: int) -> list[Arrival]:
        """Return the accepted pages found from one wall time until another, newest first."""

    def departed(self, since: float, until: float) -> int:
        """Return how many pages were found to be gone from one wall time until another."""


class Places(Protocol):
    """Where pages stand in the picture of the graph."""

    def keep(self, places: Mapping[int, Place]) -> None:
        """Write the places of some pages."""

    def of(self, ids: Sequence[int]) -> dict[int, Place]:
        """Return the places of those pages among some ids that have one."""
