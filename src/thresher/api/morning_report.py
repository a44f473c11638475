"""The morning report: what is new in a portal, what is doubtful, what failed, and what comes next."""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from time import time
from typing import Final, TypedDict

from msgspec import Struct

from thresher.api.report_days import MOST, bounds, day_of
from thresher.errors import InputError, UsageError
from thresher.portals import load_topics
from thresher.reasons import Reason
from thresher.store.crawl_history import all_crawls
from thresher.store.locks import holder
from thresher.store.portal_records import ListedPage, TopicSite
from thresher.store.protocol import Store
from thresher.store.records import CrawlKind, CrawlRow
from thresher.store.schedule_times import following
from thresher.store.watch_records import HeldHost, NewPage
from thresher.store.work_records import ScheduleRow
from thresher.taxonomy.topic_tree import written
from thresher.web.urls import host_of

DOUBTFUL: Final = 0.6
"""Pages with a lower probability than this are doubtful."""

_BEST: Final = 6
_SHOWN: Final = 5
_LOOKED_AT: Final = 4
"""Doubtful pages to look at for each one shown: several may have the same title."""

_SITES: Final = 12
_HELD: Final = 5
_PAUSE: Final = 60.0
_DAY: Final = 86_400.0


class TopicNews(Struct, frozen=True):
    """What is new in a topic: `new` of its `total` pages.

    `right` is the share of the new pages expected to belong there, give or take `spread`; None if unknown.
    """

    topic: str
    new: int
    total: int
    right: float | None
    spread: float


class ScheduledRun(Struct, frozen=True):
    """What comes next: a schedule and when it is due."""

    schedule: ScheduleRow
    due: float


class ReportedPage(TypedDict):
    """A page and its topic."""

    url: str
    title: str
    topic: str


class NewSite(TypedDict):
    """A host all of whose pages are new."""

    host: str
    pages: int


class PlannedWork(TypedDict):
    """A schedule (`run` or `refresh`) and when it is due."""

    kind: str
    at: float


class ReportData(TypedDict):
    """What happened from `since` until `until`, in seconds since 1970.

    `read` counts fetched pages, `kept` those that a topic accepted; `new`, `changed` and `gone` count pages of the
    portal. `doubtful` are the least likely of `doubts` new pages. `failed` counts failed URLs by reason, `given_up` are
    hosts.
    """

    portal: str
    since: float
    until: float
    running: bool
    read: int
    kept: int
    new: int
    changed: int
    gone: int
    topics: list[TopicNews]
    best: list[ReportedPage]
    doubtful: list[ReportedPage]
    doubts: int
    new_sites: list[NewSite]
    failed: dict[str, int]
    given_up: list[str]
    next: list[PlannedWork]


class MorningReport(Struct, frozen=True, kw_only=True):
    """What happened in a portal between two times."""

    since: float
    until: float
    crawls: list[CrawlRow]
    running: bool
    read: int
    kept: int
    new: int
    changed: int
    gone: int
    topics: list[TopicNews]
    best: list[ListedPage]
    doubtful: list[ListedPage]
    doubts: int
    sites: list[tuple[str, int]]
    new_sites: int
    failed: list[tuple[Reason, int]]
    held: list[HeldHost]
    plans: list[ScheduledRun]

    @property
    def weakest(self) -> TopicNews | None:
        """The topic with the smallest share of pages that belong there; None if unknown or if all are good."""
        judged = [topic for topic in self.topics if topic.right is not None and topic.new >= _SHOWN]
        found = min(judged, key=lambda topic: topic.right or 0.0, default=None)
        return found if found is not None and (found.right or 0.0) < 0.9 else None

    def to_dict(self, portal: str) -> ReportData:
        """Return the report as plain data, for a portal with that name."""
        return {
            "portal": portal,
            "since": self.since,
            "until": self.until,
            "running": self.running,
            "read": self.read,
            "kept": self.kept,
            "new": self.new,
            "changed": self.changed,
            "gone": self.gone,
            "topics": self.topics,
            "best": [_named(page) for page in self.best],
            "doubtful": [_named(page) for page in self.doubtful],
            "doubts": self.doubts,
            "new_sites": [{"host": host, "pages": pages} for host, pages in self.sites],
            "failed": {reason.value: number for reason, number in self.failed},
            "given_up": [host.host for host in self.held],
            "next": [{"kind": plan.schedule.kind.value, "at": plan.due} for plan in self.plans],
        }

    def __repr__(self) -> str:
        since, until = (f"{datetime.fromtimestamp(at):%Y-%m-%d %H:%M}" for at in (self.since, self.until))
        pages = f"{self.read:,} pages read, {self.new:,} new, {self.gone:,} gone"
        return f"<report {since} to {until}: {pages}>"


def report_of(portal: Path, store: Store, since: float, until: float, now: float) -> MorningReport:
    """Return what happened in a portal between two times."""
    arrivals = store.watch.arrivals(since, until, MOST)
    crawls = [crawl for crawl in all_crawls(store) if crawl.updated >= since and crawl.started < until]
    read, kept = _read(store, crawls, since, until)
    doubts = sorted((found for found in arrivals if found.probability < DOUBTFUL), key=lambda found: found.probability)
    sources = store.catalogue.sites(since)
    sites = _new_sites(sources, store.catalogue.sites(until) if until < now else [])
    failed = sum((Counter(crawl.progress.errors) for crawl in crawls), Counter[str]())
    running = holder(portal) is not None
    return MorningReport(
        since=since,
        until=until,
        crawls=crawls,
        running=running and until >= now - _PAUSE,
        read=read,
        kept=kept,
        new=len(arrivals),
        changed=sum(crawl.progress.changed for crawl in crawls if crawl.kind is CrawlKind.REFRESH),
        gone=store.watch.departed(since, until),
        topics=_by_topic(portal, arrivals, sources),
        best=_best(store, arrivals),
        doubtful=_distinct(_pages(store, [found.id for found in doubts[: _LOOKED_AT * _SHOWN]]))[:_SHOWN],
        doubts=len(doubts),
        sites=sites[:_SITES],
        new_sites=len(sites),
        failed=[(Reason(name), number) for name, number in failed.most_common(_SHOWN) if name in set(Reason)],
        held=_held(store, crawls, now),
        plans=_plans(store, now),
    )


def report_since(portal: Path, store: Store, days: float = 1.0, day: str | None = None) -> MorningReport:
    """Return the report of the last `days`, `inf` for all, or of one day, as in `2026-11-16`.

    Raises UsageError for an invalid number of days, and InputError for an invalid date.
    """
    now = time()
    if day is None:
        if not days >= 0:
            raise UsageError(f"There is no report of {days:g} days.", "Give a number of days from 0 up.")
        return report_of(portal, store, max(0.0, now - days * _DAY), now, now)
    known = day_of(day)
    if known is None:
        raise InputError(f"'{day}' is not a date.", "Write it like 2026-11-16.")
    begin, end = bounds(known)
    return report_of(portal, store, begin, min(end, now), now)


def _read(store: Store, crawls: list[CrawlRow], since: float, until: float) -> tuple[int, int]:
    """Return how many pages were read in a period, and how many of them a topic accepted."""
    read = kept = 0
    for crawl in crawls:
        marks = [mark for mark in store.watch.kept(crawl.id) if since <= mark.at < until]
        read += len(marks)
        kept += sum(mark.kept for mark in marks)
    return read, kept


def _by_topic(portal: Path, arrivals: Sequence[NewPage], sources: Sequence[TopicSite]) -> list[TopicNews]:
    """Return the news of the top-level topics, most news first; topics no longer in the tree are left out."""
    known = {written(path) for path, _ in load_topics(portal).walk()}
    total: Counter[str] = Counter()
    for row in sources:
        if row.topic in known:
            total[_branch(row.topic)] += row.pages
    found: defaultdict[str, list[NewPage]] = defaultdict(list)
    for page in arrivals:
        if page.topic in known:
            found[_branch(page.topic)].append(page)
    told = []
    for topic, pages in found.items():
        likely = [page.probability for page in pages if not math.isnan(page.probability)]
        right = sum(likely) / len(likely) if likely else None
        spread = 1.96 * math.sqrt(sum(p * (1 - p) for p in likely)) / len(likely) if likely else 0.0
        told.append(TopicNews(topic, len(pages), total[topic], right, spread))
    return sorted(told, key=lambda news: (-news.new, news.topic))


def _branch(topic: str) -> str:
    return topic.partition("/")[0]


def _best(store: Store, arrivals: list[NewPage]) -> list[ListedPage]:
    """Return the most probable new page of each top-level topic, best first, at most one per site."""
    chosen: dict[str, NewPage] = {}
    hosts: set[str] = set()
    for page in sorted(arrivals, key=lambda found: (-found.confidence, found.id)):
        branch = _branch(page.topic)
        if branch not in chosen and page.host not in hosts:
            chosen[branch] = page
            hosts.add(page.host)
    return _pages(store, [page.id for page in chosen.values()][:_BEST])


def _pages(store: Store, ids: Sequence[int]) -> list[ListedPage]:
    found = store.catalogue.pages(ids)
    return [found[id_] for id_ in ids if id_ in found]


def _distinct(pages: Sequence[ListedPage]) -> list[ListedPage]:
    """Return the pages without those that have the same title on the same host as an earlier one."""
    found: dict[tuple[str, str], ListedPage] = {}
    for page in pages:
        found.setdefault((host_of(page.url), page.title or page.url), page)
    return list(found.values())


def _named(page: ListedPage) -> ReportedPage:
    return {"url": page.url, "title": page.title, "topic": page.topic}


def _new_sites(sources: Sequence[TopicSite], after: Sequence[TopicSite]) -> list[tuple[str, int]]:
    """Return the hosts all of whose pages are new, with their numbers of pages, most pages first.

    `sources` counts the pages found since the start of the report, `after` those found since its end.
    """
    before, new, later = Counter[str](), Counter[str](), Counter[str]()
    for row in sources:
        before[row.host] += row.pages - row.new
        new[row.host] += row.new
    for row in after:
        later[row.host] += row.new
    new -= later
    found = [(host, number) for host, number in new.items() if number and not before[host]]
    return sorted(found, key=lambda site: (-site[1], site[0]))


def _held(store: Store, crawls: list[CrawlRow], now: float) -> list[HeldHost]:
    """Return the hosts that the latest crawl dropped."""
    if not crawls:
        return []
    found = store.watch.held(crawls[-1].id, now, math.inf, 1000)
    return [host for host in found if host.closed is not None][:_HELD]


def _plans(store: Store, now: float) -> list[ScheduledRun]:
    plans = [ScheduledRun(row, due) for row in store.schedules.all() if (due := following(row, now)) is not None]
    return sorted(plans, key=lambda plan: plan.due)
