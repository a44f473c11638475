"""Crash contract: `kill -9` at random moments of a crawl over HTTP."""

from pathlib import Path

import pytest

from thresher.bench.crash import crash_trials


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1])
def test_kill_at_five_moments_loses_nothing(tmp_path: Path, seed: int) -> None:
    figures = crash_trials(tmp_path, kills=5, pages=400, seed=seed)
    assert figures.kills == 5
    assert figures.pages > 200
    assert figures.lost == 0
    assert figures.wrongly == 0
    assert figures.most_in_flight <= figures.bound
    assert figures.differing == 0
    assert figures.damaged == 0


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_kill_at_fifteen_moments_loses_nothing(tmp_path: Path) -> None:
    figures = crash_trials(tmp_path, kills=15, pages=600, seed=4)
    assert (figures.lost, figures.wrongly, figures.differing, figures.damaged) == (0, 0, 0, 0)
    assert figures.most_in_flight <= figures.bound
