"""The short bench: few topics, seed sets and pages, to check every change against the floors."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from thresher.bench.assignment import Job
from thresher.bench.running import jobs_for, prepare, run_all
from thresher.bench.webs.catalogue import WEBS, find, needs_data
from thresher.bench.webs.web import BenchWeb

BUDGET: Final = 200
SEEDS: Final = 2
STRATEGIES: Final = ("breadth-first", "page", "window-40-combined", "tag-tree-combined", "best-first", "default")
TOPICS: Final = 3
"""Number of topics per web: the first of its default list, which are those marked for tuning if there are any."""


def some_topics(web: BenchWeb, words: Sequence[str]) -> list[str]:
    """Return the topics that words stand for, or those of the short bench if there are no words."""
    return web.named(words) if words else web.named([])[:TOPICS]


def quick_jobs(data: Path | None) -> list[Job]:
    """Return the runs of the short bench; webs of public collections are skipped without data."""
    jobs: list[Job] = []
    for kind in WEBS.all().values():
        if kind.quick and (data is not None or not needs_data(kind)):
            topics = some_topics(find(kind.name, data), [])
            jobs += jobs_for([kind.name], data, topics=topics, strategies=STRATEGIES, seeds=SEEDS, budget=BUDGET)
    return jobs


def run_quick(out: Path, data: Path | None) -> int:
    """Run the short bench, write the records to a directory, and return their number."""
    jobs = quick_jobs(data)
    for web in dict.fromkeys(job.web for job in jobs):
        prepare(web, data)
    return sum(1 for _ in run_all(jobs, data, out))
