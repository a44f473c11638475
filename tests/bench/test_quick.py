"""The short bench is short, balanced, and works without the public collections."""

from collections import Counter
from pathlib import Path

from thresher.bench.floors import FLOORS, read_floors
from thresher.bench.quick import BUDGET, SEEDS, STRATEGIES, TOPICS, quick_jobs


def test_without_data_only_the_generated_web_is_crawled() -> None:
    jobs = quick_jobs(None)
    assert {job.web for job in jobs} == {"generated"}
    assert len(jobs) == TOPICS * SEEDS * len(STRATEGIES)


def test_every_strategy_gets_every_task(data: Path) -> None:
    jobs = quick_jobs(data)
    assert set(Counter((job.web, job.topic, job.seed) for job in jobs).values()) == {len(STRATEGIES)}
    assert {job.budget for job in jobs} == {BUDGET}
    assert not {job.topic for job in jobs} & {"Science.Physics", "History.Military_History_and_War"}


def test_shipped_floors_are_those_of_the_short_bench(data: Path) -> None:
    jobs = quick_jobs(data)
    kept = {
        (floor.web, floor.mode, floor.budget, floor.strategy, topic, seed)
        for floor in read_floors(FLOORS)
        for topic, shares in floor.shares.items()
        for seed in shares
    }
    assert {(job.web, job.mode, job.budget, job.strategy, job.topic, job.seed) for job in jobs} <= kept
