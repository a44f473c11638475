"""Measures crawls that only have an unlabelled corpus and a few query words.

This is the experiment of Almpanidis, Kotropoulos and Pitas: a university is crawled completely from its department's
page; the corpus consists of pages of the other universities; each class has a query. As ties are broken by chance,
every crawl is repeated with different orders of the links on a page.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from thresher.analysers import taught
from thresher.bench.assignment import Assignment, Job, assign
from thresher.bench.crawling import crawl
from thresher.bench.kept_runs import Conditions, KeptRuns
from thresher.bench.measures import LEVELS, harvest_curve, precision_at_recall, recall_curve
from thresher.bench.page_cache import PageCache
from thresher.bench.profile import bench_settings
from thresher.bench.records import FetchedPage
from thresher.bench.versions import versions
from thresher.bench.webs.web import BenchWeb
from thresher.parameters import parse, written
from thresher.plugins import free_parameters, make_strategy
from thresher.protocols import Strategy, View
from thresher.types import Candidate, ParsedPage, Reading

QUERIES: Final = {
    "course": "course university homework lesson exams assignment lecture tutorial book schedule notes grading handout "
    "teaching solutions",
    "faculty": "faculty university professor publications papers research office",
    "project": "project university demonstration objective overview research laboratory",
    "student": "student university interests favourite activities graduate home",
}
"""The query words for each class of WebKB, from the source."""

STRATEGIES: Final = (
    "breadth-first",
    "backlinks",
    "shark-1",
    "shark-2",
    "pagerank",
    "hcla",
    "phits",
    "default",
)


class OrderRun(Struct, frozen=True):
    """The figures of one crawl: `area` under the recall curve and mean `harvest_rate`, over all reachable pages.

    `precision` and `f1` are at recall 0.1, 0.5 and 1.0; 0 if a crawl did not reach it.
    """

    web: str
    topic: str
    strategy: str
    order: int
    pages: int
    targets: int
    area: float
    harvest_rate: float
    precision: list[float]
    f1: list[float]
    cpu_ms_per_page: float


def in_any_order(strategy: Strategy, order: int) -> Strategy:
    """Make a strategy return its candidates in random order, so ties are broken differently."""
    plain = strategy.rank

    def rank(reading: Reading[Any], view: View) -> Iterable[Candidate]:
        found = list(plain(reading, view))
        Random(f"{order}/{reading.candidate.url}").shuffle(found)
        return found

    # On the object instead of a wrapper, as the engine inspects the abilities and declared types of a strategy.
    strategy.rank = rank  # type: ignore[method-assign]
    return strategy


def corpus_of(web: BenchWeb, pages: PageCache, number: int) -> list[tuple[ParsedPage, str | None]]:
    """Return pages from outside the web without their labels, the same for every topic."""
    known = sorted(url for url in web.corpus if url in pages and url not in web.served)
    drawn = Random(f"{web.name}/corpus").sample(known, min(number, len(known)))
    found = (pages.page(url) for url in sorted(drawn))
    return [(page, None) for page in found if page is not None]


class OrderTask(Struct, frozen=True):
    """A topic of a web, with the pages of the web and the corpus; the job is for any strategy."""

    job: Job
    web: BenchWeb
    pages: PageCache
    corpus: Sequence[tuple[ParsedPage, str | None]]


def order_runs(
    tasks: Sequence[OrderTask], strategies: Sequence[str], orders: int, kept: KeptRuns[OrderRun]
) -> Iterable[OrderRun]:
    """Yield the figures of each strategy for each task, order after order, and keep them.

    All tasks come before the next order, so a bench that is interrupted has compared all strategies.
    """
    given: dict[int, Assignment] = {}
    for order in range(orders):
        for place, task in enumerate(tasks):
            for name in strategies:
                conditions = _conditions(task, name, order)
                found = kept.find(conditions)
                if found is None:
                    if place not in given:
                        given[place] = assign(task.job, task.web, task.pages)
                    job = replace(task.job, strategy=name)
                    found = order_run(job, task.web, task.pages, task.corpus, given[place], order)
                    kept.keep(conditions, found)
                yield found


def _conditions(task: OrderTask, strategy: str, order: int) -> Conditions:
    return {
        "web": task.web.name,
        "topic": task.job.topic,
        "strategy": strategy,
        "order": order,
        "corpus": len(task.corpus),
        "data": task.web.collection.digest,
        "code": versions(strategy)["code"],
    }


def order_run(
    job: Job,
    web: BenchWeb,
    pages: PageCache,
    corpus: Sequence[tuple[ParsedPage, str | None]],
    given: Assignment,
    order: int,
) -> OrderRun:
    """Crawl once and return the figures."""
    settings = bench_settings([*job.settings, f"crawl.pages={job.budget}"])
    name, parameters = parse(job.strategy)
    query = QUERIES.get(job.topic, "")
    # Without a given query, its words are learned from the examples.
    asks = bool(query) and "query" in free_parameters(name)
    made = make_strategy(written(name, {"query": query, **parameters}) if asks else job.strategy)
    learnt = taught(made, job.strategy, given.classifier, corpus if asks else given.examples)
    crawled = crawl(given.task, pages, settings, in_any_order(learnt, order), given.classifier)
    relevant, targets = given.task.relevant, given.task.targets
    numbers = [pages.number(url) for url in crawled.urls]
    log = [FetchedPage(url, bool(relevant[n]), bool(targets[n])) for url, n in zip(crawled.urls, numbers, strict=True)]
    count, budget = int(np.count_nonzero(targets)), job.budget or given.task.reachable
    efforts = precision_at_recall(log, count)
    return OrderRun(
        web=web.name,
        topic=job.topic,
        strategy=job.strategy,
        order=order,
        pages=len(log),
        targets=count,
        area=float(recall_curve([visit.target for visit in log], count, budget).mean()),
        harvest_rate=float(harvest_curve(log, budget).mean()),
        precision=[effort.precision if (effort := efforts[level]) else 0.0 for level in LEVELS],
        f1=[effort.f1 if (effort := efforts[level]) else 0.0 for level in LEVELS],
        cpu_ms_per_page=round(1000 * crawled.cpu_seconds / max(1, len(log)), 3),
    )
