"""An assignment: everything shared by strategies that crawl for the same topic from the same seed set.

Computing it costs as much as crawling some hundred pages, so it is computed once for all of them.
"""

from msgspec import Struct

from thresher.bench.back_links import back_link_bags
from thresher.bench.committee import Committee, train_committee
from thresher.bench.description import Description
from thresher.bench.oracle import plan
from thresher.bench.page_cache import PageCache
from thresher.bench.protocol import Draw, Task, draw_task
from thresher.bench.records import CLASSIFIER, PAGES, Mode, Training
from thresher.bench.webs.web import BenchWeb
from thresher.classify.flat import FlatClassifier, Model
from thresher.types import ParsedPage


class Job(Struct, frozen=True, kw_only=True):
    """A run to make.

    A `budget` of 0 crawls everything reachable; `settings` are `key=value` strings on top of the profile `bench`.
    `classifier` is the kind of page classifier, `training` what it learns from. With `manners` the crawl is polite:
    parallel fetches, robots files, delays, and slow hosts.
    """

    web: str
    topic: str
    strategy: str
    seed: int
    budget: int
    mode: Mode
    draw: Draw
    settings: tuple[str, ...] = ()
    classifier: Model = CLASSIFIER
    training: Training = PAGES
    manners: bool = False


class Assignment(Struct, frozen=True, eq=False):
    """A task, the page numbers that the oracle fetches for it, and what strategies learn from and are judged by.

    `examples` are the pages a crawl may learn from, with their topic or None; `classifier` was trained on them, or on
    the words around links to them. `judges` is None if labels judge every page; `description` measures similarity to
    the topic.
    """

    task: Task
    oracle: list[int]
    examples: list[tuple[ParsedPage, str | None]]
    classifier: FlatClassifier
    judges: Committee | None
    description: Description


def assign(job: Job, web: BenchWeb, pages: PageCache) -> Assignment:
    """Return the assignment of a job, which is the same for every strategy."""
    task = draw_task(web, pages, job.topic, job.seed, job.mode, job.draw)
    examples = training_pages(task, pages, job.topic)
    return Assignment(
        task=task,
        oracle=oracle_order(task, pages, job.budget or task.reachable),
        examples=examples,
        classifier=_classifier(job, web, task, pages, examples),
        judges=train_committee(web, pages, job.topic, job.draw.examples) if web.judged else None,
        description=Description().fit(examples),
    )


def _classifier(
    job: Job, web: BenchWeb, task: Task, pages: PageCache, examples: list[tuple[ParsedPage, str | None]]
) -> FlatClassifier:
    classifier = FlatClassifier(job.classifier)
    if job.training == PAGES:
        return classifier.fit(examples)
    return classifier.fit_bags(back_link_bags(task, pages, job.topic, f"{web.name}/{job.topic}/{job.seed}/back-links"))


def oracle_order(task: Task, pages: PageCache, budget: int) -> list[int]:
    """Return the numbers of the pages that the oracle fetches for a task."""
    starts = [number for url in task.starts if (number := pages.number(url)) is not None]
    return plan(pages.graph, starts, task.open, task.targets, budget)


def training_pages(task: Task, pages: PageCache, topic: str) -> list[tuple[ParsedPage, str | None]]:
    """Return the pages a crawl may learn from, with their topic or None."""
    labelled = [*((url, topic) for url in task.examples), *((url, None) for url in task.negatives)]
    return [(page, label) for url, label in labelled if (page := pages.page(url)) is not None]
