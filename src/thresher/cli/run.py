"""`thresher run`: everything from topics to a harvest."""

from pathlib import Path
from typing import Annotated

import typer

from thresher.api.portal import Portal as OpenPortal
from thresher.api.reports import Interrupted, RunReport
from thresher.cli.display import Terminal
from thresher.cli.main import INTERRUPTED, app
from thresher.cli.options import Json, Portal, Set
from thresher.cli.output import console, counted, hint, print_json
from thresher.cli.phases import Fresh
from thresher.cli.rounds import round_summary
from thresher.cli.screen import Screen, bold
from thresher.cli.train import show_warnings
from thresher.runs.whole import FinishedStage, Stage

WARNINGS = 5
"""Warnings about training that a run prints; `thresher train` prints all."""

_NAMES = {Stage.LEARN: "Learning", Stage.HARVEST: "Harvest"}


@app.command(epilog="Example: thresher run my-portal --pages 5000")
def run(
    portal: Portal,
    pages: Annotated[int | None, typer.Option("--pages", min=1, help="Page budget of the whole run.")] = None,
    hours: Annotated[float | None, typer.Option("--hours", min=0, help="Time limit of this call, in hours.")] = None,
    fresh: Fresh = False,
    overrides: Set = None,
    json: Json = False,
) -> None:
    """Train, learn, retrain and harvest. Call it again after a stop to continue."""
    out = console(stderr=json)
    report = run_shown(portal, out, pages=pages, hours=hours, fresh=fresh, overrides=overrides)
    print_report(out, portal, report, json)
    raise typer.Exit(0 if report.stage in (Stage.DONE, Stage.REVIEW) else INTERRUPTED)


def run_shown(
    portal: Path,
    out: Screen,
    *,
    pages: int | None = None,
    hours: float | None = None,
    fresh: bool = False,
    overrides: list[str] | None = None,
) -> RunReport:
    """Run all stages with a progress display, print each step, and return the report, even if interrupted."""
    terminal = Terminal(out)

    def tell(step: FinishedStage) -> None:
        terminal.clear()
        _tell(out, portal, step)

    try:
        return OpenPortal.open(portal).run(
            pages=pages,
            hours=hours,
            fresh=fresh,
            settings=overrides,
            progress=terminal,
            on_step=tell,
        )
    except Interrupted as interrupted:
        if not isinstance(interrupted.report, RunReport):
            raise
        return interrupted.report


def _tell(out: Screen, portal: Path, step: FinishedStage) -> None:
    """Print the result of a step in a line or two; other commands show the details."""
    if step.trained is not None:
        topics, pages = len(step.trained.topics), step.trained.pages
        out.print(bold("Training:"), f" {counted(topics, 'topic')} trained on {counted(pages, 'page')}.")
        show_warnings(out, step.trained, most=WARNINGS, more=hint("train", portal))
    if step.round is not None and "error" in step.round:
        out.print(bold("Archetypes:"), f" {step.round['error']}; the topics are unchanged.")
    elif step.round is not None and any(row["archetypes"] or row.get("why") for row in step.round["topics"]):
        out.print(bold("Archetypes:"), f" {round_summary(step.round)}")
    if step.outcome is not None:
        progress = step.outcome.progress
        accepted, name = progress.accepted or 0, _NAMES.get(step.stage, step.stage.capitalize())
        share = f" ({accepted / progress.pages:.0%})" if progress.pages else ""
        out.print(bold(f"{name}:"), f" {counted(progress.pages, 'page')}, {accepted:,} accepted{share}.")
    if step.judged is not None:
        moved = sum(step.judged.moves.values())
        accepted_now = f"{step.judged.accepted:,} of {counted(step.judged.pages, 'page')} accepted"
        out.print(f"Reclassified all pages: {accepted_now}; {moved:,} changed topic.")


def print_report(out: Screen, portal: Path, report: RunReport, json: bool) -> None:
    """Print the result of a run as one JSON object, or what to do next."""
    if json:
        print_json(report.run_summary(str(portal)))
        return
    if report.stage == Stage.REVIEW:
        out.print(
            "Review the archetypes, then run again: ", bold(hint("archetypes", portal)), f" - {hint('run', portal)}"
        )
    elif report.stage != Stage.DONE:
        out.print("Interrupted; everything fetched is kept. Continue: ", bold(hint("run", portal)))
    else:
        _print_next(out, portal, report)


def _print_next(out: Screen, portal: Path, report: RunReport) -> None:
    """Print what to do with a portal harvested by this call or an earlier one."""
    found, anything = counted(report.pages, "page"), bool(report.steps)
    out.print(f"{found} in total." if anything else f"{portal} has been harvested: {found} in total.")
    out.print("List the accepted pages: ", bold(hint("pages", portal)))
    out.print("Search them: ", bold(hint("search", portal, "WORDS")))
    out.print("See the retraining rounds: ", bold(hint("archetypes", portal, "rounds")))
    if OpenPortal.open(portal).status()["demo"]:
        # The demo's web is gone by now.
        return
    out.print("Fetch more: ", bold(hint("run", portal, "--pages", 2 * report.pages or "N")))
    if not anything:
        out.print("Learn and harvest again: ", bold(hint("run", portal, "--fresh")))
