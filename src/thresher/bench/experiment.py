"""One run: a strategy crawls a web for a topic, and leaves a record."""

import inspect
import time
from typing import Any

import numpy as np
from msgspec import Struct

from thresher.analysers import taught
from thresher.bench.committee import Committee, train_committee
from thresher.bench.crawling import Crawled, crawl
from thresher.bench.measures import harvest_rate, oracle_share, target_recall
from thresher.bench.oracle import NAME as ORACLE
from thresher.bench.oracle import Oracle, plan
from thresher.bench.page_cache import PageCache
from thresher.bench.profile import bench_settings, described
from thresher.bench.protocol import Draw, Task, draw_task
from thresher.bench.records import Mode, Record, Run, Visit
from thresher.bench.versions import versions
from thresher.bench.webs.web import BenchWeb
from thresher.classify.flat import FlatClassifier
from thresher.plugins import make_strategy, parse, strategy_class
from thresher.protocols import Strategy
from thresher.types import Page


class Job(Struct, frozen=True, kw_only=True):
    """A run to be made.

    A `budget` of 0 crawls everything that can be reached; `settings` are `key=value` strings on top of the profile
    `bench`.
    """

    web: str
    topic: str
    strategy: str
    seed: int
    budget: int
    mode: Mode
    draw: Draw
    settings: tuple[str, ...] = ()


def run(job: Job, web: BenchWeb, pages: PageCache) -> Record:
    """Make one run and return its record."""
    started = time.monotonic()
    settings = bench_settings([*job.settings, f"crawl.pages={job.budget}"])
    values, digest = described(settings)
    task = draw_task(web, pages, job.topic, job.seed, job.mode, job.draw)
    best = oracle_order(task, pages, job.budget or task.reachable)
    examples = training_pages(task, pages, job.topic)
    classifier = FlatClassifier().fit(examples)
    if parse(job.strategy)[0] == ORACLE:
        strategy: Strategy = Oracle({pages.urls[number]: place for place, number in enumerate(best)})
    else:
        strategy = taught(make(job.strategy, settings.strategy, job.seed), job.strategy, classifier, examples)
    crawled = crawl(task, pages, settings, strategy, classifier)
    judges = train_committee(web, pages, job.topic, job.draw.examples) if web.judged else None
    log = [_visit(url, task, pages, judges if url not in web.labels else None) for url in crawled.urls]
    found = [bool(task.targets[number]) for number in best]
    return Record(
        run=_figures(job, task, log, found, crawled),
        log=log,
        oracle=found,
        examples=list(task.examples),
        negatives=list(task.negatives),
        starts=list(task.starts),
        data=web.collection.digest,
        settings=values,
        settings_digest=digest,
        versions=versions(job.strategy),
        seconds=round(time.monotonic() - started, 3),
        topic_set=web.set_of(job.topic),
        note=web.note,
    )


def oracle_order(task: Task, pages: PageCache, budget: int) -> list[int]:
    """Return the numbers of the pages that the oracle fetches for a task."""
    starts = [number for url in task.starts if (number := pages.number(url)) is not None]
    return plan(pages.graph, starts, task.open, task.targets, budget)


def training_pages(task: Task, pages: PageCache, topic: str) -> list[tuple[Page, str | None]]:
    """Return the pages a crawl may learn from, with their topic or none."""
    labelled = [*((url, topic) for url in task.examples), *((url, None) for url in task.negatives)]
    return [(page, label) for url, label in labelled if (page := pages.page(url)) is not None]


def make(name: str, tables: dict[str, dict[str, Any]], seed: int) -> Strategy:
    """Return a strategy; one that draws by lot gets the run's seed, where neither name nor settings give another.

    >>> make("random", {}, 4).seed, make("random(seed=7)", {}, 4).seed
    (4, 7)
    """
    plain = parse(name)[0]
    given = {"seed": seed} if "seed" in inspect.signature(strategy_class(plain)).parameters else {}
    return make_strategy(name, {**tables, plain: {**given, **tables.get(plain, {})}})


def _visit(url: str, task: Task, pages: PageCache, judges: Committee | None) -> Visit:
    """Return a page of the log, judged by its label, or by the committee where there is one for it."""
    number = pages.number(url)
    page = pages.page(url) if judges else None
    relevant = judges.relevant(page) if judges and page else bool(task.relevant[number])
    return Visit(url, relevant, bool(task.targets[number]))


def _figures(job: Job, task: Task, log: list[Visit], oracle: list[bool], crawled: Crawled) -> Run:
    targets = int(np.count_nonzero(task.targets))
    budget = job.budget or task.reachable
    return Run(
        web=job.web,
        topic=job.topic,
        strategy=job.strategy,
        seed=job.seed,
        budget=job.budget,
        mode=job.mode,
        targets=targets,
        pages=len(log),
        harvest_rate=harvest_rate(log, budget),
        target_recall=target_recall(log, targets, budget),
        oracle_share=oracle_share([visit.target for visit in log], oracle, targets, budget),
        cpu_ms_per_page=round(1000 * crawled.cpu_seconds / max(1, len(log)), 4),
    )
