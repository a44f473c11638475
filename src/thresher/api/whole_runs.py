"""Trains a portal, or runs all stages from topics to harvest."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from thresher.api.overrides import Settings, overrides_of
from thresher.api.reports import Interrupted, RunReport, report_of_run
from thresher.api.waiting import ShowProgress, result_of
from thresher.store.repository import open_store

if TYPE_CHECKING:
    from thresher.runs.training import Watch
    from thresher.runs.whole import FinishedStage, Stage
    from thresher.train.report import Trained


def train_portal(path: Path, fresh: bool, settings: Settings | None, progress: ShowProgress) -> "Trained":
    """Train a portal; see `Portal.train`."""
    from thresher.runs.training import train

    async def work(watch: "Watch") -> "Trained | None":
        return await train(path, overrides_of(settings), watch, fresh=fresh)

    trained = result_of(work, progress)
    if trained is None:
        raise Interrupted
    return trained


def run_portal(
    path: Path,
    *,
    pages: int | None,
    hours: float | None,
    fresh: bool,
    settings: Settings | None,
    progress: ShowProgress,
    on_step: "Callable[[FinishedStage], None] | None" = None,
) -> RunReport:
    """Run all stages of a portal; see `Portal.run`. `on_step` is called after each, in the worker thread."""
    from thresher.config.load import load
    from thresher.runs.run_budget import RunBudget
    from thresher.runs.whole import Stage, run_whole, stage_of

    steps: list[FinishedStage] = []
    budget = RunBudget(pages, hours)
    overrides = overrides_of(settings)

    def over(step: "FinishedStage") -> None:
        steps.append(step)
        if on_step is not None:
            on_step(step)

    async def work(watch: "Watch") -> "Stage":
        return await run_whole(path, overrides, watch, over, budget=budget, fresh=fresh)

    try:
        stage = result_of(work, progress)
    except KeyboardInterrupt:
        # The interrupt came between two crawls; `stage` is where to continue.
        stage = stage_of(path, load(path, overrides).settings, budget, fresh)[0]
        raise Interrupted(_report(path, steps, stage)) from None
    report = _report(path, steps, stage)
    if stage not in (Stage.DONE, Stage.REVIEW):
        raise Interrupted(report)
    return report


def _report(path: Path, steps: "list[FinishedStage]", stage: "Stage") -> RunReport:
    from thresher.runs.run_budget import account_of

    with closing(open_store(path, read_only=True)) as store:
        return report_of_run(account_of(store), steps, store.documents.count_accepted(), stage.value)
