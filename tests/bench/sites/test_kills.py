"""Judging crawls for sites by the server's log, and a crawl that is killed over HTTP."""

from pathlib import Path

import pytest

from thresher.bench.sites.kills import before_robots, kill_sites, too_early, too_parallel
from thresher.simweb.access_log import Access


def seen(received: float, host: str, target: str, in_progress: int = 0) -> Access:
    return Access(
        received=received,
        answered=received + 0.01,
        host=host,
        target=target,
        status=200,
        agent="",
        bytes=0,
        in_progress=in_progress,
    )


def test_broken_manners_are_counted() -> None:
    log = [
        seen(0.0, "a.test", "/robots.txt"),
        seen(0.005, "a.test", "/"),
        seen(1.1, "a.test", "/1"),
        seen(1.5, "a.test", "/2", in_progress=2),
        seen(1.5, "b.test", "/"),
    ]
    assert before_robots(log) == 2
    assert too_early(log, 1.0) == 1
    assert too_parallel(log) == 1


def test_good_manners_are_none_of_these() -> None:
    log = [seen(0.0, "a.test", "/robots.txt"), *(seen(1.0 + n, "a.test", f"/{n}", 1) for n in range(4))]
    assert (before_robots(log), too_early(log, 1.0), too_parallel(log)) == (0, 0, 0)


@pytest.mark.slow
def test_kills_lose_nothing_and_decide_nothing_twice(tmp_path: Path) -> None:
    figures = kill_sites(tmp_path, sites=60, pages=80, kills=2, delay=0.05)
    assert (figures.lost, figures.wrongly, figures.changed) == (0, 0, 0)
    assert (figures.before_robots, figures.too_early, figures.too_parallel) == (0, 0, 0)
    assert figures.killed.both > 10
