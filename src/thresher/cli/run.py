"""`thresher run`: the whole way from topics to a harvest."""

from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from thresher.cli.display import Display
from thresher.cli.interrupts import run_until_interrupted, stopping_on_signals
from thresher.cli.main import INTERRUPTED, app
from thresher.cli.options import Json, Portal, Set
from thresher.cli.output import console, counted, crawl_summary, hint, plain, print_json
from thresher.cli.phases import Fresh
from thresher.cli.rounds import show_round
from thresher.cli.train import show_negatives, show_warnings
from thresher.config.load import load
from thresher.runs.training import Watch
from thresher.runs.whole import HarvestBudget, Stage, Step, run_whole, stage_of
from thresher.store.crawl_history import newest_of
from thresher.store.records import PHASES, CrawlState, Progress
from thresher.store.repository import open_store


@app.command(epilog="Example: thresher run my-portal --pages 5000")
def run(
    portal: Portal,
    pages: Annotated[int | None, typer.Option("--pages", min=1, help="Pages of the harvest.")] = None,
    hours: Annotated[float | None, typer.Option("--hours", min=0, help="Hours of the harvest.")] = None,
    fresh: Fresh = False,
    overrides: Set = None,
    json: Json = False,
) -> None:
    """Train, learn, choose archetypes and harvest; called again after a stop, it goes on where it was."""
    out = console(stderr=json)
    steps, reached = run_steps(portal, overrides or [], out, HarvestBudget(pages, hours), fresh=fresh)
    print_steps(out, portal, reached, steps, json)
    raise typer.Exit(0 if reached in (Stage.DONE, Stage.REVIEW) else INTERRUPTED)


def run_steps(
    portal: Path, overrides: list[str], out: Console, budget: HarvestBudget | None = None, *, fresh: bool = False
) -> tuple[list[Step], Stage]:
    """Bring a portal all the way under the display, telling of each step; return the steps and the stage reached.

    Ctrl-C while nothing is fetched ends it at once; the stage is then the one to go on with.
    """
    steps: list[Step] = []

    def over(step: Step) -> None:
        steps.append(step)
        _tell(out, step)

    async def under_display() -> Stage:
        with Display(out) as display:
            stage = lambda text: out.print(f"[dim]{plain(text)}[/]")  # noqa: E731
            watch = Watch(stage, display.show, stopping_on_signals)
            return await run_whole(portal, overrides, watch, over, budget=budget, fresh=fresh)

    try:
        return steps, run_until_interrupted(under_display())
    except KeyboardInterrupt:
        return steps, stage_of(portal, load(portal, overrides).settings, budget, fresh)[0]


def _tell(out: Console, step: Step) -> None:
    if step.trained is not None:
        out.print(f"Trained {counted(len(step.trained.topics), 'topic')} on {counted(step.trained.pages, 'page')}.")
        show_negatives(out, step.trained)
        show_warnings(out, step.trained)
    if step.round is not None and "error" in step.round:
        out.print(f"[yellow]Note:[/] {plain(step.round['error'])}; the topics stay as they were learnt.")
    elif step.round is not None:
        show_round(out, step.round)
    if step.outcome is not None:
        progress = step.outcome.progress
        out.print(
            f"{step.outcome.crawl.kind.capitalize()}: {progress.pages:,} pages, {progress.accepted or 0:,} accepted."
        )
    if step.judged is not None:
        moved = sum(step.judged.moves.values())
        accepted = f"{step.judged.accepted:,} of {step.judged.pages:,} pages accepted"
        out.print(f"All pages judged anew: {accepted}; {moved:,} changed their topic.")


def print_steps(out: Console, portal: Path, reached: Stage, steps: list[Step], json: bool) -> None:
    """Print what all steps came to: one JSON object, or what to do next."""
    if json:
        crawls = [step.outcome for step in steps if step.outcome is not None]
        phases = [crawl_summary(str(portal), found.crawl, found.progress) for found in crawls]
        last = phases[-1] if phases else _last(portal)
        print_json({**last, "stage": reached.value, "phases": phases, "rounds": [s.round for s in steps if s.round]})
        return
    if reached is Stage.REVIEW:
        out.print(f"Review the archetypes, then go on: [bold]{hint('archetypes', portal)}[/] - {hint('run', portal)}")
    elif reached is not Stage.DONE:
        out.print(f"Interrupted; what was fetched stays. Go on: [bold]{hint('run', portal)}[/]")
    elif not steps:
        more = 2 * _last(portal)["pages"] or "N"
        out.print(f"{plain(str(portal))} has been harvested. Go on: [bold]{hint('run', portal, '--pages', more)}[/]")
        out.print(f"Learn and harvest again: [bold]{hint('run', portal, '--fresh')}[/]")
    else:
        out.print(f"See what was learnt: [bold]{hint('archetypes', portal, 'rounds')}[/]")


def _last(portal: Path) -> dict[str, Any]:
    """Return the summary of the newest learning crawl or harvest that a portal has had."""
    with closing(open_store(portal, read_only=True)) as store:
        crawl = newest_of(store, *PHASES)
    return crawl_summary(str(portal), crawl, crawl.progress if crawl else Progress(state=CrawlState.STOPPED))
