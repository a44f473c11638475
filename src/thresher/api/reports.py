"""What a long call returns, and what it raises when it is interrupted."""

from collections import Counter
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from thresher.api.crawl_summary import CrawlSummary, crawl_summary
from thresher.counting import counted
from thresher.crawl.budget import DONE, Stop
from thresher.store.records import PHASES, CrawlRow, CrawlState, Progress

if TYPE_CHECKING:
    # These import numpy, which simply reading a portal does not need.
    from thresher.runs.plans import RunResult
    from thresher.runs.run_budget import RunAccount
    from thresher.runs.whole import FinishedStage


class Report(Struct, frozen=True, kw_only=True):
    """The result of a crawl or a whole run.

    `pages` counts the stored pages, `accepted` those accepted by a topic (None without topics), `seconds` the crawling
    time. `errors` counts failed URLs by reason. `stopped_because` is `pages`, `time`, `empty`, `harvest-rate`,
    `interrupted` or `requested`; if `done` is False, repeat the call to continue. `crawl` is the crawl with all its
    counters (for a run, the latest learning crawl or harvest), or None.

    >>> Report(pages=400, accepted=352, seconds=20.0, stopped_because="pages", done=True)
    Report(400 pages, 352 accepted, 20 s, stopped: pages)
    """

    pages: int
    accepted: int | None = None
    seconds: float = 0.0
    errors: dict[str, int] = {}
    stopped_because: str = ""
    done: bool = True
    crawl: CrawlRow | None = None
    progress: Progress = Progress(state=CrawlState.STOPPED)

    def summary(self, portal: str) -> CrawlSummary:
        """Return the object that `--json` prints, for a portal with that name."""
        rate = self.pages / self.seconds if self.seconds > 0 else 0.0
        return {
            **crawl_summary(portal, self.crawl, self.progress),
            "pages": self.pages,
            "seconds": round(self.seconds, 3),
            "pages_per_second": round(rate, 3),
            "errors": self.errors,
        }

    def __repr__(self) -> str:
        accepted = f", {self.accepted:,} accepted" if self.accepted is not None else ""
        failed = f", {number:,} failed" if (number := sum(self.errors.values())) else ""
        took = f"{self.seconds:,.0f} s, stopped: {self.stopped_because or '-'}"
        return f"Report({counted(self.pages, 'page')}{accepted}{failed}, {took})"


class RunSummary(CrawlSummary):
    """As for `crawl`, with the totals of all crawls of the run.

    `stage` is the next stage, `done` after a complete run. `phases` are the crawls of this call and `rounds` its rounds
    of retraining, as the log has them.
    """

    stage: str
    phases: list[CrawlSummary]
    rounds: list[dict[str, Any]]


class RunReport(Report, frozen=True, kw_only=True):
    """The report of a whole run. `stage` is the next stage, `done` after a complete run; `steps` lists what it did."""

    stage: str = ""
    steps: "list[FinishedStage]" = []

    def run_summary(self, portal: str) -> RunSummary:
        """Return the object that `thresher run --json` prints."""
        crawls = [step.outcome for step in self.steps if step.outcome is not None]
        return {
            **self.summary(portal),
            "stage": self.stage,
            "phases": [crawl_summary(portal, found.crawl, found.progress) for found in crawls],
            "rounds": [step.round for step in self.steps if step.round],
        }

    def __repr__(self) -> str:
        return Report.__repr__(self)


class Interrupted(KeyboardInterrupt):
    """Raised when Ctrl-C stops a long call; repeat the call to continue. `report` says what was done, if anything."""

    def __init__(self, report: Report | None = None) -> None:
        super().__init__("Interrupted. Everything fetched is kept; the same call continues.")
        self.report = report


def report_of_crawl(result: "RunResult") -> Report:
    """Return the report of a crawl; raise Interrupted if Ctrl-C stopped it."""
    progress = result.progress
    report = Report(
        pages=progress.pages,
        accepted=progress.accepted,
        seconds=progress.seconds,
        errors=dict(progress.errors),
        stopped_because=progress.stopped_because,
        done=progress.stopped_because in DONE,
        crawl=result.crawl,
        progress=progress,
    )
    if progress.stopped_because == Stop.INTERRUPTED:
        raise Interrupted(report)
    return report


def report_of_run(account: "RunAccount", steps: "list[FinishedStage]", accepted: int, stage: str) -> RunReport:
    """Return the report of a whole run: what its crawls stored, and what the portal has accepted."""
    phases = [crawl for crawl in account.crawls if crawl.kind in PHASES]
    ended = phases[-1].progress if phases else Progress(state=CrawlState.STOPPED)
    last = next((step.outcome.progress for step in reversed(steps) if step.outcome is not None), ended)
    errors = sum((Counter(crawl.progress.errors) for crawl in account.crawls), Counter[str]())
    return RunReport(
        pages=account.pages,
        accepted=accepted,
        seconds=sum(crawl.progress.seconds for crawl in account.crawls),
        errors=dict(errors),
        stopped_because=last.stopped_because,
        done=stage == "done",
        crawl=phases[-1] if phases else None,
        progress=ended,
        stage=stage,
        steps=steps,
    )
