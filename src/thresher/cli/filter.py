"""`thresher filter`: takes doubtful pages out of their topics."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from thresher.api.organised import FilterResult
from thresher.api.portal import Portal as OpenPortal
from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.organising import Apply, Loss, Undo, error_words, organise, show_undo
from thresher.cli.output import console, counted, hint
from thresher.cli.screen import dim
from thresher.store.organise_records import MISCELLANEOUS
from thresher.work_steps import OnStep


@app.command("filter", epilog="Example: thresher filter my-portal Science --loss 0.2 --apply")
def filter_(
    portal: Portal,
    topic: Annotated[
        str | None, typer.Argument(metavar="[TOPIC]", help="A topic, with all below it; all topics by default.")
    ] = None,
    loss: Loss = None,
    factor: Annotated[
        float | None,
        typer.Option("--factor", min=0.0, help="Minimum confidence, as a multiple of the training pages'."),
    ] = None,
    error: Annotated[
        float | None,
        typer.Option("--error", min=0.0, max=1.0, metavar="SHARE", help="Maximum estimated error, as in 0.05."),
    ] = None,
    together: Annotated[
        bool, typer.Option("--together", help="Let several classifiers vote, instead of the portal's own alone.")
    ] = False,
    apply: Apply = False,
    undo: Undo = False,
    json: Json = False,
) -> None:
    """Move a topic's least certain pages to its parent, or from the top to Miscellaneous, which is hidden."""

    def step(opened: OpenPortal, on_step: OnStep) -> FilterResult:
        return opened.filter(
            topic, loss=loss, factor=factor, error=error, together=together, apply=apply, on_step=on_step
        )

    organise(portal, "filter", step, partial(_show, portal), apply=apply, undo=undo, json=json)


def _show(portal: Path, result: FilterResult) -> None:
    out, filtering, step = console(), result.filtering, result.step
    for one in filtering.topics:
        if one.unreached:
            out.print(f"{one.topic}: no threshold is known to reach that error; left as it is.")
        elif one.kept + one.moved:
            out.print(
                f"{one.topic}: keeping {1 - one.loss:.0%} of {counted(one.kept + one.moved, 'page')}, the estimated"
                f" error is {error_words(one.error)}; keeping all, {error_words(one.error_before)}."
            )
    if filtering.untrained:
        out.print(dim(f"Not trained, so left as they are: {', '.join(filtering.untrained)}."))
    hidden = sum(path == (MISCELLANEOUS,) for path in filtering.moves.values())
    moved = counted(len(filtering.moves), "page")
    if step is None:
        out.print(f"{moved} would move, {hidden:,} of them to {MISCELLANEOUS}, out of sight.")
        out.print("Nothing was changed. To apply this, repeat the command with --apply.")
        return
    out.print(f"Moved {counted(step.pages, 'page')}, {hidden:,} of them to {MISCELLANEOUS}.")
    out.print(f"To search them: {hint('search', portal, f'topic:{MISCELLANEOUS}')}")
    show_undo(portal, "filter")
