"""What the portal is doing now: the state of its crawl, figures, waiting links and the newest pages."""

import os
import shutil
import threading
import time
from collections import Counter
from enum import StrEnum
from typing import Final

from msgspec import Struct

from thresher.portal.fresh import Fresh
from thresher.portal.library import Library
from thresher.portal.share_curve import Curves, Drawing, SharePoint, drawn
from thresher.portal.work import Workbench
from thresher.reasons import Reason
from thresher.runs.run_budget import account_of, own_pages
from thresher.store.crawl_history import latest_crawl
from thresher.store.locks import Holder, holder
from thresher.store.records import CrawlKind, CrawlRow, CrawlState
from thresher.store.watch_records import FailedVisit, HeldHost, ReadPage, WaitingLinks
from thresher.store.work_records import ALONE, WorkKind, WorkRow
from thresher.web.urls import host_of
from thresher.work_steps import StepProgress

_SECOND: Final = 0.9
_JUST_READ: Final = 8
_HELD: Final = 200
_FAILURES: Final = 300
_SHOWN_HOSTS: Final = 8
_PATIENCE: Final = 20
"""Counting waiting links takes at most one part in this many of the time."""

_MEGABYTE: Final = 1 << 20
_POLITE: Final = 1.5
"""Delays longer than this multiple of our own are shown."""


class Activity(StrEnum):
    """What a portal is doing; the values are message names."""

    NONE = "none"
    RUNNING = "running"
    PAUSED = "paused"
    FULL = "full"
    OFFLINE = "offline"
    WORKING = "working"
    STOPPED = "stopped"
    KILLED = "killed"
    FINISHED = "finished"


_CRAWLING: Final = frozenset({Activity.RUNNING, Activity.PAUSED, Activity.FULL, Activity.OFFLINE})


_CRAWLS: Final = frozenset({WorkKind.TRAIN, WorkKind.RUN, WorkKind.HARVEST, WorkKind.RESUME, WorkKind.REFRESH})
_FOLLOWED: Final = frozenset({CrawlKind.TRAIN, CrawlKind.LEARN, CrawlKind.HARVEST, CrawlKind.REFRESH})


class Held(Struct, frozen=True):
    """A host that the crawl waits for; `why` is a message name, `until` a wall time or None if it has no end."""

    host: str
    why: str
    tag: str
    until: float | None
    links: int
    delay: float
    failures: int
    status: int | None


class QueueCounts(Struct, frozen=True):
    """Links in the queue: by topic, largest first, None for those without a topic; and by host."""

    topics: list[tuple[str | None, int]]
    hosts: dict[str, int]


class CrawlNow(Struct, frozen=True, kw_only=True):
    """Everything the live view shows at one moment; `seq` is the number of the portal's latest change."""

    at: float
    seq: int
    state: Activity
    crawl: CrawlRow | None
    holder: Holder | None
    works: list[WorkRow]
    step: StepProgress | None
    pages: int
    limit: int
    rate: float
    ends: float | None
    waiting: QueueCounts
    held: list[Held]
    ready: int
    read: list[ReadPage]
    points: list[SharePoint]
    before: list[SharePoint]
    picture: Drawing | None

    @property
    def work(self) -> WorkRow | None:
        """The work that blocks all other crawling, or None."""
        return next((row for row in self.works if row.kind in ALONE), None)

    @property
    def doing(self) -> str:
        """Message name of what the blocking work is doing, "" if there is none.

        Between the crawls of one piece of work, this depends on the last of them.
        """
        work = self.work
        if work is None:
            return ""
        begun = self.crawl is not None and self.crawl.started >= work.asked
        if begun and self.crawl is not None and work.kind in _CRAWLS and self.crawl.kind in _FOLLOWED:
            return f"work.after_{self.crawl.kind}"
        return f"work.doing_{work.kind}"

    @property
    def is_crawling(self) -> bool:
        """Whether a crawl is in progress, including paused ones."""
        return self.state in _CRAWLING

    @property
    def failed(self) -> int:
        """Number of pages that could not be read."""
        return sum(self.crawl.progress.errors.values()) if self.crawl else 0

    @property
    def refused(self) -> list[tuple[Reason, int]]:
        """Reasons why links and pages were skipped with their counts, most frequent first."""
        if self.crawl is None:
            return []
        counted = Counter(self.crawl.progress.errors) + Counter(self.crawl.progress.refused)
        known = [(Reason(name), number) for name, number in counted.items() if name in set(Reason)]
        return sorted(known, key=lambda found: (-found[1], found[0]))


class Live:
    """Observes the work of a portal, at most once a second no matter who asks."""

    def __init__(self, library: Library, bench: Workbench) -> None:
        self._library = library
        self._bench = bench
        self._curves = Curves(library.store)
        self._now = Fresh(self._look, object, _SECOND, time.monotonic)
        self._waiting: tuple[int, QueueCounts] = (0, QueueCounts([], {}))
        self._due = 0.0
        self._counting = threading.Lock()

    def now(self) -> CrawlNow:
        """Return what the portal is doing."""
        return self._now.get()

    def look_again(self) -> None:
        """Make a recent change visible to the next caller."""
        self._now.forget()

    def _look(self) -> CrawlNow:
        library, store = self._library, self._library.store
        now, seq = library.clock(), store.log.last()
        works = self._bench.running(now)
        held = holder(library.portal)
        crawl = latest_crawl(store)
        state = self._state(crawl, held, works, now)
        alone = next((row for row in works if row.kind in ALONE), None)
        crawling = state in _CRAWLING
        curve = self._curves.of(crawl) if crawl else None
        before = self._curves.before(crawl) if crawl else None
        points = curve.points() if curve else []
        earlier = self._curves.of(before).points() if before and points else []
        waiting = self._counted(crawl) if crawl else QueueCounts([], {})
        hosts = self._held(crawl, waiting, now) if crawl and crawling else []
        pages, limit = self._budget(crawl, alone, curve.since(alone.asked) if curve and alone else 0)
        rate = curve.rate(now) if curve and state is Activity.RUNNING else 0.0
        left = limit - pages if limit else 0
        return CrawlNow(
            at=now,
            seq=seq,
            state=state,
            crawl=crawl,
            holder=held,
            works=works,
            step=self._bench.step(alone.id) if alone and not crawling else None,
            pages=pages,
            limit=limit,
            rate=rate,
            ends=now + left / rate if rate > 0 and left > 0 else None,
            waiting=waiting,
            held=hosts[:_SHOWN_HOSTS],
            ready=max(0, len(waiting.hosts) - sum(host.host in waiting.hosts for host in hosts)),
            read=store.watch.read(crawl.id, _JUST_READ) if crawl else [],
            points=points,
            before=earlier,
            picture=drawn(points, earlier),
        )

    def _state(self, crawl: CrawlRow | None, held: Holder | None, works: list[WorkRow], now: float) -> Activity:
        unfinished = crawl is not None and crawl.progress.state is CrawlState.RUNNING
        if held is not None and crawl is not None and unfinished:
            if self._is_full():
                return Activity.FULL
            watch = self._library.store.watch
            if watch.paused(crawl.id) is not None:
                return Activity.PAUSED
            return Activity.OFFLINE if watch.offline(crawl.id) is not None else Activity.RUNNING
        if held is not None or any(row.kind in ALONE for row in works):
            return Activity.WORKING
        if crawl is None:
            return Activity.NONE
        if unfinished:
            return Activity.KILLED
        return Activity.FINISHED if crawl.is_over else Activity.STOPPED

    def _budget(self, crawl: CrawlRow | None, work: WorkRow | None, read: int) -> tuple[int, int]:
        """Return how many pages a crawl has stored and may store (0 for no limit), counted over a whole run."""
        if crawl is None:
            return 0, 0
        if crawl.run is not None and crawl.run.pages:
            run = account_of(self._library.store)
            if run.mark.number == crawl.run.number and run.mark.pages >= run.pages:
                return run.pages, run.mark.pages
        return crawl.progress.pages, _limit(crawl, work, read)

    def _is_full(self) -> bool:
        least = self._library.settings.store.min_free_mb
        return shutil.disk_usage(os.fspath(self._library.portal)).free < least * _MEGABYTE

    def _counted(self, crawl: CrawlRow) -> QueueCounts:
        """Return the waiting links; counting reads all URLs of the crawl, so large crawls are counted less often."""
        if self._waiting[0] == crawl.id and time.monotonic() < self._due:
            return self._waiting[1]
        with self._counting:
            began = time.monotonic()
            found = self._by_topic(self._library.store.watch.waiting(crawl.id))
            cost = time.monotonic() - began
            self._due = began + max(_SECOND, _PATIENCE * cost)
            self._waiting = (crawl.id, found)
            return found

    def _by_topic(self, rows: list[WaitingLinks]) -> QueueCounts:
        known = self._library.overview().nodes
        topics: Counter[str | None] = Counter()
        hosts: Counter[str] = Counter()
        for row in rows:
            topics[row.queue if row.queue in known else None] += row.links
            hosts[row.host] += row.links
        return QueueCounts(sorted(topics.items(), key=lambda found: -found[1]), dict(hosts))

    def _held(self, crawl: CrawlRow, waiting: QueueCounts, now: float) -> list[Held]:
        watch, usual = self._library.store.watch, self._library.settings.manners.delay
        failed: dict[str, FailedVisit] = {}
        for visit in watch.failures(crawl.id, _FAILURES):
            failed.setdefault(host_of(visit.url), visit)
        rows = watch.held(crawl.id, now + max(1.0, usual) * _POLITE, max(1.0, usual) * _POLITE, _HELD)
        return [_told(row, failed.get(row.host), waiting.hosts.get(row.host, 0), now) for row in rows]


def _limit(crawl: CrawlRow, work: WorkRow | None, read: int) -> int:
    """Return how many pages a crawl may store, 0 for no limit; `read` is the number the work has stored so far.

    A resumed crawl may store a number of pages on top of those it had, which its own limit does not show. A refresh
    ends with the pages it knows.
    """
    if work is not None and work.pages and crawl.started < work.asked:
        return crawl.progress.pages - read + work.pages
    if crawl.kind is CrawlKind.REFRESH:
        return crawl.progress.pages + crawl.progress.queued
    own = own_pages(crawl)
    return own if own >= crawl.progress.pages else 0


def _told(row: HeldHost, failed: FailedVisit | None, links: int, now: float) -> Held:
    """Return why a host is held: the reason it was closed, its last error, or the delay it asks for."""
    until = row.free_at if row.free_at > now else None
    if row.closed is not None:
        why, tag = row.closed.value, "bad"
    elif row.failures and failed is not None and failed.reason:
        why, tag = failed.reason, "warn"
    else:
        why, tag = "polite", ""
    status = failed.status if failed is not None and why == failed.reason else None
    return Held(row.host, why, tag, until, links, row.delay, row.failures, status)
