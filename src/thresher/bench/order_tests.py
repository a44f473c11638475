"""Compares strategies over the crawls of `bench orders`: over all tasks, and over the orders of links of each task."""

from collections.abc import Sequence

from msgspec import Struct

from thresher.bench.link_orders import OrderRun
from thresher.bench.statistics import PairedTest, paired_test

ALPHA = 0.05


class OrderTest(Struct, frozen=True):
    """A strategy against the first one, by area under recall; an empty `topic` stands for all tasks."""

    strategy: str
    baseline: str
    web: str
    topic: str
    test: PairedTest


def compared(runs: Sequence[OrderRun]) -> list[OrderTest]:
    """Return the paired tests of each strategy against the first, over tasks and then within each task.

    A task is a topic of a web. Within a task, the pairs are its orders of links, so the claim is about that task alone.
    """
    names = list(dict.fromkeys(run.strategy for run in runs))
    tasks = dict.fromkeys((run.web, run.topic) for run in runs)
    found: list[OrderTest] = []
    for name in names[1:]:
        for web, topic in [("", ""), *tasks]:
            own = [run for run in runs if not web or (run.web, run.topic) == (web, topic)]
            ours, theirs = (_areas(own, one) for one in (name, names[0]))
            test = paired_test(ours, theirs)
            # One task alone has no test over tasks.
            if test is not None and (web or test.units == "topics"):
                found.append(OrderTest(name, names[0], web, topic, test))
    return found


def worse(tests: Sequence[OrderTest]) -> list[OrderTest]:
    """Return the tests in which a strategy is significantly below the first one, two-tailed."""
    return [one for one in tests if one.test.difference < 0 and _p(one.test) < ALPHA]


def _areas(runs: Sequence[OrderRun], strategy: str) -> dict[tuple[str, int], float]:
    return {(f"{run.web}/{run.topic}", run.order): run.area for run in runs if run.strategy == strategy}


def _p(test: PairedTest) -> float:
    if test.two_sided is not None:
        return test.two_sided
    # Differences that do not vary: certain if there are any.
    return 0.0 if test.difference else 1.0
