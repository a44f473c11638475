"""One run: a strategy crawls a web for a topic and leaves a record."""

import inspect
import time
from typing import Any

import numpy as np

from thresher.analysers import taught
from thresher.bench.assignment import Assignment, Job, assign
from thresher.bench.crawling import Crawled, crawl
from thresher.bench.measures import harvest_rate, oracle_share, target_recall
from thresher.bench.oracle import NAME as ORACLE
from thresher.bench.oracle import Oracle
from thresher.bench.page_cache import PageCache
from thresher.bench.profile import bench_settings, described
from thresher.bench.protocol import Task
from thresher.bench.records import FetchedPage, Record, Run
from thresher.bench.versions import versions
from thresher.bench.webs.web import BenchWeb
from thresher.parameters import parse
from thresher.plugins import make_strategy, strategy_class
from thresher.protocols import Strategy


def run(job: Job, web: BenchWeb, pages: PageCache, given: Assignment | None = None) -> Record:
    """Make one run and return its record; `given` is the assignment of the job if it is already known."""
    started = time.monotonic()
    settings = bench_settings([*job.settings, f"crawl.pages={job.budget}"], manners=job.manners)
    values, digest = described(settings)
    given = given or assign(job, web, pages)
    task = given.task
    if parse(job.strategy)[0] == ORACLE:
        strategy: Strategy = Oracle({pages.urls[number]: place for place, number in enumerate(given.oracle)})
    else:
        made = make(job.strategy, settings.strategy, job.seed)
        strategy = taught(made, job.strategy, given.classifier, given.examples)
    crawled = crawl(task, pages, settings, strategy, given.classifier, web.robots if job.manners else None)
    log = [_visit(url, given, pages, url not in web.labels) for url in crawled.urls]
    found = [bool(task.targets[number]) for number in given.oracle]
    return Record(
        run=_figures(job, task, log, found, crawled),
        log=log,
        oracle=found,
        examples=list(task.examples),
        negatives=list(task.negatives),
        starts=list(task.starts),
        wrong=job.draw.wrong,
        data=web.collection.digest,
        settings=values,
        settings_digest=digest,
        versions=versions(job.strategy),
        seconds=round(time.monotonic() - started, 3),
        topic_set=web.set_of(job.topic),
        note=web.note,
        manners=job.manners,
    )


def make(name: str, tables: dict[str, dict[str, Any]], seed: int) -> Strategy:
    """Return a strategy; a random one gets the seed of the run, unless its name or the settings give another.

    >>> make("random", {}, 4).seed, make("random(seed=7)", {}, 4).seed
    (4, 7)
    """
    plain = parse(name)[0]
    given = {"seed": seed} if "seed" in inspect.signature(strategy_class(plain)).parameters else {}
    return make_strategy(name, {**tables, plain: {**given, **tables.get(plain, {})}})


def _visit(url: str, given: Assignment, pages: PageCache, unlabelled: bool) -> FetchedPage:
    """Return a page of the log, judged by its label, or by the committee if it has none."""
    number, page = pages.number(url), pages.page(url)
    judges = given.judges if unlabelled else None
    relevant = judges.relevant(page) if judges and page else bool(given.task.relevant[number])
    similarity = round(given.description.similarity(page.terms), 4) if page else None
    return FetchedPage(url, relevant, bool(given.task.targets[number]), similarity)


def _figures(job: Job, task: Task, log: list[FetchedPage], oracle: list[bool], crawled: Crawled) -> Run:
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
        classifier=job.classifier,
        training=job.training,
        virtual_seconds=crawled.virtual_seconds if job.manners else None,
    )
