"""`thresher filter`: takes doubtful pages out of their topics."""

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.organising import (
    Apply,
    Loss,
    Undo,
    error_keys,
    error_words,
    opened,
    refuse_both,
    show_undone,
    undo_command,
)
from thresher.cli.output import console, counted, hint, print_json
from thresher.cli.screen import dim
from thresher.errors import InputError, UsageError
from thresher.organise.filtering import Filtering, FilterOptions, TopicFiltered, apply_filter, filter_topics
from thresher.organise.moving import undo as undo_step
from thresher.organise.topic_judges import portal_judges
from thresher.portals import load_topics
from thresher.store.organise_records import MISCELLANEOUS, StepKind, StepRow
from thresher.taxonomy.topic_tree import found, parsed, written

USUAL = 0.2
"""The loss where a person asks for nothing else."""


@app.command("filter", epilog="Example: thresher filter my-portal Science --loss 0.2 --apply")
def filter_(
    portal: Portal,
    topic: Annotated[
        str | None, typer.Argument(metavar="[TOPIC]", help="A topic, with all below it; all topics by default.")
    ] = None,
    loss: Loss = None,
    factor: Annotated[
        float | None,
        typer.Option("--factor", min=0.0, help="Least confidence, as a multiple of that of the training pages."),
    ] = None,
    error: Annotated[
        float | None,
        typer.Option("--error", min=0.0, max=1.0, metavar="SHARE", help="Highest estimated error, as in 0.05."),
    ] = None,
    together: Annotated[
        bool, typer.Option("--together", help="Judge by several classifiers together, not by the portal's alone.")
    ] = False,
    apply: Apply = False,
    undo: Undo = False,
    json: Json = False,
) -> None:
    """Move the pages that a topic is least sure of to its parent, and from the top to Miscellaneous, out of sight."""
    refuse_both(apply, undo)
    if undo:
        with opened(portal, True) as store:
            undone = undo_step(store, StepKind.FILTER, portal, at=time.time())
        show_undone(portal, undone, json)
        return
    if sum(value is not None for value in (loss, factor, error)) > 1:
        raise UsageError("--loss, --factor and --error exclude each other.", "Give one of them.")
    usual = USUAL if factor is None and error is None else None
    options = FilterOptions(loss=usual if loss is None else loss, factor=factor, error=error)
    with opened(portal, apply) as store:
        name = _named(portal, topic)
        filtering = filter_topics(store, name, portal_judges(portal, store, together=together), options)
        step = apply_filter(store, filtering, name, at=time.time()) if apply else None
    if json:
        print_json(_body(portal, name, filtering, step))
        return
    _show(portal, filtering, step)


def _named(portal: Path, topic: str | None) -> str | None:
    """Return the written path of the topic that is meant; refuse where a person's topic has the name that is needed."""
    tree = load_topics(portal)
    if tree.get((MISCELLANEOUS,)) is not None:
        raise InputError(
            f"The portal has a topic of its own called {MISCELLANEOUS}.",
            f"Rename it first: {hint('topics', portal, 'rename', MISCELLANEOUS, 'NAME')}",
        )
    if topic is None:
        return None
    found(tree, parsed(topic))
    return written(parsed(topic))


def _body(portal: Path, topic: str | None, filtering: Filtering, step: StepRow | None) -> dict[str, Any]:
    return {
        "portal": str(portal),
        "topic": topic,
        "kept": filtering.pages - len(filtering.moves),
        "moved": len(filtering.moves),
        "loss": round(filtering.loss, 4),
        **error_keys(filtering.error),
        "topics": [_row(one) for one in filtering.topics],
        "untrained": filtering.untrained,
        "applied": step is not None,
        "undo": undo_command("filter", portal) if step else None,
    }


def _row(one: TopicFiltered) -> dict[str, Any]:
    return {
        "topic": one.topic,
        "kept": one.kept,
        "moved": one.moved,
        "loss": round(one.loss, 4),
        "factor": None if one.factor is None else round(one.factor, 4),
        **error_keys(one.error),
        "error_before": error_keys(one.error_before)["error"],
        "reached": not one.unreached,
    }


def _show(portal: Path, filtering: Filtering, step: StepRow | None) -> None:
    out = console()
    for one in filtering.topics:
        if one.unreached:
            out.print(f"{one.topic}: no threshold is known to reach that error; left as it is.")
        elif one.kept + one.moved:
            out.print(
                f"{one.topic}: keeping {1 - one.loss:.0%} of {counted(one.kept + one.moved, 'page')} has an estimated"
                f" error of {error_words(one.error)}; keeping all, {error_words(one.error_before)}."
            )
    if filtering.untrained:
        out.print(dim(f"Not trained, so left as they are: {', '.join(filtering.untrained)}."))
    hidden = sum(path == (MISCELLANEOUS,) for path in filtering.moves.values())
    moved = counted(len(filtering.moves), "page")
    if step is None:
        out.print(f"{moved} would move, {hidden:,} of them to {MISCELLANEOUS}, out of sight.")
        out.print("Nothing was changed. To do it, repeat the command with --apply.")
        return
    out.print(f"Moved {counted(step.pages, 'page')}, {hidden:,} of them to {MISCELLANEOUS}.")
    out.print(f"To search them: {hint('search', portal, f'topic:{MISCELLANEOUS}')}")
    out.print(f"To undo it: {undo_command('filter', portal)}")
