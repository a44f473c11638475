"""What `split`, `filter` and `dedupe` share: options, opening a portal for them, and what is printed of an undo."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from thresher.cli.output import console, counted, hint, print_json
from thresher.errors import UsageError
from thresher.learn.error_curve import ErrorEstimate
from thresher.organise.moving import Undone
from thresher.store.locks import CrawlLock
from thresher.store.protocol import Store
from thresher.store.repository import open_store, require_portal

Apply = Annotated[bool, typer.Option("--apply", help="Do it; without this, only show what would be done.")]
Undo = Annotated[bool, typer.Option("--undo", help="Undo the latest one.")]
Loss = Annotated[
    float | None,
    typer.Option("--loss", min=0.0, max=0.95, metavar="SHARE", help="Share of pages to leave undecided, as in 0.2."),
]


@contextmanager
def opened(portal: Path, changing: bool) -> Iterator[Store]:
    """Open a portal's repository; one that will be changed must not be crawled meanwhile."""
    require_portal(portal)
    if not changing:
        with closing(open_store(portal)) as store:
            yield store
        return
    with CrawlLock(portal), closing(open_store(portal)) as store:
        yield store


def refuse_both(apply: bool, undo: bool) -> None:
    """Raise UsageError if a call asks for a step and for its undoing."""
    if apply and undo:
        raise UsageError("--apply and --undo contradict each other.", "Leave one of them out.")


def show_undone(portal: Path, undone: Undone, json: bool, more: dict[str, Any] | None = None) -> None:
    """Print what was undone."""
    step = undone.step
    if json:
        body = {"portal": str(portal), "undone": step.kind, "topic": step.topic, "moved": undone.pages}
        print_json({**body, "stayed": undone.stayed, **(more or {})})
        return
    out = console()
    of = f" of {step.topic}" if step.topic else ""
    out.print(f"Undid the {step.kind}{of}: {counted(undone.pages, 'page')} moved back.")
    if undone.stayed:
        out.print(f"{counted(undone.stayed, 'page')} stayed where they are: classified or moved again since.")


def error_words(estimate: ErrorEstimate) -> str:
    """Return an estimate for a person.

    >>> error_words(ErrorEstimate(0.06, (0.04, 0.09), 300)), error_words(ErrorEstimate(None, (0.0, 1.0), 0))
    ('6% (95% interval: 4% to 9%)', 'unknown')
    """
    if estimate.error is None:
        return "unknown"
    low, high = estimate.interval
    return f"{estimate.error:.0%} (95% interval: {low:.0%} to {high:.0%})"


def error_keys(estimate: ErrorEstimate) -> dict[str, Any]:
    """Return the keys of an estimate under `--json`."""
    interval = None if estimate.error is None else [round(bound, 4) for bound in estimate.interval]
    return {"error": None if estimate.error is None else round(estimate.error, 4), "error_interval": interval}


def undo_command(kind: str, portal: Path) -> str:
    """Return the command that undoes a step."""
    return hint(kind, portal, "--undo")
