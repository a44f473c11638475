"""`thresher dedupe`: finds near-duplicate pages and hides all but the best."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from thresher.api.organised import DedupeResult
from thresher.api.portal import Portal as OpenPortal
from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.organising import Apply, Undo, organise, show_undo
from thresher.cli.output import console, counted, hint
from thresher.cli.screen import bold, dim
from thresher.store.organise_records import DUPLICATES
from thresher.work_steps import OnStep

SHOWN = 20
"""Groups shown without --json."""


@app.command(epilog="Example: thresher dedupe my-portal --apply")
def dedupe(
    portal: Portal,
    similar: Annotated[
        float | None,
        typer.Option(
            "--similar",
            min=0.5,
            max=1.0,
            help="Share of word sequences that duplicates have in common; 0.8 by default.",
        ),
    ] = None,
    apply: Apply = False,
    undo: Undo = False,
    json: Json = False,
) -> None:
    """Find near-duplicate pages and mirrored sites; --apply hides all but the page with the most authority."""

    def step(opened: OpenPortal, on_step: OnStep) -> DedupeResult:
        return opened.dedupe(similar=similar, apply=apply, on_step=on_step)

    organise(portal, "dedupe", step, partial(_show, portal), apply=apply, undo=undo, json=json)


def _show(portal: Path, result: DedupeResult) -> None:
    out, found, step = console(), result.duplicates, result.step
    for group in found.groups[:SHOWN]:
        out.print(bold(group.best.url), f"  {group.best.title}")
        for other in group.others:
            out.print(f"  {other.similarity:4.0%}  ", dim(other.page.url))
    if len(found.groups) > SHOWN:
        out.print(f"and {counted(len(found.groups) - SHOWN, 'more group', 'more groups')}; --json shows all.")
    for mirror in found.mirrors:
        out.print(f"{mirror.host} mirrors {mirror.of}: {counted(mirror.pages, 'page')}.")
    moved = sum(len(group.others) for group in found.groups)
    if found.groups and all(group.authority is None for group in found.groups):
        out.print(f"No link scores yet, so the most confident page stays. To score links: {hint('rank', portal)}")
    if step is None:
        told = f"{counted(moved, 'page')} of {found.pages:,} repeat others"
        out.print(
            f"{told}. Nothing was changed. To hide them, repeat the command with --apply." if moved else f"{told}."
        )
        return
    out.print(f"Moved {counted(step.pages, 'page')} to {DUPLICATES}, out of sight.")
    show_undo(portal, "dedupe")
