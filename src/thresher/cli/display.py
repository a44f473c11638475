"""The progress display, and running a crawl with it."""

import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from rich.console import RenderableType
from rich.live import Live

from thresher.api.reports import Interrupted, Report
from thresher.cli.interrupts import run_until_interrupted, stopping_on_signals
from thresher.cli.main import INTERRUPTED
from thresher.cli.output import console, counted, going_on, hint, print_json, stop_reason
from thresher.cli.progress_block import ProgressBlock
from thresher.cli.rounds import news_sentence
from thresher.cli.screen import Screen, bold, yellow
from thresher.crawl.phases.retraining import BROKEN_OFF
from thresher.reasons import Reason
from thresher.runs.training import Watch
from thresher.store.records import CrawlKind, CrawlState, Progress

Made = TypeVar("Made")


class Display:
    """Shows progress: a live block on a terminal, otherwise a line every `every` seconds.

    On a terminal only notes stay on screen. Without a terminal the first `headline` is not printed.
    """

    def __init__(self, out: Screen, headline: str = "", every: float = 10.0) -> None:
        self._out = out
        self._every = every
        self._block = ProgressBlock(time.monotonic(), headline)
        self._live = (
            Live(console=out.rich, refresh_per_second=4, transient=True, get_renderable=self._lines)
            if out.is_terminal
            else None
        )
        self._next = time.monotonic() + every
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

    def stage(self, headline: str) -> None:
        """Start a phase with fresh numbers."""
        self._block.begin(headline, time.monotonic())
        if self._live is None:
            self._out.print(headline)

    def clear(self) -> None:
        """End a phase: show nothing until the next one starts."""
        self._block.begin("", time.monotonic())

    def note(self, text: str) -> None:
        """Print a note that stays on screen."""
        self._out.print(yellow("Note:"), f" {text}")

    def tell(self, text: str) -> None:
        """Show a line of news until the next one."""
        self._block.news = text
        if self._live is None:
            self._out.print(text)

    def show(self, progress: Progress) -> None:
        """Update the display with new progress."""
        now = time.monotonic()
        self._block.update(progress, now)
        # A round cancelled by the end of the crawl is only for the log.
        if progress.news is not None and progress.news.kind != BROKEN_OFF and (news := news_sentence(progress.news)):
            self.tell(news)
        if self._live is None:
            self._print(progress, now)

    def restore(self) -> None:
        """Restore the terminal before the program is ended from outside."""
        if self._live:
            with suppress(Exception):
                self._live.stop()

    def _lines(self) -> RenderableType:
        return self._block.lines(time.monotonic(), self._out.rich.width)

    def _print(self, progress: Progress, now: float) -> None:
        """Print a line when it is due, and at once when a crawl is paused, with the reason."""
        why = progress.stopped_because if progress.state is CrawlState.PAUSED else ""
        if why and why != self._told:
            self._out.print(yellow("Paused."), f" {why}")
        self._told = why
        if now >= self._next:
            self._next = now + self._every
            self._out.print(self._block.sentence(now))


def watching(display: Display) -> Watch:
    """Return a watch that shows everything on the display and stops crawls on Ctrl-C."""
    return Watch(
        stage=display.stage,
        note=display.note,
        progress=display.show,
        crawling=partial(stopping_on_signals, display),
    )


def _most(counts: dict[str, int], number: int = 4) -> list[str]:
    best = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [f"{reason} {count:,}" for reason, count in best[:number]]


class Terminal:
    """Waits for long work with the display on the screen; Ctrl-C stops a crawl cleanly, and immediately when repeated.

    Pass one as the `progress` of a long call.
    """

    def __init__(self, out: Screen, headline: str = "") -> None:
        self._out = out
        self._headline = headline
        self._display: Display | None = None

    def clear(self) -> None:
        """Remove the block of a phase that has ended from the screen."""
        if self._display is not None:
            self._display.clear()

    def result(self, work: Callable[[Watch], Coroutine[Any, Any, Made]]) -> Made:
        """Do the work and return its result."""

        async def under_display() -> Made:
            with Display(self._out, self._headline) as self._display:
                return await work(watching(self._display))

        return run_until_interrupted(under_display())


def crawl_shown(portal: Path, as_json: bool, headline: str, crawl: Callable[[Terminal], Report]) -> int:
    """Run a crawl with the display, print the result and return the exit code."""
    code = 0
    try:
        report = crawl(Terminal(console(stderr=as_json), headline))
    except Interrupted as interrupted:
        if interrupted.report is None:
            raise
        report, code = interrupted.report, INTERRUPTED
    if as_json:
        print_json(report.summary(str(portal)))
    else:
        print_report(portal, report)
    return code


def print_report(portal: Path, report: Report) -> None:
    """Print a summary of a crawl and the next command to try."""
    out, progress = console(), report.progress
    rate = progress.pages / progress.seconds if progress.seconds else 0.0
    why = stop_reason(progress.stopped_because)
    out.print(
        bold(counted(progress.pages, "page")), f" in {progress.seconds:,.1f} s ({rate:,.1f} pages/s); stopped: {why}."
    )
    if report.crawl is not None and report.crawl.kind is CrawlKind.REFRESH:
        out.print(f"  checked   {progress.unchanged:,} unchanged, {progress.changed:,} changed, {progress.gone:,} gone")
    if progress.accepted is not None:
        share = progress.accepted / max(1, progress.pages)
        out.print(f"  accepted  {progress.accepted:,} ({share:.0%}), {progress.pages - progress.accepted:,} rejected")
    if progress.reused:
        out.print(f"  reused    {counted(progress.reused, 'page')} already in the portal")
    out.print(f"  queued    {progress.queued:,}" + (f" ({progress.cut:,} dropped)" if progress.cut else ""))
    if progress.errors:
        out.print("  errors    " + ", ".join(_most(progress.errors, 12)))
    if progress.refused:
        out.print("  refused   " + ", ".join(_most(progress.refused, 12)))
    # A host whose robots.txt cannot be reached has no errors of its own: its pages are refused.
    if Reason.ADDRESS_FORBIDDEN.value in {*progress.errors, *progress.refused}:
        allow = hint("config", "show", "--key", "network.allow")
        out.print("Some hosts have private addresses. If they are yours, allow them: ", bold(allow))
    if report.crawl is not None and progress.state is not CrawlState.FINISHED:
        out.print("Continue: ", bold(going_on(portal, report.crawl, progress)))
    out.print("See the log: ", bold(hint("log", portal, "--tail", 5)))
