"""The live display of a crawl, and a run of a crawl under it."""

import time
from types import TracebackType
from typing import Self

from rich.live import Live
from rich.table import Table
from rich.text import Text

from thresher.cli.interrupts import run_until_interrupted, stopping_on_signals
from thresher.cli.main import INTERRUPTED
from thresher.cli.output import console, counted, crawl_summary, going_on, hint, print_json
from thresher.cli.rounds import news_sentence
from thresher.cli.screen import Screen, bold, dim, green, harmless, yellow
from thresher.crawl.budget import Stop
from thresher.runs.plans import Plan, RunResult
from thresher.runs.run import run
from thresher.store.records import CrawlKind, CrawlState, Progress

WHY = {
    Stop.PAGES: "the page budget is spent",
    Stop.TIME: "the time is up",
    Stop.EMPTY: "nothing is left to fetch",
    Stop.HARVEST: "the harvest rate has fallen too low",
    Stop.INTERRUPTED: "it was interrupted",
    Stop.REQUESTED: "it was asked to stop",
}


class Display:
    """Shows pages, rate, queue and errors by reason while a crawl runs; on no terminal, a line every ten seconds.

    A round of retraining is told in a sentence of its own that stays.
    """

    def __init__(self, out: Screen) -> None:
        self._out = out
        self._live = Live(console=out.rich, refresh_per_second=4, transient=True) if out.is_terminal else None
        self._last = (time.monotonic(), 0)
        self._rate = 0.0
        self._next = time.monotonic() + 10
        self._told = ""

    def __enter__(self) -> Self:
        if self._live:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        if self._live:
            self._live.stop()

    def show(self, progress: Progress) -> None:
        """Take note of progress."""
        now = time.monotonic()
        before, pages = self._last
        if now - before >= 1.0:
            # Where one crawl follows another the count begins again.
            self._rate = max(0, progress.pages - pages) / (now - before)
            self._last = (now, progress.pages)
        if progress.news is not None and (news := news_sentence(progress.news)):
            self._out.print(news)
        paused = progress.state is CrawlState.PAUSED and progress.stopped_because
        if paused and self._told != progress.stopped_because:
            self._out.print(yellow("Paused."), f" {progress.stopped_because}")
        self._told = progress.stopped_because if paused else ""
        if self._live:
            self._live.update(self._table(progress))
        elif now >= self._next:
            self._next = now + 10
            rate = f"{self._rate:.1f}/s, " if self._rate else ""
            waiting = f"{progress.queued:,} queued, {progress.in_flight} in flight"
            self._out.print(f"{progress.pages:,} pages, {rate}{waiting}")

    def _table(self, progress: Progress) -> Table:
        table = Table.grid(padding=(0, 2))
        state = yellow("paused") if progress.state is CrawlState.PAUSED else green("crawling")
        rate, waiting = f"{self._rate:,.1f} pages/s", f"{progress.queued:,} queued"
        figures = f" pages  {rate}  {waiting}  {progress.in_flight} in flight"
        table.add_row(state, Text.assemble(bold(f"{progress.pages:,}"), figures))
        if progress.accepted is not None:
            share = progress.accepted / max(1, progress.pages)
            table.add_row("harvest", f"{progress.accepted:,} accepted  {share:.0%}")
        if progress.withheld:
            table.add_row(
                "waiting", f"{counted(progress.withheld, 'host')} left alone on purpose: better pages come first"
            )
        if progress.errors:
            table.add_row("errors", harmless(", ".join(_most(progress.errors))))
        if progress.refused:
            table.add_row("refused", harmless(", ".join(_most(progress.refused))))
        return table


def _most(counts: dict[str, int], number: int = 4) -> list[str]:
    best = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [f"{reason} {count:,}" for reason, count in best[:number]]


def run_shown(plan: Plan, as_json: bool) -> int:
    """Run a crawl under the display, print what came of it and return the exit code."""
    outcome = run_interruptibly(plan, as_json)
    if as_json:
        print_json(crawl_summary(str(plan.portal), outcome.crawl, outcome.progress))
    else:
        print_outcome(plan, outcome)
    return INTERRUPTED if outcome.progress.stopped_because == Stop.INTERRUPTED else 0


def run_interruptibly(plan: Plan, as_json: bool) -> RunResult:
    """Run a crawl that Ctrl-C stops cleanly the first time and at once the second."""

    async def under_display() -> RunResult:
        out = console(stderr=as_json)
        stage = lambda text: out.print(dim(text))  # noqa: E731
        with Display(out) as display, stopping_on_signals(True) as on_engine:
            return await run(plan, display.show, on_engine, on_stage=stage)

    return run_until_interrupted(under_display())


def print_outcome(plan: Plan, outcome: RunResult, resumable: bool = True) -> None:
    """Print a readable summary and the next command to try."""
    out, progress = console(), outcome.progress
    rate = progress.pages / progress.seconds if progress.seconds else 0.0
    why = WHY.get(Stop(progress.stopped_because), progress.stopped_because)
    out.print(
        bold(f"{progress.pages:,} pages"), f" in {progress.seconds:,.1f} s ({rate:,.1f} pages/s); stopped: {why}."
    )
    if outcome.crawl.kind is CrawlKind.REFRESH:
        out.print(f"  checked   {progress.unchanged:,} unchanged, {progress.changed:,} changed, {progress.gone:,} gone")
    if progress.accepted is not None:
        share = progress.accepted / max(1, progress.pages)
        out.print(f"  accepted  {progress.accepted:,} ({share:.0%}), {progress.pages - progress.accepted:,} rejected")
    if progress.reused:
        out.print(f"  reused    {progress.reused:,} pages that the portal had")
    out.print(f"  queued    {progress.queued:,}" + (f" (and {progress.cut:,} cut)" if progress.cut else ""))
    if progress.errors:
        out.print("  errors    " + ", ".join(_most(progress.errors, 12)))
    if progress.refused:
        out.print("  refused   " + ", ".join(_most(progress.refused, 12)))
    if resumable and progress.state is not CrawlState.FINISHED:
        out.print("Go on with: ", bold(going_on(plan.portal, outcome.crawl, progress)))
    out.print("Look at it: ", bold(hint("log", plan.portal, "--tail", 5)))
