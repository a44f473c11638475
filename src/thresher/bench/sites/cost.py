"""Measures the cost of a crawl for websites: CPU time per page against breadth-first, and memory as sites close."""

import gc
import sys
import time
from collections.abc import Sequence
from statistics import median
from typing import Any, Final

from msgspec import Struct

from thresher.bench.profile import bench_settings
from thresher.bench.sites.labelled_sites import GeneratedSites
from thresher.bench.sites.sampling import examples
from thresher.bench.sites.trial import crawled
from thresher.classify.sites import SiteClassifier
from thresher.plugins import make_strategy
from thresher.protocols import Strategy, Trains
from thresher.site_types import SiteState
from thresher.strategies.websites.examined_sites import ExaminedSites
from thresher.strategies.websites.link_kinds import LinkOrder
from thresher.strategies.websites.platforms import SiteNames
from thresher.strategies.websites.strategy import Websites

ROUNDS: Final = 3
STRATEGIES: Final = ("breadth-first", "websites", "websites(order=variance)")
_SHARED: Final = (type, type(sys), type(gc.collect), type(lambda: None))
"""Types of objects that belong to the program rather than to a crawl."""


class CpuRow(Struct, frozen=True):
    """Median CPU milliseconds per page of a strategy, including parsing; `ratio` is relative to the first strategy."""

    strategy: str
    cpu_ms: float
    ratio: float


class MemoryRow(Struct, frozen=True):
    """Kilobytes held by the strategy, without its classifier, after a number of pages and closed sites."""

    pages: int
    closed: int
    kilobytes: float


def cpu_cost(pages: int, sites: int = 2400, rounds: int = ROUNDS) -> list[CpuRow]:
    """Crawl the generated web with each strategy in turn for some rounds, and compare CPU times."""
    web = GeneratedSites(bench_settings(), sites=sites, remembers=False)
    topic = web.topics[0]
    start = web.start(topic, 0)
    taught = examples(web, topic, start)
    found: dict[str, list[float]] = {name: [] for name in STRATEGIES}
    for _ in range(rounds):
        for name in STRATEGIES:
            strategy = make_strategy(name)
            if isinstance(strategy, Trains):
                strategy.fit(taught)
            began = time.process_time()
            fetched = _crawled(web, strategy, start.relevant, pages)[1]
            found[name].append(1000 * (time.process_time() - began) / max(1, len(fetched)))
    first = median(found[STRATEGIES[0]])
    return [CpuRow(name, round(median(own), 3), round(median(own) / first, 3)) for name, own in found.items()]


def memory_cost(budgets: Sequence[int], sites: int = 2400) -> list[MemoryRow]:
    """Crawl the generated web with growing budgets, and measure the memory of the strategy at the end of each."""
    web = GeneratedSites(bench_settings(), sites=sites)
    topic = web.topics[0]
    start = web.start(topic, 0)
    taught = examples(web, topic, start)
    rows: list[MemoryRow] = []
    for budget in budgets:
        strategy = Websites().fit(taught)
        decided, pages = _crawled(web, strategy, start.relevant, budget)
        closed = sum(row.state is not SiteState.OPEN for row in decided)
        rows.append(MemoryRow(len(pages), closed, round(size_of(strategy.examined) / 1024, 1)))
    return rows


def closing_cost(marks: Sequence[int]) -> list[MemoryRow]:
    """Open and close made-up sites without a crawl, and measure the memory of the strategy after each number of them.

    Each site has one page, which links to a folder of its own and to another site; one in ten is relevant.
    """
    examined = ExaminedSites(SiteNames(), LinkOrder(), pages=1)
    examined.judge_by(SiteClassifier(2, 0.1), ["topic"])
    rows: list[MemoryRow] = []
    for number in range(max(marks)):
        host, other = f"s{number}.test", f"s{number + 1}.test"
        examined.names.linked(f"http://{host}/about/", host)
        examined.names.linked(f"http://{other}/news/", host)
        examined.crawled = number + 1
        site = examined.enter(f"http://{host}/", 0, number)
        assert site is not None
        confidences = (0.99, 0.01) if number % 10 == 0 else (0.01, 0.99)
        examined.judge(site, site.home, confidences, (number % 97, number % 89), [other])
        examined.closed()
        examined.changes()
        if number + 1 in marks:
            rows.append(MemoryRow(number + 1, number + 1, round(size_of(examined) / 1024, 1)))
    return rows


def _crawled(web: GeneratedSites, strategy: Strategy, starts: Sequence[str], pages: int) -> tuple[list[Any], list[str]]:
    settings = bench_settings([f"crawl.pages={pages}", "crawl.sitemaps=0"])
    return crawled(web, settings, strategy, starts)


def size_of(thing: object) -> int:
    """Return the size in bytes of an object and everything it refers to, each counted once.

    >>> size_of([1, 2]) > size_of([1]) > 0
    True
    """
    seen: set[int] = set()
    waiting, total = [thing], 0
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, _SHARED):
            continue
        seen.add(id(one))
        total += sys.getsizeof(one)
        waiting += gc.get_referents(one)
    return total
