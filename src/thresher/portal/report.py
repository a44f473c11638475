"""The morning report: what is new, what is doubtful, what failed, and what comes next."""

import math
from collections import Counter, defaultdict
from datetime import date, datetime, time, timedelta
from typing import Final

from msgspec import Struct

from thresher.portal.library import Library
from thresher.portal.schedules import following
from thresher.reasons import Reason
from thresher.store.crawl_history import all_crawls
from thresher.store.locks import holder
from thresher.store.portal_records import ListedPage
from thresher.store.records import CrawlKind, CrawlRow
from thresher.store.watch_records import Arrival, HeldHost
from thresher.store.work_records import ScheduleRow

MOST: Final = 50_000
"""New pages that are looked at; a report of more says so."""

DOUBTFUL: Final = 0.6
"""Pages that are less likely than this to belong to their topic are worth a look."""

_BEST: Final = 6
_SHOWN: Final = 5
_SITES: Final = 12
_HELD: Final = 5
_PAUSE: Final = 60.0
_EPOCH: Final = 1970


class TopicNews(Struct, frozen=True):
    """What is new in a topic; the share expected to be `right`, give or take `spread`, is None if it is not known."""

    topic: str
    new: int
    total: int
    right: float | None
    spread: float


class Plan(Struct, frozen=True):
    """What comes next: a schedule and when it is due."""

    schedule: ScheduleRow
    due: float


class Report(Struct, frozen=True, kw_only=True):
    """What happened from one wall time until another."""

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
    plans: list[Plan]

    @property
    def weakest(self) -> TopicNews | None:
        """The topic with the smallest share of pages that belong there, None where nothing is known or all are good."""
        judged = [topic for topic in self.topics if topic.right is not None and topic.new >= _SHOWN]
        found = min(judged, key=lambda topic: topic.right or 0.0, default=None)
        return found if found is not None and (found.right or 0.0) < 0.9 else None


def report_of(library: Library, since: float, until: float) -> Report:
    """Return the report of a time."""
    store, now = library.store, library.clock()
    arrivals = store.watch.arrivals(since, until, MOST)
    crawls = [crawl for crawl in all_crawls(store) if crawl.updated >= since and crawl.started < until]
    read, kept = _read(library, crawls, since, until)
    doubts = sorted((found for found in arrivals if found.probability < DOUBTFUL), key=lambda found: found.probability)
    sites = _new_sites(library, since, until)
    failed = sum((Counter(crawl.progress.errors) for crawl in crawls), Counter[str]())
    running = holder(library.portal) is not None
    return Report(
        since=since,
        until=until,
        crawls=crawls,
        running=running and until >= now - _PAUSE,
        read=read,
        kept=kept,
        new=len(arrivals),
        changed=sum(crawl.progress.changed for crawl in crawls if crawl.kind is CrawlKind.REFRESH),
        gone=store.watch.departed(since, until),
        topics=_by_topic(library, arrivals),
        best=_best(library, arrivals),
        doubtful=library.pages([found.id for found in doubts[:_SHOWN]]),
        doubts=len(doubts),
        sites=sites[:_SITES],
        new_sites=len(sites),
        failed=[(Reason(name), number) for name, number in failed.most_common(_SHOWN) if name in set(Reason)],
        held=_held(library, crawls, now),
        plans=_plans(library, now),
    )


def day_of(text: str) -> date | None:
    """Return the day that a text names, None where it names none or one before there were clocks that count seconds.

    >>> day_of("2026-11-16"), day_of("yesterday"), day_of("0001-01-01")
    (datetime.date(2026, 11, 16), None, None)
    """
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if len(text) == 10 and day.year > _EPOCH else None


def bounds(day: date) -> tuple[float, float]:
    """Return the wall times at which a local day begins and ends."""
    begin = datetime.combine(day, time()).astimezone().timestamp()
    if day == date.max:
        return begin, math.inf
    return begin, datetime.combine(day + timedelta(days=1), time()).astimezone().timestamp()


def days_with_news(library: Library, number: int, within: int = 60) -> list[tuple[date, int]]:
    """Return the newest days on which pages were found, with their numbers, newest first."""
    now = library.clock()
    found = library.store.watch.arrivals(now - within * 86_400, now + 86_400, MOST)
    counted = Counter(datetime.fromtimestamp(page.found).date() for page in found)
    return sorted(counted.items(), reverse=True)[:number]


def _read(library: Library, crawls: list[CrawlRow], since: float, until: float) -> tuple[int, int]:
    """Return how many pages were read in a time, and how many of them a topic has."""
    read = kept = 0
    for crawl in crawls:
        marks = [mark for mark in library.store.watch.kept(crawl.id) if since <= mark.at < until]
        read += len(marks)
        kept += sum(mark.kept for mark in marks)
    return read, kept


def _by_topic(library: Library, arrivals: list[Arrival]) -> list[TopicNews]:
    """Return the news of the top branches, the most first."""
    nodes = library.overview().nodes
    found: defaultdict[str, list[Arrival]] = defaultdict(list)
    for page in arrivals:
        if page.topic in nodes:
            found[_branch(page.topic)].append(page)
    told = []
    for topic, pages in found.items():
        likely = [page.probability for page in pages if not math.isnan(page.probability)]
        right = sum(likely) / len(likely) if likely else None
        spread = 1.96 * math.sqrt(sum(p * (1 - p) for p in likely)) / len(likely) if likely else 0.0
        told.append(TopicNews(topic, len(pages), nodes[topic].pages, right, spread))
    return sorted(told, key=lambda news: (-news.new, news.topic))


def _branch(topic: str) -> str:
    return topic.partition("/")[0]


def _best(library: Library, arrivals: list[Arrival]) -> list[ListedPage]:
    """Return the most likely new page of each branch, the best first; one of each site."""
    chosen: dict[str, Arrival] = {}
    hosts: set[str] = set()
    for page in sorted(arrivals, key=lambda found: (-found.confidence, found.id)):
        branch = _branch(page.topic)
        if branch not in chosen and page.host not in hosts:
            chosen[branch] = page
            hosts.add(page.host)
    return library.pages([page.id for page in chosen.values()][:_BEST])


def _new_sites(library: Library, since: float, until: float) -> list[tuple[str, int]]:
    """Return the sites all of whose pages are new, with the numbers of their pages, the most first."""
    before: Counter[str] = Counter()
    new: Counter[str] = Counter()
    for row in library.store.catalogue.sites(since):
        before[row.host] += row.pages - row.new
        new[row.host] += row.new
    if until < library.clock():
        later = Counter[str]()
        for row in library.store.catalogue.sites(until):
            later[row.host] += row.new
        new -= later
    found = [(host, number) for host, number in new.items() if number and not before[host]]
    return sorted(found, key=lambda site: (-site[1], site[0]))


def _held(library: Library, crawls: list[CrawlRow], now: float) -> list[HeldHost]:
    """Return the hosts that the newest crawl gave up."""
    if not crawls:
        return []
    found = library.store.watch.held(crawls[-1].id, now, math.inf, 1000)
    return [host for host in found if host.closed is not None][:_HELD]


def _plans(library: Library, now: float) -> list[Plan]:
    plans = [Plan(row, due) for row in library.store.schedules.all() if (due := following(row, now)) is not None]
    return sorted(plans, key=lambda plan: plan.due)
