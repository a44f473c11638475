"""`thresher dedupe`: shows pages that say nearly the same, and puts all but the best out of sight."""

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.organising import Apply, Undo, opened, refuse_both, show_undone, undo_command
from thresher.cli.output import console, counted, hint, print_json
from thresher.cli.screen import bold, dim
from thresher.errors import InputError
from thresher.organise.duplicate_groups import SIMILAR, Duplicated, DuplicateGroup, apply_dedupe, find_duplicates
from thresher.organise.moving import undo as undo_step
from thresher.portals import load_topics
from thresher.store.organise_records import DUPLICATES, StepKind, StepRow

SHOWN = 20
"""Groups shown without --json."""


@app.command(epilog="Example: thresher dedupe my-portal --apply")
def dedupe(
    portal: Portal,
    similar: Annotated[
        float, typer.Option("--similar", min=0.5, max=1.0, help="Share of word sequences that duplicates share.")
    ] = SIMILAR,
    apply: Apply = False,
    undo: Undo = False,
    json: Json = False,
) -> None:
    """Find pages that say nearly the same, and mirrored sites; --apply hides all but the page with most authority."""
    refuse_both(apply, undo)
    if undo:
        with opened(portal, True) as store:
            undone = undo_step(store, StepKind.DEDUPE, portal, at=time.time())
        show_undone(portal, undone, json)
        return
    with opened(portal, apply) as store:
        if load_topics(portal).get((DUPLICATES,)) is not None:
            raise InputError(
                f"The portal has a topic of its own called {DUPLICATES}.",
                f"Rename it first: {hint('topics', portal, 'rename', DUPLICATES, 'NAME')}",
            )
        found = find_duplicates(store, similar)
        step = apply_dedupe(store, found, at=time.time()) if apply else None
    if json:
        print_json(_body(portal, found, step))
        return
    _show(portal, found, step)


def _body(portal: Path, found: Duplicated, step: StepRow | None) -> dict[str, Any]:
    moved = sum(len(group.others) for group in found.groups)
    return {
        "portal": str(portal),
        "groups": [_group(group) for group in found.groups],
        "mirrors": found.mirrors,
        "kept": found.pages - moved,
        "moved": moved,
        "applied": step is not None,
        "undo": undo_command("dedupe", portal) if step else None,
    }


def _group(group: DuplicateGroup) -> dict[str, Any]:
    return {
        "best": {"url": group.best.url, "title": group.best.title, "authority": group.authority},
        "duplicates": [
            {"url": other.page.url, "title": other.page.title, "similarity": round(other.similarity, 4)}
            for other in group.others
        ],
    }


def _show(portal: Path, found: Duplicated, step: StepRow | None) -> None:
    out = console()
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
    out.print(f"To undo it: {undo_command('dedupe', portal)}")
