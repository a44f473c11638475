"""`thresher run`: everything from topics to a harvest."""

from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import typer

from thresher.cli.display import Display, watching
from thresher.cli.interrupts import run_until_interrupted
from thresher.cli.main import INTERRUPTED, app
from thresher.cli.options import Json, Portal, Set
from thresher.cli.output import console, counted, crawl_summary, hint, print_json
from thresher.cli.phases import Fresh
from thresher.cli.rounds import round_summary
from thresher.cli.screen import Screen, bold
from thresher.cli.train import show_warnings
from thresher.config.load import load
from thresher.portals import is_demo
from thresher.runs.run_budget import RunAccount, RunBudget, account_of
from thresher.runs.whole import Stage, Step, run_whole, stage_of
from thresher.store.records import PHASES, CrawlState, Progress
from thresher.store.repository import open_store

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
    steps, reached = run_steps(portal, overrides or [], out, RunBudget(pages, hours), fresh=fresh)
    print_steps(out, portal, reached, steps, json)
    raise typer.Exit(0 if reached in (Stage.DONE, Stage.REVIEW) else INTERRUPTED)


def run_steps(
    portal: Path, overrides: list[str], out: Screen, budget: RunBudget | None = None, *, fresh: bool = False
) -> tuple[list[Step], Stage]:
    """Run all stages with a progress display; return the steps and the stage reached.

    Ctrl-C while nothing is being fetched stops at once; the stage is then the one to continue with.
    """
    steps: list[Step] = []

    def over(step: Step) -> None:
        steps.append(step)
        _tell(out, portal, step)

    async def under_display() -> Stage:
        with Display(out) as display:
            return await run_whole(portal, overrides, watching(display), over, budget=budget, fresh=fresh)

    try:
        return steps, run_until_interrupted(under_display())
    except KeyboardInterrupt:
        return steps, stage_of(portal, load(portal, overrides).settings, budget, fresh)[0]


def _tell(out: Screen, portal: Path, step: Step) -> None:
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


def print_steps(out: Screen, portal: Path, reached: Stage, steps: list[Step], json: bool) -> None:
    """Print the result of all steps as one JSON object, or what to do next."""
    with closing(open_store(portal, read_only=True)) as store:
        account = account_of(store)
    if json:
        crawls = [step.outcome for step in steps if step.outcome is not None]
        phases = [crawl_summary(str(portal), found.crawl, found.progress) for found in crawls]
        rounds = [step.round for step in steps if step.round]
        print_json({**_summary(portal, account), "stage": reached.value, "phases": phases, "rounds": rounds})
        return
    if reached is Stage.REVIEW:
        out.print(
            "Review the archetypes, then run again: ", bold(hint("archetypes", portal)), f" - {hint('run', portal)}"
        )
    elif reached is not Stage.DONE:
        out.print("Interrupted; everything fetched is kept. Continue: ", bold(hint("run", portal)))
    else:
        _print_next(out, portal, account, bool(steps))


def _print_next(out: Screen, portal: Path, account: RunAccount, anything: bool) -> None:
    """Print what to do with a portal harvested by this call or an earlier one."""
    found = counted(account.pages, "page")
    out.print(f"{found} in total." if anything else f"{portal} has been harvested: {found} in total.")
    out.print("List the accepted pages: ", bold(hint("pages", portal)))
    out.print("Search them: ", bold(hint("search", portal, "WORDS")))
    out.print("See the retraining rounds: ", bold(hint("archetypes", portal, "rounds")))
    if is_demo(portal):
        # The demo's web is gone by now.
        return
    out.print("Fetch more: ", bold(hint("run", portal, "--pages", 2 * account.pages or "N")))
    if not anything:
        out.print("Learn and harvest again: ", bold(hint("run", portal, "--fresh")))


def _summary(portal: Path, account: RunAccount) -> dict[str, Any]:
    """Return the summary of a run: its latest learning crawl or harvest, with the totals of all its crawls."""
    phases = [crawl for crawl in account.crawls if crawl.kind in PHASES]
    newest = phases[-1] if phases else None
    progress = newest.progress if newest else Progress(state=CrawlState.STOPPED)
    counted = [crawl.progress for crawl in account.crawls]
    errors = sum((Counter(one.errors) for one in counted), Counter[str]())
    seconds = sum(one.seconds for one in counted)
    return {
        **crawl_summary(str(portal), newest, progress),
        "pages": account.pages,
        "seconds": round(seconds, 3),
        "pages_per_second": round(account.pages / seconds, 3) if seconds > 0 else 0.0,
        "errors": dict(errors),
    }
