"""Runs a crawl to its end while the caller waits."""

from typing import TYPE_CHECKING

from thresher.api.reports import Report, report_of_crawl
from thresher.api.waiting import ShowProgress, result_of

if TYPE_CHECKING:
    from thresher.runs.plans import Plan, RunResult
    from thresher.runs.training import Watch


def carry_out(plan: "Plan", progress: ShowProgress) -> Report:
    """Run a crawl to its end and return its report; raise Interrupted if Ctrl-C stopped it."""
    from thresher.runs.run import run

    async def work(watch: "Watch") -> "RunResult":
        with watch.crawling(True) as on_engine:
            return await run(plan, watch.progress, on_engine, on_stage=watch.stage)

    return report_of_crawl(result_of(work, progress))
