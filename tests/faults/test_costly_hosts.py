"""A crawl beside hosts whose every page is as costly to read as can be, over loopback."""

from pathlib import Path

import pytest

from thresher.bench.fairness import FairnessSize, measure_fairness


@pytest.mark.slow
def test_costly_hosts_take_bounded_memory_and_healthy_ones_are_crawled(tmp_path: Path) -> None:
    figures = measure_fairness(tmp_path, FairnessSize(seconds=8.0, siege=24))
    assert [crawl.exit_code for crawl in figures.crawls] == [0, 0, 0, 0]
    assert figures.most_memory_mb <= 600
    # How fast depends on the machine; that they are not shut out does not.
    assert all(crawl.healthy_per_second > 1 for crawl in figures.crawls)
