"""The short bench: few topics, seed sets and pages, so that every change can be held against the floors."""

from pathlib import Path
from typing import Final

from thresher.bench.assignment import Job
from thresher.bench.running import jobs_for, prepare, run_all

BUDGET: Final = 200
SEEDS: Final = 2
STRATEGIES: Final = ("breadth-first", "page", "window-40-combined", "tag-tree-combined", "best-first", "default")
WEBS: Final = {
    "wikispeedia": ("Science.Biology", "Geography.African_Geography", "Everyday_life.Food_and_agriculture"),
    "generated": (),
}
"""Webs with their topics, of those that are marked for tuning; without topics, the first few of the web."""
TOPICS: Final = 3


def quick_jobs(data: Path | None) -> list[Job]:
    """Return the runs of the short bench; webs of the public collections are left out where there is no data."""
    jobs: list[Job] = []
    for web, topics in WEBS.items():
        if topics and data is None:
            continue
        made = jobs_for([web], data, topics=topics, strategies=STRATEGIES, seeds=SEEDS, budget=BUDGET)
        first = list(dict.fromkeys(job.topic for job in made))[:TOPICS]
        jobs += [job for job in made if job.topic in first]
    return jobs


def run_quick(out: Path, data: Path | None) -> int:
    """Make the runs of the short bench, leave their records in a directory, and return how many there are."""
    jobs = quick_jobs(data)
    for web in dict.fromkeys(job.web for job in jobs):
        prepare(web, data)
    return sum(1 for _ in run_all(jobs, data, out))
